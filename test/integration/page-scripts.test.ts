import type { CDPSession } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Chromium } from '../../sandbox-image/sandboxd/browser/chromium.ts';
import { findChromium, installedBackend } from '../../sandbox-image/sandboxd/browser/executables.ts';
import { BrowserLauncher } from '../../sandbox-image/sandboxd/browser/launcher.ts';
import {
  agentCall,
  canvasImageSchema,
  captureCall,
  drawnSchema,
  extractedSchema,
  focusSchema,
  layoutSnapshotSchema,
  locatedSchema,
  readyStateSchema,
  stateSchema,
} from '../../sandbox-image/sandboxd/page/protocol.ts';
import { type PageScript, pageScript } from '../../sandbox-image/sandboxd/page-scripts.ts';

/** Runs the modules in `sandboxd/page`, each in a real page of 320 × 180, without a stage or a daemon. */

const { signal } = new AbortController();
let chromium: Chromium;

beforeAll(async () => {
  const where = { configured: process.env['KODA_CHROMIUM'] ?? null, path: process.env['PATH'] ?? '' };
  chromium = await new BrowserLauncher(() => findChromium(where), installedBackend()).launchPlain(signal);
});
afterAll(() => chromium[Symbol.asyncDispose]());

async function open(html: string, scripts: readonly PageScript[] = ['capture', 'redundant-draws']): Promise<CDPSession> {
  const { session } = await chromium.openTarget({ width: 320, height: 180 });
  await session.send('Page.enable');
  for (const name of scripts) await session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript(name) });
  const loaded = new Promise((resolve) => session.once('Page.loadEventFired', resolve));
  const document = `<!doctype html><body style="margin:0;background:#000">${html}</body>`;
  await session.send('Page.navigate', { url: `data:text/html;charset=utf-8,${encodeURIComponent(document)}` });
  await loaded;
  return session;
}

async function run(session: CDPSession, expression: string): Promise<unknown> {
  const answer = await session.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
  expect(answer.exceptionDetails?.exception?.description).toBeUndefined();
  return answer.result.value;
}

const ask = async <Schema extends z.ZodType>(
  session: CDPSession,
  expression: string,
  schema: Schema,
): Promise<z.output<Schema>> => schema.parse(await run(session, expression));

/** A canvas that covers the whole window, in the variable `gl`. */
const canvas = `<canvas width="320" height="180" style="display:block"></canvas>
<script>const gl = document.querySelector('canvas').getContext('webgl', { preserveDrawingBuffer: true, alpha: false });</script>`;
const film = (seek: string) =>
  `<script>window.__exportSeekTo = (t) => { ${seek} }; window.__exportInfo = { durationSeconds: 1 }; window.__exportReady = true;</script>`;

describe('capture', () => {
  it('reports whether a film is ready, and its information', async () => {
    expect(await ask(await open(film('')), captureCall('readyState'), readyStateSchema)).toEqual({
      ready: true,
      error: null,
      info: { durationSeconds: 1 },
      parameterError: null,
    });
    const broken = await open(`<script>window.__exportError = { message: 'no font' };</script>`);
    expect(await ask(broken, captureCall('readyState'), readyStateSchema)).toMatchObject({ ready: false, error: 'no font' });
  });

  it('reports the outcome of a seek, and nothing on a page without the script', async () => {
    const outcome = async (seek: string) => await run(await open(film(seek)), captureCall('seek', 0.5));
    expect(await outcome('')).toBe('unchanged');
    expect(await outcome('return Promise.resolve()')).toBe('async');
    expect(await outcome(`window.__exportError = { message: 'lost its way' }`)).toBe('lost its way');
    expect(await run(await open(''), captureCall('seek', 0.5))).toBe('reloaded');
    expect(await run(await open('', []), captureCall('seek', 0.5))).toBeUndefined();
    const lost = await open(canvas + film(`gl.getExtension('WEBGL_lose_context').loseContext()`));
    expect(await run(lost, captureCall('seek', 0.5))).toBe('lost');
  });

  it('recognises its original document', async () => {
    const session = await open(film(''));
    expect(await run(session, captureCall('hasStarted'))).toBe(false);
    await run(session, captureCall('start'));
    expect(await run(session, captureCall('hasStarted'))).toBe(true);
  });
});

