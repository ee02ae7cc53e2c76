import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import puppeteer, { type Browser, type Frame, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Film } from '#kinds/film/contract/film.ts';
import { findChromium } from '../../sandbox-image/sandboxd/browser/executables.ts';
import { printFilm } from '../../server/kinds/film/document/print.ts';
import { formatOf } from '../../server/kinds/film/formats/catalogue.ts';
import { freePort } from '../fixtures/free-port.ts';
import { pageCall } from '../fixtures/page-code.ts';

/** The film's page in a frame on another page, which stands in for the studio. */

const template = join(import.meta.dirname, '../../sandbox-image/templates/film');
const example = (format: string) => formatOf(format)?.example as Record<string, unknown>;
const sceneIds = ['title', 'checklist', 'quote'];

const film: Film = {
  version: 3,
  title: 'Edits',
  style: 'smooth',
  theme: 'studio',
  aspect: '16:9',
  fps: 60,
  seed: 1,
  language: 'en',
  colors: {},
  music: null,
  scenes: sceneIds.map((format) => ({ id: `scene-${format}`, seconds: 6, format, props: example(format) })),
};

let folder: string;
let page: Page;
let live: Frame;
const opened = new AsyncDisposableStack();

const write = (edited: Film, paths?: readonly string[]) =>
  Promise.all(
    printFilm(edited)
      .filter(({ path }) => paths === undefined || paths.includes(path))
      .map(({ path, content }) => writeFile(join(folder, path), content)),
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'koda-edits-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  await cp(template, folder, {
    recursive: true,
    filter: (path) => !/\/(node_modules|\.koda|dist)(\/|$)/.test(path.slice(template.length)),
  });
  await symlink(join(template, 'node_modules'), join(folder, 'node_modules'));
  await write(film);

  const port = await freePort();
  const vite = spawn(join(folder, 'node_modules/.bin/vite'), ['--configLoader', 'native'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  opened.defer(async () => {
    vite.kill();
    if (vite.exitCode === null) await once(vite, 'exit');
  });
  const address = `http://127.0.0.1:${port}/`;
  const host = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<iframe src="${address}" width="960" height="540"></iframe>`),
  );
  host.listen(0, '127.0.0.1');
  opened.defer(() => void host.close());
  await once(host, 'listening');
  while (
    !(await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(100);

  const executablePath = findChromium({ configured: process.env['KODA_TEST_CHROMIUM'] ?? null, path: process.env['PATH'] ?? '' });
  const browser: Browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--disable-quic'], timeout: 0 });
  opened.defer(() => browser.close());
  page = await browser.newPage();
  // The test runner gives up if there is no progress.
  page.setDefaultTimeout(0);
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  await page.evaluate(pageCall('keep-messages.js'));
  const found = page.frames().find((frame) => frame.url() === address);
  if (found === undefined) throw new Error('The preview has no frame.');
  live = found;
  await live.waitForFunction('window.__exportReady === true', { timeout: 0 });
  await send({ type: 'koda:pause', seconds: 4 });
});
afterAll(() => opened.disposeAsync());

/** Posts a message to the page and returns the time, in milliseconds since the epoch. */
const send = (message: Record<string, unknown>) => page.evaluate(pageCall('send-to-frame.js', message)) as Promise<number>;

let requests = 0;
async function ask(message: Record<string, unknown>): Promise<Record<string, unknown>> {
  requests += 1;
  await send({ ...message, requestId: requests });
  const response = await page.waitForFunction(`window.__messages.find(({ requestId }) => requestId === ${requests})`);
  return (await response.jsonValue()) as Record<string, unknown>;
}

const edit = (format: string, props: Record<string, unknown> | null) =>
  send({ type: 'koda:scene-props', sceneId: `scene-${format}`, props });

const textOnScreen = () => live.evaluate('document.querySelector(".stage").innerText.replace(/\\s+/g, " ")') as Promise<string>;

/** Edits the scene, and returns the milliseconds from the message to the frame that shows the text. */
async function timeOfEdit(format: string, props: Record<string, unknown>, text: string): Promise<number> {
  const seen = live.evaluate(pageCall('seen-text.js', text)) as Promise<number>;
  const sentAt = await edit(format, props);
  return (await seen) - sentAt;
}

it('a paused page draws edited props, and loads nothing for it', async () => {
  const loaded = () => live.evaluate('performance.getEntriesByType("resource").length') as Promise<number>;
  const before = await loaded();
  const times: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    const text = `Typed ${'x'.repeat(count + 1)}`;
    times.push(await timeOfEdit('title', { ...example('title'), text, emphasis: [] }, text));
  }
  times.sort((a, b) => a - b);
  console.info(`median ${times[10]?.toFixed(1)} ms, slowest ${times.at(-1)?.toFixed(1)} ms`);
  expect(await loaded()).toBe(before);
});

it('the file takes over without a visible change, and its later changes appear again', async () => {
  const props = { ...example('title'), text: 'Stored soon', emphasis: [] };
  const withTitle = (changed: Record<string, unknown>) => ({
    ...film,
    scenes: film.scenes.map((scene) => (scene.id === 'scene-title' ? { ...scene, props: changed } : scene)),
  });
  const path = 'src/scenes/scene-title.tsx';
  await timeOfEdit('title', props, 'Stored soon');
  await live.evaluate(pageCall('count-changes.js'));
  await write(withTitle(props) as Film, [path]);
  await sleep(1500);
  expect(await live.evaluate('window.__changes')).toBe(0);
  const seen = live.evaluate(pageCall('seen-text.js', 'Changed elsewhere'));
  await write(withTitle({ ...props, text: 'Changed elsewhere' }) as Film, [path]);
  await seen;
  await write(film, [path]);
  await live.evaluate(pageCall('seen-text.js', String(example('title')['text'])));
});

it('shows the last of two versions of a file that are written within 50 ms', async () => {
  const path = 'src/scenes/scene-title.tsx';
  const withText = (text: string): Film => ({
    ...film,
    scenes: film.scenes.map((scene) =>
      scene.id === 'scene-title' ? { ...scene, format: 'title', props: { ...example('title'), text, emphasis: [] } } : scene,
    ),
  });
  for (const gap of [10, 25, 40]) {
    await write(withText(`First ${gap}`), [path]);
    await sleep(gap);
    await write(withText(`Second ${gap}`), [path]);
    await live.evaluate(pageCall('seen-text.js', `Second ${gap}`));
  }
  await write(film, [path]);
  await live.evaluate(pageCall('seen-text.js', String(example('title')['text'])));
});

it('a module never loads another version of itself, which would run first', async () => {
  const module = await live.evaluate("fetch('/src/scenes/scene-title.tsx').then((response) => response.text())");
  expect(module).toContain('RefreshRuntime.__hmr_import(import.meta.url)');
  expect(module).not.toMatch(/from "[^"]*scene-title/);
});

it('props that no format can draw keep the last good frame, and the next good ones are drawn', async () => {
  await timeOfEdit('title', { ...example('title'), text: 'Good', emphasis: [] }, 'Good');
  const errors = 'window.__messages.filter(({ type }) => type === "koda:error").length';
  const before = await page.evaluate(errors);
  await edit('title', { text: 5 });
  await page.waitForFunction(`${errors} > ${before}`);
  await sleep(300);
  expect(await textOnScreen()).toContain('Good');
  expect(await live.evaluate('document.querySelector(".error-panel") === null')).toBe(true);

  // A hot reload remounts the part of the page that failed.
  await write(film, ['src/scenes/scene-title.tsx']);
  await sleep(700);
  expect(await textOnScreen()).toContain('Good');
  await timeOfEdit('title', { ...example('title'), text: 'Good again', emphasis: [] }, 'Good again');
  await edit('title', null);
  await live.evaluate(pageCall('seen-text.js', String(example('title')['text'])));
});

it.each([
  { type: 'koda:scene-props', sceneId: 'scene-9', props: { text: 'Nowhere' } },
  { type: 'koda:scene-props', sceneId: 'scene-title', props: 'text' },
  { type: 'koda:scene-props', sceneId: 5, props: {} },
  { type: 'koda:scene-props' },
])('a message that names no scene or no props changes nothing: %j', async (message) => {
  const before = await textOnScreen();
  await send(message);
  await sleep(100);
  expect(await textOnScreen()).toBe(before);
});

it('finds texts on screen by case and white space, and by a point', async () => {
  await timeOfEdit(
    'title',
    { ...example('title'), text: 'Say what you mean and mean what you say', emphasis: ['mean what'] },
    'say',
  );
  const { boxes } = (await ask({ type: 'koda:find-text', text: 'say WHAT  you mean and\nmean what you say' })) as {
    boxes: { x: number; y: number; width: number; height: number }[];
  };
  expect(boxes).toHaveLength(1);
  const [box = { x: 0, y: 0, width: 0, height: 0 }] = boxes;
  expect(box.width).toBeGreaterThan(0.3);
  expect(box.x + box.width).toBeLessThan(0.95);
  const point = { x: box.x + box.width / 3, y: box.y + box.height / 4 };
  const { text } = await ask({ type: 'koda:text-at', point });
  expect('Say what you mean and mean what you say').toContain(text);
  expect((await ask({ type: 'koda:text-at', point: { x: 0.01, y: 0.01 } }))['text']).toBeNull();
  expect((await ask({ type: 'koda:find-text', text: 'not in the film' }))['boxes']).toEqual([]);
  expect((await ask({ type: 'koda:find-text', text: ' ' }))['boxes']).toEqual([]);
});

it('measures letters of another script with their own typeface', async () => {
  const text = 'Привет, мир';
  await timeOfEdit('title', { ...example('title'), text, emphasis: [] }, text);
  await live.waitForFunction(
    '[...document.fonts].some(({ status, unicodeRange }) => status === "loaded" && /U\\+0?400-/i.test(unicodeRange))',
  );
  await live.evaluate('document.fonts.ready');
  await sleep(500);
  const box = async () => ((await ask({ type: 'koda:find-text', text })) as { boxes: unknown[] }).boxes[0];
  const late = await box();
  await edit('title', null);
  await edit('title', { ...example('title'), text, emphasis: [] });
  expect(late).toEqual(await box());
});
