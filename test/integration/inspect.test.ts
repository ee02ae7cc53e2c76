import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { type InspectReport, inspectReportSchema } from '#contract/sandbox/answers.ts';
import { createApp } from '../../sandbox-image/sandboxd/app.ts';
import { browserHandlers } from '../../sandbox-image/sandboxd/browser/handlers.ts';
import { ScreenshotBrowser } from '../../sandbox-image/sandboxd/browser/reusable-browser.ts';
import { findOnPath } from '../../sandbox-image/sandboxd/paths.ts';
import { blankContrast } from '../../server/kinds/film/check/check-film.ts';
import {
  behaviour,
  markedTemporaryFolder,
  processesMentioning,
  type StageWorkspace,
  stageWorkspace,
} from '../fixtures/stage-workspace.ts';

const token = 'b'.repeat(32);
/** A limit that no machine reaches. */
const longMs = 600_000;

const temporary = markedTemporaryFolder({ per: 'file' });

/** Creates the browser routes for a page, with a browser that is closed when the routes are disposed of. */
function routes(page: StageWorkspace, idleMs = 60_000) {
  const screenshotBrowser = new ScreenshotBrowser(page.tools.launcher, idleMs);
  const app = createApp(
    token,
    browserHandlers({ workspace: page.folder, previewServer: page.previewServer, screenshotBrowser, limits: page.tools.limits }),
  );
  const post = async (path: string, body: object, signal?: AbortSignal) =>
    app.fetch(
      new Request(`http://sandbox${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${token}` },
        ...(signal ? { signal } : {}),
      }),
    );
  return {
    screenshot: (body: object, signal?: AbortSignal) =>
      post('/screenshot', { seekToSeconds: 0, width: 320, height: 180, format: 'png', ...body }, signal),
    async inspect(atSeconds: number[]): Promise<InspectReport> {
      const response = await post('/inspect', { atSeconds, width: 160, height: 90 });
      return inspectReportSchema.parse(await response.json());
    },
    [Symbol.asyncDispose]: () => screenshotBrowser[Symbol.asyncDispose](),
  };
}

function errorsOf(report: InspectReport): string {
  return report.console
    .filter(({ level }) => level === 'error')
    .map(({ text }) => text)
    .join('\n');
}

