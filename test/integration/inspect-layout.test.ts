import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InspectReport, inspectReportSchema, type LayoutFinding } from '#contract/sandbox/answers.ts';
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
async function inspect(html: string, seek = 'null', request: object = {}, scenes: object[] = []): Promise<InspectReport> {
  const code = `
    const page = document.createElement('div');
    page.style.cssText = 'position:fixed;inset:0;z-index:9;overflow:hidden;background:#101418;color:#f4f4f4;font:600 8vh/1.2 sans-serif';
    page.innerHTML = ${JSON.stringify(html)};
    document.body.append(page);
    const $ = (id) => document.getElementById(id);
    export const beforeSeek = (t) => { ${seek}; };
    export const info = { durationSeconds: 2, width: 640, height: 360, fps: 30, scenes: ${JSON.stringify(scenes)} };`;
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

  it.each([
    ['from above', 'left:20%;top:0', 'translateY', -1, 'Cut'],
    ['from below', 'left:20%;bottom:0', 'translateY', 1, 'Cut'],
    ['at the left', 'left:0;top:40%', 'translateX', -1, '8'],
    ['at the right', 'right:0;top:40%', 'translateX', 1, '8'],
  ])(
    'A8: a text of which the frame cuts a quarter %s is found, but not one at its edge',
    async (_side, place, move, sign, text) => {
      const shifted = (percent: number) => at(`${place};line-height:normal;transform:${move}(${sign * percent}%)`, text);
      expect((await layout(shifted(25))).map(({ kind }) => kind)).toEqual(['text_beyond_frame']);
      expect(await layout(shifted(0))).toEqual([]);
      expect(await layout(shifted(10))).toEqual([]);
    },
  );

  it('A8: no cut is told of a text that waits at the edge behind a clip path', async () => {
    const waiting = `<div style="position:absolute;inset:0;clip-path:inset(20% 0 0 0)">${at('left:20%;top:-4%', 'Not yet')}</div>`;
    expect(await layout(waiting)).toEqual([]);
    expect((await layout(at('left:20%;top:-4%', 'Too high'))).map(({ kind }) => kind)).toEqual(['text_beyond_frame']);
  });

  it('A8: no faint colour is told of the dim echo of a legible text', async () => {
    const dim = at('left:20%;top:40%;color:#2a2f35', 'Three', 'dim');
    expect(await layout(dim + at('left:20%;top:40%;clip-path:inset(60% 0 0 0)', 'Three'))).toEqual([]);
    expect((await layout(dim)).map(({ kind }) => kind)).toEqual(['text_contrast']);
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

  const card = '<svg viewBox="0 0 640 360" style="position:absolute;inset:0;width:100%;height:100%">';
  const label = '<text x="120" y="200" font-size="48" fill="#14181c">Cash in</text>';
  it.each<[string, string]>([
    ['stands on an SVG shape', `${card}<rect x="80" y="120" width="400" height="120" fill="#f1f3f5"/>${label}</svg>`],
    [
      'waits with its card behind an SVG mask',
      `${card}<mask id="m"><rect width="0" height="0" fill="#fff"/></mask><g mask="url(#m)"><rect x="80" y="120" width="400" height="120" fill="#f1f3f5"/>${label}</g></svg>`,
    ],
    [
      'waits behind a clip path',
      `<div style="position:absolute;left:20%;top:40%;background:#f1f3f5;color:#14181c;clip-path:inset(0 100% 0 0)">Cash in</div>`,
    ],
    [
      'has a gradient as its fill',
      at(
        'left:20%;top:40%;background:linear-gradient(90deg,#ffd479,#7ee8a2);background-clip:text;-webkit-text-fill-color:transparent;color:#14181c',
        'Cash in',
      ),
    ],
  ])('46.7: no faint colour is told of a text that %s', async (_what, html) => {
    expect(await layout(html)).toEqual([]);
  });

  it('46.7: a text that fits only smaller, or only in more lines, is found', async () => {
    const found = await layout(
      at('left:10%;top:20%', '<p data-fitted="0.6" style="margin:0">Much smaller</p>', 'one') +
        at('left:10%;top:50%', '<p data-fitted="1" style="margin:0">In two<br>lines</p>', 'two') +
        at('left:60%;top:20%', '<p data-fitted="0.93" style="margin:0">Nearly</p>', 'three'),
    );
    expect(found.map(({ kind, text, amount }) => [kind, text, amount])).toEqual([
      ['text_shrunk', 'Much smaller', 0.6],
      ['text_shrunk', 'In twolines', 1],
    ]);
  });

  it('46.7: a drawing whose edge is under a title is found, but not its card, and not a faint one', async () => {
    const over = (shape: string) => `${card}${shape}</svg>${at('left:20%;top:40%;color:#f4f4f4', 'The title')}`;
    const found = await layout(over('<circle cx="240" cy="170" r="40" fill="#357"/>'));
    expect(found).toMatchObject([{ kind: 'title_touched', text: 'The title', otherText: 'div > svg > circle' }]);
    expect(await layout(over('<rect x="60" y="100" width="500" height="140" fill="#357"/>'))).toEqual([]);
    expect(await layout(over('<circle cx="240" cy="170" r="40" fill="#357" opacity="0.2"/>'))).toEqual([]);
    expect(await layout(over('<circle cx="240" cy="320" r="30" fill="#357"/>'))).toEqual([]);
  });

  it('46.7: a figure that touches the title above it is found, although it covers little of it', async () => {
    const title = at('left:20%;top:20%;font-size:7vh', 'Quarterly revenue');
    const figure = (top: number) => title + at(`left:20%;top:${top}%;font-size:30vh;line-height:1`, '$47', 'figure');
    expect(await layout(figure(22))).toMatchObject([{ kind: 'text_overlap', text: 'Quarterly revenue', otherText: '$47' }]);
    expect(await layout(figure(35))).toEqual([]);
  });

  const scenes = [
    { id: 'scene-1', title: '', startSeconds: 0, durationSeconds: 1 },
    { id: 'scene-2', title: '', startSeconds: 1, durationSeconds: 1 },
  ];
  it('46.7: a scene that starts with an empty frame is found, even over a gradient', async () => {
    const ground = '<div style="position:absolute;inset:0;background:linear-gradient(#123,#456)"></div>';
    const until = (end: number, start: number) => `$('it').style.opacity = t < ${end} || t > ${start} ? 1 : 0`;
    const html = ground + at('left:10%;top:40%', 'Words');
    expect((await inspect(html, until(1, 1.4), {}, scenes)).layout).toMatchObject([
      { kind: 'scene_empty', selector: 'scene-2', seconds: [1.3] },
    ]);
    expect((await inspect(html, until(1, 1.2), {}, scenes)).layout).toEqual([]);
  });

  it('A8: a scene in which nothing moves, or that is drawn differently each time, is found', async () => {
    const found = async (left: string) => {
      const report = await inspect(at('top:40%', 'Words'), `$('it').style.left = ${left} + 'px'`, {}, scenes);
      return report.layout.map(({ kind, selector }) => `${kind} ${selector}`);
    };
    expect(await found('(100 + 40 * t)')).toEqual([]);
    expect(await found('(100 + 40 * Math.min(t, 1))')).toEqual(['scene_still scene-2']);
    expect(await found('(100 + 40 * t + (window.draws = ((window.draws || 0) + 7) % 97))')).toEqual([
      'scene_unstable scene-1',
      'scene_unstable scene-2',
    ]);
  });

  it('46.7: an accent that no frame shows is found, but not a shade of it, and not a grey', async () => {
    const html = `${at('left:10%;top:40%', 'Words')}<i id="bar" style="position:absolute;left:10%;top:60%;width:20%;height:4%"></i>`;
    const withBar = async (bar: string, accent: string) => {
      const report = await inspect(html, `$('bar').style.background = '${bar}'`, { accent });
      return report.layout.map(({ kind, text }) => [kind, text]);
    };
    expect(await withBar('#22aa66', '#2563eb')).toEqual([['accent_unused', '#2563eb']]);
    expect(await withBar('#2563eb', '#2563eb')).toEqual([]);
    expect(await withBar('#1d4fbc', '#2563eb')).toEqual([]);
    expect(await withBar('#22aa66', '#444444')).toEqual([]);
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
