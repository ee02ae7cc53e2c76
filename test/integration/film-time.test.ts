import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chromium } from '../../sandbox-image/sandboxd/browser/chromium.ts';
import { findChromium, installedBackend } from '../../sandbox-image/sandboxd/browser/executables.ts';
import { BrowserLauncher } from '../../sandbox-image/sandboxd/browser/launcher.ts';
import { captureCall } from '../../sandbox-image/sandboxd/page/protocol.ts';
import { pageScript } from '../../sandbox-image/sandboxd/page-scripts.ts';
import { type StaticServer, serveFolder } from '../../sandbox-image/sandboxd/render/static-server.ts';

/** A page that the renderer drives: whatever it reads is a function of the film's time. */

const { signal } = new AbortController();
let chromium: Chromium;
let folder: string;
let server: StaticServer;
beforeAll(async () => {
  const where = { configured: process.env['KODA_CHROMIUM'] ?? null, path: process.env['PATH'] ?? '' };
  chromium = await new BrowserLauncher(() => findChromium(where), installedBackend()).launchPlain(signal);
  folder = await mkdtemp(join(tmpdir(), 'koda-time-'));
  server = await serveFolder(folder);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
  await chromium[Symbol.asyncDispose]();
});

async function open(script: string): Promise<{ session: CDPSession; console: string[] }> {
  const { session } = await chromium.openTarget({ width: 320, height: 180 });
  const printed: string[] = [];
  session.on('Runtime.consoleAPICalled', ({ args }) => printed.push(String(args[0]?.value)));
  await Promise.all([session.send('Page.enable'), session.send('Runtime.enable')]);
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript('capture') });
  await writeFile(join(folder, 'index.html'), `<!doctype html><body><script>${script}</script></body>`);
  const loaded = new Promise((resolve) => session.once('Page.loadEventFired', resolve));
  await session.send('Page.navigate', { url: server.origin });
  await loaded;
  return { session, console: printed };
}

async function run(session: CDPSession, expression: string): Promise<unknown> {
  const answer = await session.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
  expect(answer.exceptionDetails?.exception?.description).toBeUndefined();
  return answer.result.value;
}

/** Returns what a page's `read(t)` returns at each time, in a fresh page and another order of seeks. */
async function readAt(read: string, times: readonly number[], setup = ''): Promise<unknown[]> {
  const script = `${setup}; window.__exportSeekTo = (t) => { window.found = (() => { ${read} })(); };`;
  const values: unknown[][] = [];
  for (const order of [times, times.toReversed()]) {
    const { session } = await open(script);
    const found = new Map<number, unknown>();
    for (const seconds of order) {
      if ((await run(session, captureCall('seek', seconds))) === 'rewound') {
        const loaded = new Promise((resolve) => session.once('Page.loadEventFired', resolve));
        await session.send('Page.reload');
        await loaded;
        await run(session, captureCall('seek', seconds));
      }
      found.set(seconds, await run(session, 'window.found'));
    }
    values.push(times.map((seconds) => found.get(seconds)));
  }
  expect(values[1], 'in another order').toEqual(values[0]);
  return values[0] ?? [];
}

const startMs = Date.UTC(2025, 0, 1);

