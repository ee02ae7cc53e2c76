import { execFile } from 'node:child_process';
import { appendFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { installedBackend } from '../../../sandbox-image/sandboxd/browser/executables.ts';
import { BrowserLauncher } from '../../../sandbox-image/sandboxd/browser/launcher.ts';
import { PageEvidence } from '../../../sandbox-image/sandboxd/browser/page-evidence.ts';
import { defaultLimits, Stage } from '../../../sandbox-image/sandboxd/browser/stage.ts';
import { availableColourFilter } from '../../../sandbox-image/sandboxd/render/encode.ts';
import { toEncoderPixels } from '../../../sandbox-image/sandboxd/render/ffmpeg-args.ts';
import { serveFolder } from '../../../sandbox-image/sandboxd/render/static-server.ts';
import { iconOf, iconsIn } from '../../../server/kinds/film/author/icons.ts';
import { paletteOf } from '../../../server/kinds/film/author/palette.ts';
import { planFilm } from '../../../server/kinds/film/author/plan-film.ts';
import { frameOf } from '../../../server/kinds/film/document/print.ts';
import { buildGallery } from '../../formats/build-gallery.ts';
import { openGallery } from '../../formats/gallery-browser.ts';
import type { GalleryWindow } from '../../formats/gallery-window.ts';
import { buildScenes, kodaFolder } from '../render/build.ts';
import { filmSettings } from '../render/film.ts';
import { scenes } from '../render/scene-list.ts';
import type { Tools } from '../render/tools.ts';

const run = promisify(execFile);

/** Uncompressed frames in the encoder's pixel format, which every setting encodes. */
export interface Source {
  readonly name: string;
  readonly path: string;
  readonly fps: number;
}

export interface CaptureOptions {
  readonly frames: number;
  readonly folder: string;
  readonly tools: Tools;
}

const { width, height, fps: sceneFps } = filmSettings(1);

/** Requests of ten films, each mostly of another format. */
const requests: Readonly<Record<string, string>> = {
  title: 'Title: Hello, everyone. playful, candy theme, 16:9',
  checklist: 'Packing list:\n- Torch\n- Bear\n- Tent\n- Rope\nplayful',
  'bar-chart': 'bar chart of sales: Jan 12, Feb 30, Mar 22, Apr 41. midnight',
  code: '```js\nexport function add(a, b) {\n  return a + b;\n}\n```\nterminal theme',
  chat: 'a whatsapp chat where Mia asks "Did you feed the cat?" and Ben answers "I thought you did"',
  number: 'counter from 0 to 1 million downloads, bold theme',
  event: 'Summer fair on 12 July, 6 pm, Garden Hall, Leeds. blush',
  quote: '“The best way out is always through.” – Robert Frost. paper theme, cinematic',
  shapes: 'a red ball bounces three times, playful',
  timeline: 'timeline: 1989 founded, 1999 first shop, 2010 online, 2024 100 shops. luxe, cinematic',
};
/** The first elements are on screen by then. */
const filmStartSeconds = 0.3;
const filmFps = 60;

/** Returns FFmpeg's input options for a source. */
export function rawInput({ path, fps }: Pick<Source, 'path' | 'fps'>): string[] {
  return ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-framerate', String(fps), '-i', path];
}

/** Captures the start of each of the render benchmark's scenes. */
export async function captureScenes({ frames, folder, tools }: CaptureOptions): Promise<Source[]> {
  const work = join(folder, 'work');
  const root = resolve(import.meta.dirname, '../../..');
  await buildScenes(scenes, { root, work, film: filmSettings(frames / sceneFps), ...tools });
  const { signal } = new AbortController();
  const sources: Source[] = [];
  for (const scene of scenes) {
    const { name } = scene;
    const images = join(folder, name);
    await using server = await serveFolder(kodaFolder(work, scene));
    await using chromium = await new BrowserLauncher(() => tools.chromiumPath, installedBackend()).launch(signal);
    await using stage = await Stage.open(chromium, {
      ...{ origin: server.origin, size: { width, height }, limits: defaultLimits, signal, transparent: false },
      ...{ parameters: null, aspect: null, skipsRedundantDraws: true, evidence: new PageEvidence() },
    });
    for (let frame = 0; frame < frames; frame++) {
      await stage.seek(frame / sceneFps);
      await appendFile(images, await stage.capture('jpeg'));
    }
    sources.push(await toSource(images, { name, fps: sceneFps, tools }));
  }
  return sources;
}

/** Captures films made of formats. */
export async function captureFilms({ frames, folder, tools }: CaptureOptions): Promise<Source[]> {
  const gallery = await openGallery(await buildGallery(join(folder, 'gallery')));
  const page = await gallery.open();
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  const sources: Source[] = [];
  for (const [name, prompt] of Object.entries(requests)) {
    const hints = { style: null, aspect: null, durationSeconds: null };
    const { film } = planFilm({ prompt, hints, answers: [], assets: [], seed: 3 });
    const { style, seed, language } = film;
    const icons = iconsIn(film.scenes.map(({ props }) => props)).flatMap((icon) => {
      const drawn = iconOf(icon);
      return drawn === null ? [] : [[icon, drawn] as const];
    });
    await page.evaluate((shown) => (globalThis as unknown as GalleryWindow).__showFilm(shown), {
      ...frameOf(film.aspect).pixels,
      theme: { name: film.theme, style, seed, language, palette: paletteOf(film) },
      scenes: film.scenes.map(({ format, props, seconds }) => ({ format, props, seconds })),
      icons: Object.fromEntries(icons),
    });
    await page.waitForFunction('window.__exportReady || window.__exportError !== null');
    const images = join(folder, `film-${name}`);
    for (let frame = 0; frame < frames; frame++) {
      const seconds = filmStartSeconds + frame / filmFps;
      await page.evaluate((at) => (globalThis as unknown as GalleryWindow).__exportSeekTo(at), seconds);
      await appendFile(images, Buffer.from(await page.screenshot({ type: 'jpeg', quality: 95 })));
    }
    sources.push(await toSource(images, { name: `film: ${name}`, fps: filmFps, tools }));
  }
  await gallery.close();
  return sources;
}

async function toSource(
  images: string,
  { name, fps, tools }: Pick<Source, 'name' | 'fps'> & Pick<CaptureOptions, 'tools'>,
): Promise<Source> {
  const path = `${images}.yuv`;
  const filter = await availableColourFilter(tools.ffmpegPath);
  const pixels = toEncoderPixels({ format: 'mp4', transparent: false }, { frameFormat: 'jpeg', filter });
  await run(tools.ffmpegPath, [
    ...['-v', 'error', '-f', 'mjpeg', '-framerate', String(fps), '-i', images],
    ...['-vf', pixels, '-f', 'rawvideo', path],
  ]);
  await rm(images);
  return { name, path, fps };
}
