import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Frame, type Page, test } from '@playwright/test';
import { film, openLive } from './live-preview.ts';
import { finishedFilm, studioUrl } from './studio.ts';

/** A machine that the code of a preview would like to talk to; says yes to everything, and remembers who came. */
async function elsewhere() {
  const hits = new Set<string>();
  const server = createServer((request, response) => {
    hits.add(request.url ?? '');
    const page = request.url === '/' ? '<!doctype html><title>elsewhere</title>' : '';
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end(page);
  });
  server.on('upgrade', (request, socket) => {
    hits.add(request.url ?? '');
    socket.on('error', () => undefined).destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Every way out of a page that code has; each asks for a path of its own. */
const waysOut = (origin: string) => `(async () => {
  const to = (name) => ${JSON.stringify(origin)} + '/' + name;
  const add = (tag, properties) => document.body.append(Object.assign(document.createElement(tag), properties));
  const attempts = [
    () => fetch(to('fetch')),
    () => fetch(to('no-cors'), { mode: 'no-cors', method: 'POST', body: 'x' }),
    () => { const request = new XMLHttpRequest(); request.open('GET', to('xhr')); request.send(); },
    () => navigator.sendBeacon(to('beacon'), 'x'),
    () => new WebSocket(to('socket').replace('http', 'ws')),
    () => new EventSource(to('events')),
    () => { new Image().src = to('image'); },
    () => add('script', { src: to('script') }),
    () => add('link', { rel: 'stylesheet', href: to('style') }),
    () => add('video', { src: to('video') }),
    () => add('iframe', { src: to('frame') }),
    () => add('object', { data: to('object') }),
    () => add('div', { style: 'background:url(' + to('background') + ')', textContent: '.' }),
    () => new FontFace('x', 'url(' + to('font') + ')').load(),
    () => import(to('module')),
  ];
  for (const attempt of attempts) {
    try { await Promise.race([attempt(), new Promise((go) => setTimeout(go, 100))]); } catch {}
  }
  await new Promise((go) => setTimeout(go, 1000));
})()`;

/** What a preview would like to have of the studio; the names of what it got. */
const waysIn = (origin: string) => `(async () => {
  const studio = ${JSON.stringify(origin)};
  const attempts = {
    'its projects': async () => (await fetch(studio + '/api/projects')).json(),
    'a project of its own': async () => {
      await fetch(studio + '/api/projects', { method: 'POST', mode: 'no-cors', body: JSON.stringify({ prompt: 'x' }) });
      // Whether it was taken, only the list of projects says.
      throw new Error('unknown');
    },
    'its events': () => new Promise((ok, no) => Object.assign(new EventSource(studio + '/api/events'), { onopen: ok, onerror: no })),
    'its shells': async () => (await fetch(studio + '/api/projects/x/shells')).json(),
    'a WebSocket': () => new Promise((ok, no) => Object.assign(new WebSocket(studio.replace('http', 'ws')), { onopen: ok, onerror: no })),
    'its address': () => String(top.location.href),
    'its page': () => parent.document.title,
    'what it keeps': () => parent.localStorage.length,
    'another address for it': () => { top.location.href = 'about:blank'; },
    'a window': () => open('about:blank').location.href,
    'a service worker': () => navigator.serviceWorker.register('/sw.js'),
    'a dialog': () => { if (confirm('x') === false) throw new Error('refused'); },
    'the camera': () => navigator.mediaDevices.getUserMedia({ video: true }),
    'the place': () => new Promise((ok, no) => navigator.geolocation.getCurrentPosition(ok, no)),
    'a picture of it': () => new Promise((ok, no) => Object.assign(new Image(), { onload: ok, onerror: no, src: studio + '/favicon.svg' })),
  };
  const tried = Object.entries(attempts).map(async ([name, attempt]) => {
    const late = new Promise((_, no) => setTimeout(no, 2000));
    try { await Promise.race([Promise.resolve().then(attempt), late]); return [name]; } catch { return []; }
  });
  return (await Promise.all(tried)).flat();
})()`;

const projectCount = async () => {
  const answer = await fetch(studioUrl('/api/projects?limit=100'));
  return ((await answer.json()) as { items: unknown[] }).items.length;
};
const run = (where: Page | Frame, script: string): Promise<unknown> => where.evaluate(script);

test('X3: the code of a preview reaches no other machine from the browser; the same code on another page does', async ({
  page,
}) => {
  using target = await elsewhere();
  await openLive(page, await finishedFilm());
  await run(film(page), waysOut(target.origin));
  expect([...target.hits]).toEqual([]);
  // Not by going there, either: the studio lets its frame show previews alone.
  await run(film(page), `void (location.href = ${JSON.stringify(`${target.origin}/gone`)})`);
  await page.waitForTimeout(500);
  expect([...target.hits]).toEqual([]);

  await page.goto(`${target.origin}/`);
  target.hits.clear();
  await run(page, waysOut(target.origin));
  expect(target.hits.size).toBeGreaterThanOrEqual(12);
});

test('A15: the code of a preview gets nothing of the studio', async ({ page }) => {
  await openLive(page, await finishedFilm());
  const before = { count: await projectCount(), url: page.url() };
  for (const origin of [new URL(studioUrl()).origin, new URL(studioUrl()).origin.replace('localhost', '127.0.0.1')]) {
    expect(await run(film(page), waysIn(origin))).toEqual([]);
  }
  expect({ count: await projectCount(), url: page.url() }).toEqual(before);
});