describe('screenshots', () => {
  it('A16: returns the requested size, format and time', async () => {
    await using page = await stageWorkspace();
    await using app = routes(page);
    const early = await app.screenshot({ seekToSeconds: 0.1 });
    expect(early.headers.get('content-type')).toBe('image/png');
    const first = PNG.sync.read(Buffer.from(await early.arrayBuffer()));
    expect([first.width, first.height]).toEqual([320, 180]);
    const late = PNG.sync.read(Buffer.from(await (await app.screenshot({ seekToSeconds: 1.9 })).arrayBuffer()));
    expect(late.data.equals(first.data)).toBe(false);
    const again = PNG.sync.read(Buffer.from(await (await app.screenshot({ seekToSeconds: 0.1 })).arrayBuffer()));
    expect(again.data.equals(first.data)).toBe(true);
    const photo = await app.screenshot({ format: 'jpeg', width: 1280, height: 720 });
    expect(photo.headers.get('content-type')).toBe('image/jpeg');
    const { width, height } = jpeg.decode(Buffer.from(await photo.arrayBuffer()));
    expect([width, height]).toEqual([1280, 720]);
  });

  it('A16: queues concurrent calls and responds to all of them', async () => {
    await using page = await stageWorkspace();
    await using app = routes(page);
    const answers = await Promise.all([0, 0.5, 1, 1.5].map((seekToSeconds) => app.screenshot({ seekToSeconds })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('A16: keeps the browser for the next image', async () => {
    await using page = await stageWorkspace();
    await using app = routes(page);
    const mainProcess = async () =>
      (await processesMentioning(temporary.path)).filter(({ commandLine }) => /user-data-dir(?!.*--type=)/.test(commandLine));
    await app.screenshot({});
    const before = await mainProcess();
    await app.screenshot({});
    expect(before).not.toEqual([]);
    expect((await mainProcess()).map(({ pid }) => pid)).toEqual(before.map(({ pid }) => pid));
  });

  it('A16: closes the browser when it is idle, and opens another for the next image', async () => {
    await using page = await stageWorkspace();
    await using app = routes(page, 1000);
    await app.screenshot({});
    await expect.poll(() => processesMentioning(temporary.path)).toEqual([]);
    expect((await app.screenshot({})).status).toBe(200);
  });

  it('A16: a blocking page does not block the next image', async () => {
    await using page = await stageWorkspace({
      behaviour: behaviour('export const beforeSeek = (t) => { while (t > 1); };'),
      limits: { callTimeoutMs: 5000 },
    });
    await using app = routes(page);
    const blocked = await app.screenshot({ seekToSeconds: 1.5 });
    expect(blocked.status).toBe(500);
    expect(await blocked.json()).toMatchObject({ error: { code: 'CAPTURE_FAILED', details: { reason: 'blocked' } } });
    expect((await app.screenshot({ seekToSeconds: 0.5 })).status).toBe(200);
  });

  it('A16: a disconnected caller does not delay the next one', async () => {
    await using page = await stageWorkspace({
      behaviour: behaviour('export const beforeReady = () => new Promise(() => null);'),
      limits: { readyTimeoutMs: longMs },
    });
    await using app = routes(page);
    const away = new AbortController();
    const pending = app.screenshot({}, away.signal);
    setTimeout(() => away.abort(), 300);
    await pending;
    await writeFile(join(page.folder, 'src/behaviour.js'), behaviour(''));
    const startedAtMs = performance.now();
    expect((await app.screenshot({})).status).toBe(200);
    // The cancelled call would have blocked it for the whole time.
    expect(performance.now() - startedAtMs).toBeLessThan(longMs / 2);
  });

  it('A16: captures images without frame control if the browser does not support it', async () => {
    const before = process.env['KODA_CHROMIUM'];
    process.env['KODA_CHROMIUM'] = findOnPath(['chromium'], process.env['PATH'] ?? '') ?? 'chromium is missing';
    try {
      await using page = await stageWorkspace();
      await using app = routes(page);
      const picture = PNG.sync.read(Buffer.from(await (await app.screenshot({ seekToSeconds: 0.5 })).arrayBuffer()));
      expect([picture.width, picture.height]).toEqual([320, 180]);
      // The background is pure red.
      expect([...picture.data.subarray(0, 3)]).toEqual([255, 0, 0]);
      const events = await page.render({ durationSeconds: 0.5, workers: 2 });
      expect(events.at(-1)).toMatchObject({ type: 'done', frames: 15 });
    } finally {
      if (before === undefined) delete process.env['KODA_CHROMIUM'];
      else process.env['KODA_CHROMIUM'] = before;
    }
  });
});

describe('inspection', () => {
  it('A8: reports contrast and motion of a good page, and no findings', async () => {
    await using page = await stageWorkspace();
    await using app = routes(page);
    const report = await app.inspect([0, 0.5, 0.9, 1.2]);
    expect(report.info).toMatchObject({ durationSeconds: 2, width: 640, height: 360, fps: 30, scenes: [], parameters: [] });
    expect(report.console).toEqual([]);
    expect(report.frames.map(({ seconds }) => seconds)).toEqual([0, 0.5, 0.9, 1.2]);
    for (const frame of report.frames) expect(frame.contrast).toBeGreaterThan(20);
    const [first, second, third, fourth] = report.frames;
    expect(first?.change).toBeNull();
    expect(second?.change).toBeGreaterThan(1);
    // The fixture's page is static from 0.8 s to 1.4 s.
    expect(fourth?.change).toBe(0);
    expect(fourth?.sha256).toBe(third?.sha256);
  });

  it('A8: detects a blank page by its contrast and a static one by its change', async () => {
    const cover =
      "const cover = document.createElement('div'); cover.style.cssText = 'position:fixed;inset:0;background:#345'; document.body.append(cover);";
    await using page = await stageWorkspace({ behaviour: behaviour(cover) });
    await using app = routes(page);
    const report = await app.inspect([0, 1, 2]);
    for (const frame of report.frames) expect(frame.contrast).toBeLessThan(blankContrast);
    expect(report.frames.map(({ change }) => change)).toEqual([null, 0, 0]);
  });

  it('A8: reports uncaught errors, console errors, missing files and missing modules as evidence', async () => {
    await using page = await stageWorkspace({
      behaviour: behaviour(`
        console.error('bad colour', { hue: 7 });
        console.warn('careful');
        setTimeout(() => { throw new Error('late trouble'); });
        const image = new Image();
        image.src = '/missing.png';
        await Promise.all([image.decode().catch(() => null), import('./nowhere.js').catch(() => null)]);
        await new Promise((resolve) => setTimeout(resolve, 300));`),
    });
    await using app = routes(page);
    const report = await app.inspect([0]);
    const errors = errorsOf(report);
    expect(errors).toContain('bad colour');
    expect(errors).toContain('late trouble');
    expect(errors).toMatch(/404.*missing\.png/);
    expect(errors).toMatch(/404.*nowhere\.js/);
    expect(report.console).toContainEqual({ level: 'warning', text: 'careful' });
    // The page became ready despite the errors.
    expect(report.frames).toHaveLength(1);
  });

  it('A8: reports a module that does not parse quickly, with its position', async () => {
    await using page = await stageWorkspace({ behaviour: 'export const info = {;', limits: { readyTimeoutMs: longMs } });
    await using app = routes(page);
    const startedAtMs = performance.now();
    const report = await app.inspect([0]);
    // The page had much longer to become ready.
    expect(performance.now() - startedAtMs).toBeLessThan(longMs / 2);
    expect(report).toMatchObject({ info: null, frames: [] });
    expect(errorsOf(report)).toMatch(/SyntaxError[\s\S]*behaviour\.js/);
  });

  it('A8: reports a page that blocks at some time, with the frames before it', async () => {
    await using page = await stageWorkspace({
      behaviour: behaviour('export const beforeSeek = (t) => { while (t > 1); };'),
      limits: { callTimeoutMs: 5000 },
    });
    await using app = routes(page);
    const report = await app.inspect([0, 0.5, 1.5]);
    expect(report.frames).toHaveLength(2);
    expect(errorsOf(report)).toContain('did not respond');
  });

  it('A19: a page reaches only its own origin, and blocked requests are reported', async () => {
    await using other = await stageWorkspace();
    const attempt = (url: string) => `fetch('${url}').then(() => console.error('REACHED ${url}')).catch(() => null)`;
    await using page = await stageWorkspace({
      behaviour: behaviour(
        `await Promise.all([${attempt(`${other.origin}/index.html`)}, ${attempt('https://example.com/font.woff2')}, ${attempt('/index.html')}]);`,
      ),
    });
    await using app = routes(page);
    const report = await app.inspect([0]);
    const errors = errorsOf(report);
    expect(errors).not.toContain(`REACHED ${other.origin}`);
    expect(errors).not.toContain('REACHED https://example.com');
    expect(report.frames).toHaveLength(1);
    // Control: the page reaches its own server. It never reads that response, and still becomes ready.
    expect(errors).toContain('REACHED /index.html');
    expect(errors).toContain('requested https://example.com/font.woff2, but an animation has no network');
  });
});