describe('layout-snapshot', () => {
  it('describes texts, their boxes, and what clips them', async () => {
    const session =
      await open(`<div class="card" style="position:absolute;left:20px;top:10px;width:200px;height:60px;background:#123;overflow:hidden">
      <p style="margin:0;font:20px sans-serif;color:rgb(255,0,0);transform:scale(1.5);transform-origin:0 0">One <b>text</b></p></div>
      <p style="opacity:0.01">gone</p>`);
    const { texts, shapes } = await ask(session, captureCall('layout'), layoutSnapshotSchema);
    expect(texts).toMatchObject([
      { text: 'One text', selector: 'div.card > p', fontPx: 30, opacity: 1, rotated: false, color: [255, 0, 0] },
    ]);
    expect(texts[0]?.clip).toMatchObject({ left: 20, top: 10, right: 220, bottom: 70 });
    // A transformed element is not in a box of the page's flow, so it has no container.
    expect(texts[0]?.container).toBeNull();
    expect(shapes[0]?.box).toEqual({ left: 20, top: 10, right: 220, bottom: 70 });
  });
});

describe('canvas-image', () => {
  const picture = async (html: string) => await ask(await open(html), captureCall('canvasImage', 0.9), canvasImageSchema);

  it('returns the canvas alone, as JPEG', async () => {
    const found = await picture(`${canvas}<script>gl.clearColor(1, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT);</script>`);
    expect(
      Buffer.from(found?.data ?? '', 'base64')
        .subarray(0, 3)
        .toString('hex'),
    ).toBe('ffd8ff');
  });

  it('returns no canvas once anything else may be visible', async () => {
    expect(await picture(`${canvas}<p style="position:fixed;top:0">Words</p>`)).toBeNull();
    expect(await picture(`<div style="filter:blur(1px)">${canvas}</div>`)).toBeNull();
    expect(await picture(canvas.replace('width="320"', 'width="300"'))).toBeNull();
    expect(await picture(canvas.replace('preserveDrawingBuffer: true', 'preserveDrawingBuffer: false'))).toBeNull();
  });
});

describe('exact-drawing and hidden-changes', () => {
  /** Returns a box's fingerprints at 0 s and at 0.5 s, where `seek` changes it. */
  async function marks(seek: string, html = ''): Promise<unknown[]> {
    const session = await open(`<div id="box" style="width:9px;height:9px"></div>${html}${film(seek)}`);
    await run(session, captureCall('start'));
    const found: unknown[] = [];
    for (const seconds of [0, 0.5, 0.5]) {
      await run(session, captureCall('seek', seconds));
      found.push(await run(session, 'box.dataset.kodaDrawn ?? null'));
    }
    return found;
  }

  it('marks elements that move too little for a redraw by the browser, and no static ones', async () => {
    expect(await marks(`box.style.transform = 'scaleX(' + (0.9998 + t * 0.0001) + ')'`)).toEqual(['a', 'b', 'b']);
    expect(await marks('box.style.opacity = 1 - t')).toEqual([null, null, null]);
  });

  it('marks elements that a style sheet rule changes', async () => {
    const rule = '<style>#box { transform: scaleX(0.9) }</style>';
    const sheet = 'document.querySelector("style").sheet.cssRules[0].style';
    expect(await marks(`${sheet}.transform = 'scaleX(' + (0.9 + t * 0.0001) + ')'`, rule)).toEqual([null, 'a', 'a']);
  });
});

