import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Frame, type Page, test } from '@playwright/test';
import { pageCall } from '../fixtures/page-code.ts';
import { film, openLive } from './live-preview.ts';
import { finishedFilm, studioUrl } from './studio.ts';

/** Starts a server that preview code might contact. It accepts everything and records its visitors. */
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

/** Tries every way for code to contact other machines. Each one requests its own path. */
const waysOut = (origin: string) => pageCall('ways-out.js', origin);

/** Lists the studio data that a preview could access. */
const waysIn = (origin: string) => pageCall('ways-in.js', origin);

const projectCount = async () => {
  const answer = await fetch(studioUrl('/api/projects?limit=100'));
  return ((await answer.json()) as { items: unknown[] }).items.length;
};
const run = (where: Page | Frame, script: string): Promise<unknown> => where.evaluate(script);

test('X3: preview code reaches no other machine from the browser; the same code elsewhere does', async ({ page }) => {
  using target = await elsewhere();
  await openLive(page, await finishedFilm());
  await run(film(page), waysOut(target.origin));
  expect([...target.hits]).toEqual([]);
  // Navigation is blocked as well, because the studio's frame shows only previews.
  await run(film(page), `void (location.href = ${JSON.stringify(`${target.origin}/gone`)})`);
  await page.waitForTimeout(500);
  expect([...target.hits]).toEqual([]);

  await page.goto(`${target.origin}/`);
  target.hits.clear();
  await run(page, waysOut(target.origin));
  expect(target.hits.size).toBeGreaterThanOrEqual(12);
});

test('A15: preview code gets no access to the studio', async ({ page }) => {
  await openLive(page, await finishedFilm());
  const before = { count: await projectCount(), url: page.url() };
  for (const origin of [new URL(studioUrl()).origin, new URL(studioUrl()).origin.replace('localhost', '127.0.0.1')]) {
    expect(await run(film(page), waysIn(origin))).toEqual([]);
  }
  expect({ count: await projectCount(), url: page.url() }).toEqual(before);
});
