import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InspectReport, inspectReportSchema, type LayoutFinding } from '#contract/sandboxd.ts';
import { createApp } from '../../sandbox-image/sandboxd/app.ts';
import { browserHandlers } from '../../sandbox-image/sandboxd/browser/handlers.ts';
import { ScreenshotBrowser } from '../../sandbox-image/sandboxd/browser/reusable-browser.ts';
import { behaviour, type StageWorkspace, stageWorkspace } from '../fixtures/stage-workspace.ts';

const token = 'b'.repeat(32);
let page: StageWorkspace;
let screenshotBrowser: ScreenshotBrowser;
let app: ReturnType<typeof createApp>;

beforeAll(async () => {
  page = await stageWorkspace();
  screenshotBrowser = new ScreenshotBrowser(page.tools.launcher, 60_000);
  app = createApp(
    token,
    browserHandlers({ workspace: page.folder, previewServer: page.previewServer, screenshotBrowser, limits: page.tools.limits }),
  );
});
afterAll(async () => {
  await screenshotBrowser[Symbol.asyncDispose]();
  await page[Symbol.asyncDispose]();
});

/** Inspects a dark page of 640×360 with this HTML, animated by `seek` (an expression of the time `t` and of `$`). */
async function inspect(html: string, seek = 'null', request: object = {}): Promise<InspectReport> {
  const code = `
    const page = document.createElement('div');
    page.style.cssText = 'position:fixed;inset:0;z-index:9;overflow:hidden;background:#101418;color:#f4f4f4;font:600 8vh/1.2 sans-serif';
    page.innerHTML = ${JSON.stringify(html)};
    document.body.append(page);
    const $ = (id) => document.getElementById(id);
    export const beforeSeek = (t) => { ${seek}; };`;
  await writeFile(join(page.folder, 'src/behaviour.js'), behaviour(code));
  const response = await app.fetch(
    new Request('http://sandbox/inspect', {
      method: 'POST',
      body: JSON.stringify({ atSeconds: [0.5, 1, 1.5], width: 640, height: 360, ...request }),
      headers: { authorization: `Bearer ${token}` },
    }),
  );
  const report = inspectReportSchema.parse(await response.json());
  expect(report.console).toEqual([]);
  return report;
}

const layout = async (html: string, seek?: string): Promise<LayoutFinding[]> => (await inspect(html, seek)).layout;
const at = (place: string, text: string, id = 'it') => `<div id="${id}" style="position:absolute;${place}">${text}</div>`;

