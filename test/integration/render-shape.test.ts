import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Aspect, aspectSchema, frameSize, resolutionSchema } from '#contract/render.ts';
import { filmSchema } from '#kinds/film/contract/film.ts';
import { findChromium, installedBackend } from '../../sandbox-image/sandboxd/browser/executables.ts';
import { decodeFrame, type PixelFrame } from '../../sandbox-image/sandboxd/browser/frame-analysis.ts';
import { BrowserLauncher } from '../../sandbox-image/sandboxd/browser/launcher.ts';
import { PageEvidence } from '../../sandbox-image/sandboxd/browser/page-evidence.ts';
import { defaultLimits, Stage } from '../../sandbox-image/sandboxd/browser/stage.ts';
import { buildPage } from '../../sandbox-image/sandboxd/render/build.ts';
import { serveFolder } from '../../sandbox-image/sandboxd/render/static-server.ts';
import { printFilm } from '../../server/kinds/film/document/print.ts';
import { formatOf } from '../../server/kinds/film/formats/catalogue.ts';
import { previewSize } from '../../server/renders/settings.ts';
import { pageCode } from '../fixtures/page-code.ts';
import { type ExampleFilm, templateWorkspace } from '../fixtures/prompt-examples.ts';
import { contentOf } from '../formats/contents.ts';

const { signal } = new AbortController();
const launcher = new BrowserLauncher(
  () => findChromium({ configured: process.env['KODA_CHROMIUM'] ?? null, path: process.env['PATH'] ?? '' }),
  installedBackend(),
);

interface Shot {
  readonly size: { readonly width: number; readonly height: number };
  readonly aspect: Aspect | null;
  readonly atSeconds: readonly number[];
}

/** Builds a film's page as for a final, and captures frames of it in each size. */
async function framesOf(files: ExampleFilm['files'], shots: readonly Shot[]): Promise<PixelFrame[][]> {
  await using workspace = await templateWorkspace(files);
  const build = await buildPage(workspace.folder, signal);
  await using server = await serveFolder(build.folder);
  const frames: PixelFrame[][] = [];
  for (const { size, aspect, atSeconds } of shots) {
    await using chromium = await launcher.launch(signal);
    const page = { size, aspect, transparent: false, parameters: null, skipsRedundantDraws: true };
    const options = { ...page, origin: server.origin, limits: defaultLimits, signal, evidence: new PageEvidence() };
    await using stage = await Stage.open(chromium, options);
    const captured: PixelFrame[] = [];
    for (const seconds of atSeconds) {
      await stage.seek(seconds);
      captured.push(decodeFrame(await stage.capture('png')));
    }
    frames.push(captured);
  }
  return frames;
}

interface FormatScene {
  readonly format: string;
  readonly props: unknown;
}

function filmOf(scenes: readonly FormatScene[], look: { readonly aspect: Aspect; readonly language?: string }) {
  const placed = scenes.map((scene, index) => ({ id: `scene-${index + 1}`, seconds: 3, ...scene }));
  const usual = { version: 3, title: 'Shape', theme: 'studio', style: 'smooth', fps: 30, seed: 1 };
  return printFilm(filmSchema.parse({ ...usual, ...look, scenes: placed }));
}

/** A film of formats, each with its example. */
function formatFilm(aspect: Aspect, formats: readonly string[]): ExampleFilm['files'] {
  const scenes = formats.map((format) => ({ format, props: formatOf(format)?.example }));
  return filmOf(scenes, { aspect });
}

/** Returns the mean difference of two frames, 0 to 255. */
function difference(one: PixelFrame, other: PixelFrame): number {
  expect([one.width, one.height]).toEqual([other.width, other.height]);
  let sum = 0;
  for (const [at, value] of one.rgba.entries()) sum += Math.abs(value - (other.rgba[at] ?? 0));
  return sum / one.rgba.length;
}

/** Half of full HD. */
const half = (aspect: Aspect) => {
  const { width, height } = frameSize(aspect, '1080p');
  return { width: width / 2, height: height / 2 };
};

describe('a film in another shape', () => {
  const formats = ['title', 'list', 'bar-chart', 'steps'];
  const atSeconds = formats.map((_, index) => index * 3 + 1.8);

  it('F1: formats in every shape are drawn as a film of that shape, whatever shape the film has', async () => {
    const all = aspectSchema.options;
    const shotsIn = (aspects: readonly (Aspect | null)[], own: Aspect) =>
      aspects.map((aspect) => ({ aspect, size: half(aspect ?? own), atSeconds }));
    const drawn = new Map<Aspect, PixelFrame[][]>();
    for (const own of all) drawn.set(own, await framesOf(formatFilm(own, formats), shotsIn([null, ...all], own)));
    for (const own of all)
      for (const [index, wanted] of all.entries())
        for (const [scene, frame] of (drawn.get(own)?.[index + 1] ?? []).entries()) {
          const truth = drawn.get(wanted)?.[0]?.[scene];
          expect(truth && difference(frame, truth), `${formats[scene]} of a film of ${own} in ${wanted}`).toBe(0);
        }
  });

  it('F1: a page that ignores the requested shape is refused before a frame is captured', async () => {
    const path = 'src/stage/mode.ts';
    const content = readFileSync(`sandbox-image/templates/film/${path}`, 'utf8').replace("query.get('aspect')", 'null');
    const ignoring = [...formatFilm('9:16', ['title']), { path, content }];
    const shot = { aspect: '16:9', size: half('16:9'), atSeconds: [1] } as const;
    await expect(framesOf(ignoring, [shot])).rejects.toThrow(
      /draws 1080×1920 and cannot lay the film out in 16:9.*without the preset/,
    );
  });

  it('F1: a scene whose file was changed into code is refused in another shape, and drawn in its own', async () => {
    const code = { path: 'src/scenes/scene-1.tsx', content: pageCode('pixel-scene.tsx') };
    const files = [...formatFilm('9:16', ['title']), code];
    const shot = (aspect: Aspect | null) => ({ aspect, size: half(aspect ?? '9:16'), atSeconds: [1] });
    await expect(framesOf(files, [shot('16:9')])).rejects.toThrow(/draws 1080×1920 and cannot lay the film out in 16:9/);
    expect(await framesOf(files, [shot(null)])).toHaveLength(1);
  });

  it('F1: a page whose shape differs from the window is shown whole', async () => {
    const [[own], [fitted]] = (await framesOf(formatFilm('9:16', ['title']), [
      { aspect: null, size: { width: 270, height: 480 }, atSeconds: [1.8] },
      { aspect: null, size: { width: 854, height: 480 }, atSeconds: [1.8] },
    ])) as [PixelFrame[], PixelFrame[]];
    if (own === undefined || fitted === undefined) throw new Error('Nothing was captured.');
    const left = (fitted.width - own.width) / 2;
    const middle = Array.from({ length: own.height }, (_, row) =>
      fitted.rgba.subarray((row * fitted.width + left) * 4, (row * fitted.width + left + own.width) * 4),
    );
    expect(difference(own, { ...own, rgba: Buffer.concat(middle) })).toBeLessThan(1);
  });
});