describe('the clocks of a page', () => {
  it('F4: are the film’s time, in every form', async () => {
    const forms: Record<string, string> = {
      'Date.now': 'Date.now()',
      'new Date()': 'new Date().getTime()',
      'Date()': 'Date.parse(Date())',
      'a subclass': 'new (class extends Date {})().getTime()',
      'the constructor of a date': 'new (new Date(0).constructor)().getTime()',
      'Reflect.construct': 'Reflect.construct(Date, []).getTime()',
      performance: 'performance.timeOrigin + performance.now()',
      'a timeline': 'performance.timeOrigin + document.timeline.currentTime',
      'a mark': 'performance.timeOrigin + performance.mark("x").startTime',
      'an event': 'performance.timeOrigin + new Event("x").timeStamp',
      'a click':
        '(() => { let at; addEventListener("click", (e) => { at = e.timeStamp; }, { once: true }); document.body.click(); return performance.timeOrigin + at; })()',
      Intl: 'Date.parse(new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" }).format().replace(" at", "").replace(/^\\w+, /, ""))',
      'Intl parts':
        'Date.UTC(2025, 0, 1, 0, 0, Number(new Intl.DateTimeFormat("en", { second: "numeric" }).formatToParts().at(0).value))',
      Temporal: 'typeof Temporal === "undefined" ? Date.now() : Temporal.Now.instant().epochMilliseconds',
      'Temporal.Now.zonedDateTimeISO':
        'typeof Temporal === "undefined" ? Date.now() : Temporal.Now.zonedDateTimeISO().epochMilliseconds',
      'Temporal.Now.plainTimeISO':
        'typeof Temporal === "undefined" ? Date.now() : Date.UTC(2025, 0, 1, 0, 0, Temporal.Now.plainTimeISO().second)',
      'an iframe':
        '(() => { const it = document.querySelector("iframe") ?? document.body.appendChild(document.createElement("iframe")); return it.contentWindow.Date.now(); })()',
    };
    for (const [name, form] of Object.entries(forms)) {
      // An iframe follows from the seek after its creation.
      const setup = name === 'an iframe' ? 'document.body.append(document.createElement("iframe"))' : '';
      expect(await readAt(`return ${form}`, [1, 3], setup), name).toEqual([startMs + 1000, startMs + 3000]);
    }
    const zone =
      'return [Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language, new Date().getTimezoneOffset()].join()';
    expect(await readAt(zone, [1])).toEqual(['UTC,en-US,0']);
    expect(
      await readAt('return typeof Date() + Date.length + (new Date(5) instanceof Date) + Date.UTC(1970, 0, 2)', [1]),
    ).toEqual(['string7true86400000']);
  });

  it('F4: call timers as often as the time says, in order', async () => {
    const often = 'let n = 0; setInterval(() => n++, 5); const log = []; ';
    expect(await readAt('return n', [0, 0.5, 1, 2.004], often)).toEqual([0, 100, 200, 400]);
    const order = `const log = []; setTimeout(() => log.push('c' + performance.now()), 300); setInterval(() => log.push('a' + performance.now()), 100);
      setTimeout(() => { log.push('b'); setTimeout(() => log.push('d' + performance.now()), 50); }, 200);`;
    expect(await readAt('return log.join(" ")', [0.1, 0.35], order)).toEqual(['a100', 'a100 b a200 d250 c300 a300']);
    const cleared = 'let n = 0; const id = setInterval(() => { if (++n === 3) clearInterval(id); }, 10); ';
    expect(await readAt('return n', [0.02, 5], cleared)).toEqual([2, 3]);
    const nested = 'let n = 0; const next = () => { n++; setTimeout(next, 0); }; setTimeout(next, 10);';
    expect((await readAt('return n > 200 && n < 300', [1], nested))[0]).toBe(true);
    expect(
      await readAt('return idle', [1], 'let idle = 0; requestIdleCallback((it) => { idle = it.timeRemaining(); });'),
    ).toEqual([50]);
    expect(await readAt('return it.aborted', [0.4, 0.6], 'const it = AbortSignal.timeout(500);')).toEqual([false, true]);
  });

  it('F4: a page that waits for a timer becomes ready', async () => {
    const { session } = await open('setTimeout(() => { window.waited = true; }, 50);');
    await expect.poll(() => run(session, 'window.waited')).toBe(true);
  });
});

describe('the chance of a page', () => {
  it('F4: depends on the film’s time alone', async () => {
    for (const form of ['Math.random()', 'crypto.randomUUID()', '[...crypto.getRandomValues(new Uint16Array(4))].join()']) {
      const values = await readAt(`return ${form}`, [0.5, 1]);
      expect(new Set(values).size, form).toBe(2);
    }
    expect((await readAt('return crypto.randomUUID()', [1]))[0]).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('F4: names what has a clock or chance of its own', async () => {
    const page = await open(`new Worker(URL.createObjectURL(new Blob(['']))); new AudioContext();
      crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt']);
      window.__exportSeekTo = () => {}; `);
    await run(page.session, captureCall('seek', 0));
    expect(page.console).toEqual([
      expect.stringMatching(/starts a Worker.*two renders may differ\. Do its work in the page/),
      expect.stringMatching(/starts an AudioContext/),
      expect.stringMatching(/generates a key/),
    ]);
  });
});

describe('a film of an earlier version', () => {
  it('F4: gets the same clock, although it brings its own', async () => {
    const old = `const RealDate = Date; window.Date = class extends RealDate { constructor(...p) { p.length ? super(...p) : super(0); } };
      Math.random = () => 0.5; window.setInterval = () => 0; let set = 0;
      window.__virtualTime = { set() { set++; } };
      const box = document.body.appendChild(document.createElement('i'));
      const moves = box.animate([{ opacity: 0 }, { opacity: 1 }], 1000);
      let n = 0; setInterval(() => n++, 5);`;
    const read =
      'window.__virtualTime.set(t * 1000); return [Date.now(), Date(), n, set, moves.currentTime, moves.playState].join()';
    expect(await readAt(read, [0.5], old)).toEqual([
      [startMs + 500, 'Wed Jan 01 2025 00:00:00 GMT+0000 (Coordinated Universal Time)', 100, 0, 500, 'paused'].join(),
    ]);
  });
});