describe('the layout of a page', () => {
  it('A8: reports nothing for correctly positioned text', async () => {
    const found = await layout(
      at('left:10%;top:20%', '<span>Hello</span> <b>wide</b> world') +
        at('left:10%;top:40%;background:#246;padding:2vh 4vh', 'A label', 'label') +
        at('left:10%;top:70%;font-size:4vh;line-height:0.9', 'Two lines<br>close together', 'lines'),
    );
    expect(found).toEqual([]);
  });

  it.each<[string, LayoutFinding['kind'], string, Partial<LayoutFinding>]>([
    [
      'that reaches beyond the frame',
      'text_beyond_frame',
      at('left:80%;top:40%;white-space:nowrap', 'Much too long'),
      { text: 'Much too long' },
    ],
    [
      'that its own box clips',
      'text_clipped',
      at('left:20%;top:40%;width:20%;overflow:hidden;white-space:nowrap', 'Much too long a title'),
      {},
    ],
    [
      'that stands out of its painted box',
      'text_overflow',
      at('left:20%;top:40%;width:20%;height:12%;background:#246;white-space:nowrap', 'Much too long a title'),
      {},
    ],
    ['that is too small', 'text_small', at('left:20%;top:40%;font-size:2vh', 'Fine print'), { amount: 0.02 }],
    [
      'that a transform makes too small',
      'text_small',
      at('left:20%;top:40%;font-size:5vh;transform:scale(0.5)', 'Fine print'),
      { amount: 0.025 },
    ],
    [
      'that lies on another text',
      'text_overlap',
      at('left:20%;top:40%', 'First words') + at('left:22%;top:43%', 'Other words', 'other'),
      { text: 'First words', otherText: 'Other words' },
    ],
    ['in the colour of its ground', 'text_contrast', at('left:20%;top:40%;color:#4a4f55', 'Hard to read'), {}],
    [
      'in a bright colour on a bright picture',
      'text_contrast',
      '<canvas id="ground" width="640" height="360" style="position:absolute;inset:0;height:100%;background:linear-gradient(#ffe,#efd)"></canvas>' +
        at('left:20%;top:40%;color:#ffe08a', 'Hard to read'),
      {},
    ],
    ['that is never in the frame', 'outside_frame', at('left:-70%;top:40%', 'Nobody sees me'), { amount: 1 }],
  ])('A8: a text %s is found', async (_what, kind, html, expected) => {
    const found = await layout(html);
    expect(found.map((finding) => finding.kind)).toEqual([kind]);
    expect(found[0]).toMatchObject({ selector: 'div#it', seconds: [0.5, 1, 1.5], ...expected });
  });

  it('A8: a picture most of which is outside the frame is found, by its share', async () => {
    const found = await layout('<svg id="logo" viewBox="0 0 1 1" style="position:absolute;left:90%;top:30%;width:40%"></svg>');
    expect(found).toMatchObject([{ kind: 'outside_frame', selector: 'svg#logo', text: '' }]);
    expect(found[0]?.amount).toBeCloseTo(0.75, 1);
  });

  it.each<[string, string, string]>([
    [
      'slides in from outside and out again',
      at('left:10%;top:40%;white-space:nowrap', 'Coming and going'),
      `$('it').style.transform = 'translateX(' + (t < 0.8 ? (t - 0.8) * 200 : t > 1.3 ? (t - 1.3) * 200 : 0) + 'vw)'`,
    ],
    [
      'waits outside for a short entrance between the moments that are looked at',
      at('left:10%;top:40%', 'Here I am'),
      `$('it').style.transform = 'translateX(' + (t > 0.7 && t < 0.85 ? 0 : -120) + 'vw)'`,
    ],
    [
      'gives way to another at the same place',
      at('left:10%;top:40%', 'Before') + at('left:10%;top:40%', 'Afterwards', 'other'),
      `$('it').style.opacity = Math.min(1, Math.max(0, 1.5 - t)); $('other').style.opacity = Math.min(1, Math.max(0, t - 0.5))`,
    ],
    [
      'rises out of a mask',
      `<div style="position:absolute;left:10%;top:40%;overflow:hidden"><div id="it">Rising</div></div>`,
      `$('it').style.transform = 'translateY(' + Math.max(0, 1.2 - t) * 100 + '%)'`,
    ],
    ['grows from nothing', at('left:10%;top:40%', 'Growing'), `$('it').style.transform = 'scale(' + Math.min(1, t / 1.2) + ')'`],
    [
      'is covered by the next scene',
      at('left:95%;top:40%;font-size:2vh;white-space:nowrap', 'Scene one') + at('inset:0;background:#000', 'Scene two', 'other'),
      'null',
    ],
    ['is hidden', at('left:95%;top:40%;white-space:nowrap;visibility:hidden', 'Not this time'), 'null'],
    ['is an echo of itself', at('left:10%;top:40%', 'Echo') + at('left:10.3%;top:40.3%;opacity:0.6', 'Echo', 'other'), 'null'],
  ])('A8: no fault is told of a text that %s', async (_what, html, seek) => {
    expect(await layout(html, seek)).toEqual([]);
  });

  it('A8: patterns that run out of the frame, and grounds larger than it, are meant so', async () => {
    const dots = Array.from({ length: 20 }, (_, index) => `<i style="left:${index * 10}%" class="dot"></i>`).join('');
    const style = '<style>.dot{position:absolute;top:50%;width:5%;height:5%;background:#fd7}</style>';
    const ground = '<svg viewBox="0 0 1 1" style="position:absolute;left:-40%;top:-40%;width:220%;height:220%"></svg>';
    expect(await layout(style + dots + ground)).toEqual([]);
  });

  it('A8: looking leaves the page as it was, so that the same moment gives the same frame', async () => {
    const html = at('left:80%;top:40%;white-space:nowrap', 'Much too long');
    const { frames } = await inspect(html, "$('it').textContent = t.toFixed(1) + ' is much too long'", {
      atSeconds: [0.5, 1.1, 0.5],
    });
    expect(frames[2]?.sha256).toBe(frames[0]?.sha256);
    expect(frames[1]?.sha256).not.toBe(frames[0]?.sha256);
  });

  it('A8: the frames come as one picture for models that can see, and only when they are asked for', async () => {
    const html = at('left:10%;top:20%', 'Hello');
    expect((await inspect(html)).contactSheet).toBeNull();
    const atSeconds = Array.from({ length: 12 }, (_, index) => index / 7);
    const { contactSheet } = await inspect(html, 'null', { atSeconds, contactSheet: true });
    const { width, height, data } = jpeg.decode(Buffer.from(contactSheet ?? '', 'base64'));
    expect(width).toBeLessThanOrEqual(1280);
    expect(width).toBeGreaterThan(1200);
    expect(height).toBeGreaterThan(500);
    // Compares the page's background in the first cell with that in the last one.
    for (const pixel of [3 * width + 3, (height - 3) * width + width - 3]) expect(data[pixel * 4]).toBeLessThan(40);
  });
});