const hebrew: readonly FormatScene[] = [
  {
    format: 'title',
    props: { text: 'ברוכים הבאים לגינה', emphasis: [], kicker: null, subtitle: 'פתוח כל יום', entrance: null, icons: [] },
  },
  {
    format: 'list',
    props: {
      title: 'כללי הבית',
      items: ['נעליים בחוץ', 'שקט אחרי תשע', 'לחלוק את הפנס'].map((text) => ({
        text,
        detail: null,
        value: null,
        icon: 'lucide:house',
      })),
      ...{ numbered: false, start: 1, highlight: null },
    },
  },
  { format: 'lower-third', props: { name: 'נועה לוי', role: 'גננית' } },
];

describe('texts from right to left', () => {
  const arabic = ['title', 'list', 'steps', 'table', 'bar-chart', 'lower-third', 'checklist'].map((id) => {
    const format = formatOf(id);
    return { format: id, props: format && contentOf(format, 'arabic') };
  });

  it.each([
    ['Arabic', 'ar', arabic],
    ['Hebrew', 'he', hebrew],
  ] as const)('F10: %s scenes of a film in English are laid out as in a film in %s', async (_name, language, scenes) => {
    const shot = { size: half('16:9'), aspect: null, atSeconds: scenes.map((_, index) => index * 3 + 2) };
    const [asEnglish] = await framesOf(filmOf(scenes, { aspect: '16:9', language: 'en' }), [shot]);
    const [truth] = await framesOf(filmOf(scenes, { aspect: '16:9', language }), [shot]);
    for (const [index, { format }] of scenes.entries()) {
      const [one, other] = [asEnglish?.[index], truth?.[index]];
      expect(one && other && difference(one, other), format).toBe(0);
    }
  });

  it('F10: a scene whose texts are mostly in Latin letters keeps the order of its film', async () => {
    const scenes = [{ format: 'lower-third', props: { name: 'Amara Vestergaard', role: 'مهندسة' } }];
    const shot = { size: half('16:9'), aspect: null, atSeconds: [2] };
    const [[english], [arabicFilm]] = [
      ...(await framesOf(filmOf(scenes, { aspect: '16:9', language: 'en' }), [shot])),
      ...(await framesOf(filmOf(scenes, { aspect: '16:9', language: 'ar' }), [shot])),
    ] as [PixelFrame[], PixelFrame[]];
    expect(english && arabicFilm && difference(english, arabicFilm)).toBeGreaterThan(1);
  });
});

/** Returns the mean luma of each cell of a grid, which is the same for the same picture in any size. */
function cellsOf({ rgba, width, height }: PixelFrame): number[] {
  const [across, down] = [32, 18];
  const sums = Array.from({ length: across * down }, () => 0);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const cell = Math.floor((y * down) / height) * across + Math.floor((x * across) / width);
      sums[cell] = (sums[cell] ?? 0) + (rgba[(y * width + x) * 4] ?? 0);
    }
  return sums.map((sum) => (sum * across * down) / (width * height));
}

describe('a scene in code', () => {
  it('F1: sizes in pixels show the same picture in a preview, in 720p, 1080p and 4K', async () => {
    const film = filmSchema.parse({
      ...{ version: 3, title: 'Pixels', theme: 'studio', style: 'smooth', aspect: '16:9', fps: 30, seed: 1 },
      scenes: [{ id: 'scene-1', seconds: 2, code: true, title: 'Pixels', description: 'Sizes in pixels' }],
    });
    const files = [...printFilm(film), { path: 'src/scenes/scene-1.tsx', content: pageCode('pixel-scene.tsx') }];
    const sizes = [...resolutionSchema.options.map((resolution) => frameSize('16:9', resolution)), previewSize('16:9')];
    const frames = await framesOf(
      files,
      sizes.map((size) => ({ aspect: null, size, atSeconds: [1] })),
    );
    const [first, ...others] = frames.flat().map(cellsOf);
    expect(Math.max(...(first ?? []))).toBeGreaterThan(200);
    for (const [index, cells] of others.entries())
      for (const [cell, value] of cells.entries())
        expect(Math.abs(value - (first?.[cell] ?? 0)), `cell ${cell} of ${sizes[index + 1]?.width}`).toBeLessThan(12);
  });
});