describe('redundant-draws and draw-idempotence', () => {
  /**
   * Returns the results of four seeks with the same calls. The first introduces the context, two show that the calls repeat.
   */
  async function seeks(draw: string): Promise<unknown[]> {
    const session = await open(canvas + film(draw));
    const found: unknown[] = [];
    for (let seek = 0; seek < 4; seek++) found.push(await run(session, captureCall('seek', 0.5)));
    return found;
  }
  const clear = 'gl.clearColor(0, 0, 1, 1); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);';

  it('reports a repeated draw that starts with a clear as unchanged', async () => {
    expect(await seeks(clear)).toEqual(['drawn', 'drawn', 'drawn', 'unchanged']);
  });

  it('reports draws that read back, change or keep earlier pixels as drawn', async () => {
    expect(await seeks(`${clear} gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));`)).not.toContain(
      'unchanged',
    );
    expect(
      await seeks(`window.blue = (window.blue ?? 0) + 0.1; gl.clearColor(0, 0, window.blue, 1); ${clear.slice(27)}`),
    ).not.toContain('unchanged');
    expect(await seeks('gl.drawArrays(gl.TRIANGLES, 0, 3);')).not.toContain('unchanged');
  });
});

describe('agent', () => {
  const page = '<h1 id="title">Waves</h1><input id="name" value="old"><button>Play</button><button hidden>Hidden</button>';
  const call = (expression: string) => pageScript('agent') + expression;

  it('locates elements by selector and by text, and lists the existing ones', async () => {
    const session = await open(page, []);
    const found = await ask(session, call(agentCall('locate', null, 'play')), locatedSchema);
    expect(found).toMatchObject({ problem: 'none', matches: 1, element: { tag: 'button', text: 'Play', visible: true } });
    const missing = await ask(session, call(agentCall('locate', '#titel', null)), locatedSchema);
    expect(missing).toMatchObject({
      problem: 'missing',
      candidates: expect.arrayContaining([{ selector: '#title', text: 'Waves' }]),
    });
    expect(await ask(session, call(agentCall('locate', 'h1[', null)), locatedSchema)).toMatchObject({ problem: 'invalid' });
  });

  it('keeps located elements, whatever names the page uses', async () => {
    const session = await open(`<i id="kodaAgent"></i>${page}`, []);
    await run(session, call(agentCall('locate', '#name', null)));
    expect(await ask(session, call(agentCall('focus', true)), focusSchema)).toBeNull();
    expect(await run(session, 'document.querySelector("#name").value')).toBe('');
    await run(session, call(agentCall('locate', 'h1', null)));
    expect(await ask(session, call(agentCall('focus', true)), focusSchema)).toBe('does not accept text');
  });

  it('extracts text and reports the address of the page', async () => {
    const session = await open(page, []);
    const texts = await ask(session, call(agentCall('extract', 'h1', 'text')), extractedSchema);
    expect(texts).toMatchObject({ problem: 'none', matches: 1, content: 'Waves', complete: true });
    expect(await ask(session, call(agentCall('state')), stateSchema)).toMatchObject({ scroll: { x: 0, y: 0 } });
  });

  it('draws an image no larger than requested, and reports a file that is not an image', async () => {
    const session = await open('', []);
    const svg = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>').toString('base64')}`;
    const options = { maxSide: 10, enlarges: false, maxPngCharacters: 10_000, jpegQuality: 0.8 };
    const drawn = await ask(session, call(agentCall('drawImage', { dataUrl: svg, ...options })), drawnSchema);
    expect(drawn).toMatchObject({ width: 40, height: 20, dataUrl: expect.stringMatching(/^data:image\/png/) });
    const broken = await ask(
      session,
      call(agentCall('drawImage', { dataUrl: 'data:image/png;base64,AAAA', ...options })),
      drawnSchema,
    );
    expect(broken).toEqual({ problem: 'it is damaged or not an image' });
  });
});
