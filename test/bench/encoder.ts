// npm run bench -- encoder. Compares x264 settings on the benchmark's scenes and on films made of formats.
import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { installedBackend } from '../../sandbox-image/sandboxd/browser/executables.ts';
import { BrowserLauncher } from '../../sandbox-image/sandboxd/browser/launcher.ts';
import { PageEvidence } from '../../sandbox-image/sandboxd/browser/page-evidence.ts';
import { defaultLimits, Stage } from '../../sandbox-image/sandboxd/browser/stage.ts';
import { availableColourFilter } from '../../sandbox-image/sandboxd/render/encode.ts';
import { toEncoderPixels, x264Options } from '../../sandbox-image/sandboxd/render/ffmpeg-args.ts';
import { serveFolder } from '../../sandbox-image/sandboxd/render/static-server.ts';
import { frameOf } from '../../server/kinds/film/frame.ts';
import { iconOf, iconsIn } from '../../server/kinds/film/icons.ts';
import { paletteOf } from '../../server/kinds/film/palette.ts';
import { planFilm } from '../../server/kinds/film/plan-film.ts';
import { buildGallery } from '../formats/build-gallery.ts';
import { openGallery } from '../formats/gallery-browser.ts';
import type { GalleryWindow } from '../formats/gallery-window.ts';
import { buildScenes, sceneFolder } from './render/build.ts';
import { filmSettings } from './render/film.ts';
import { plainText } from './render/report.ts';
import { scenes } from './render/scene-list.ts';
import { findTools } from './render/tools.ts';

const run = promisify(execFile);
const help = `npm run bench -- encoder [--frames N] [--setting "-preset superfast -crf 18"]…

Encodes the same captured frames with different x264 settings. Prints, for each setting and as ratios to veryfast with CRF 18,
the encoder's CPU time, the bytes, and the distortion (1 - SSIM): the mean and the worst over the benchmark's scenes, and over
ten films made of formats. Takes 15 minutes.

  --frames N        frames of each film (45)
  --setting "…"     another setting to compare; repeatable
`;
const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '45' },
    setting: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}

const base = '-preset veryfast -crf 18';
const settings: readonly string[] = [
  x264Options({ speed: 'fast', crf: 18 }).join(' '),
  '-preset veryfast -crf 18 -bf 0',
  '-preset superfast -crf 18',
  x264Options({ speed: 'medium', crf: 18 }).join(' '),
  ...values.setting,
];
/** Requests of ten films, each mostly of another format. */
const films = [
  'Title: Hello, everyone. playful, candy theme, 16:9',
  'Packing list:\n- Torch\n- Bear\n- Tent\n- Rope\nplayful',
  'bar chart of sales: Jan 12, Feb 30, Mar 22, Apr 41. midnight',
  '```js\nexport function add(a, b) {\n  return a + b;\n}\n```\nterminal theme',
  'a whatsapp chat where Mia asks "Did you feed the cat?" and Ben answers "I thought you did"',
  'counter from 0 to 1 million downloads, bold theme',
  'Summer fair on 12 July, 6 pm, Garden Hall, Leeds. blush',
  '“The best way out is always through.” – Robert Frost. paper theme, cinematic',
  'a red ball bounces three times, playful',
  'timeline: 1989 founded, 1999 first shop, 2010 online, 2024 100 shops. luxe, cinematic',
];
/** Films start when their first elements are on screen. */
const filmStartSeconds = 0.3;
const filmFps = 60;

interface Encoded {
  readonly cpuMs: number;
  readonly bytes: number;
  /** 1 - SSIM of all planes. */
  readonly distortion: number;
}
interface Source {
  readonly path: string;
  readonly fps: number;
}

/** Results of the first setting, to which the others are compared. */
const bases = new Map<string, readonly Encoded[]>();
const frames = Number(values.frames);
const tools = findTools();
const settingsOfFilm = filmSettings(frames);
const { width, height } = settingsOfFilm;
const folder = await mkdtemp(join(tmpdir(), 'koda-encoder-'));
const raw = (path: string, fps: number) =>
  ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-framerate', String(fps), '-i', path] as const;

try {
  console.error('==> Capturing the scenes');
  const captured = await captureScenes();
  console.error('==> Capturing films made of formats');
  const made = await captureFilms();
  const rows: string[][] = [];
  for (const [index, setting] of [base, ...settings].entries()) {
    const cells = [setting];
    for (const [name, sources] of [['scenes', captured] as const, ['films', made] as const]) {
      console.error(`${setting}: ${name}`);
      const encoded: Encoded[] = [];
      for (const source of sources) encoded.push(await encode(source, setting));
      if (index === 0) bases.set(name, encoded);
      cells.push(...ratios(encoded, bases.get(name) ?? encoded));
    }
    rows.push(cells);
  }
  const head = ['CPU', 'worst', 'bytes', 'worst', 'distortion', 'worst'];
  console.log(plainText({ head: ['setting', ...head, ...head.map((cell) => `films: ${cell}`)], rows }));
} finally {
  await rm(folder, { recursive: true, force: true });
}

function ratios(encoded: readonly Encoded[], to: readonly Encoded[]): string[] {
  return (['cpuMs', 'bytes', 'distortion'] as const).flatMap((key) => {
    const all = encoded.map((one, index) => one[key] / (to[index]?.[key] ?? Number.NaN));
    const mean = all.reduce((sum, ratio) => sum + ratio, 0) / all.length;
    return [mean.toFixed(2), Math.max(...all).toFixed(2)];
  });
}

/** Encodes as the product does, with a keyframe every second. CPU time excludes the comparison. */
async function encode({ path, fps }: Source, setting: string): Promise<Encoded> {
  const output = join(folder, 'encoded.nut');
  const gop = ['-g', String(fps), '-keyint_min', String(fps), '-sc_threshold', '0', '-flags', '+cgop', '-threads', '3'];
  const { stderr } = await run(tools.ffmpegPath, [
    ...['-hide_banner', '-benchmark', '-y', ...raw(path, fps)],
    ...['-c:v', 'libx264', ...setting.split(' '), ...gop, '-f', 'nut', output],
  ]);
  const [, user = '', system = ''] = /utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? [];
  const compared = await run(tools.ffmpegPath, [
    ...['-hide_banner', '-i', output, ...raw(path, fps)],
    ...['-lavfi', '[0:v]format=yuv420p[encoded];[encoded][1:v]ssim', '-f', 'null', '-'],
  ]);
  const ssim = Number(/SSIM .*All:([\d.]+)/.exec(compared.stderr)?.[1]);
  return {
    cpuMs: ((Number(user) + Number(system)) * 1000) / frames,
    bytes: (await stat(output)).size,
    distortion: 1 - ssim,
  };
}

/** Converts captured JPEG images to the encoder's input, which every setting shares. */
async function converted(images: string, fps: number): Promise<Source> {
  const path = `${images}.yuv`;
  const filter = await availableColourFilter(tools.ffmpegPath);
  const pixels = toEncoderPixels({ format: 'mp4', transparent: false }, { imageFormat: 'jpeg', filter });
  await run(tools.ffmpegPath, [
    ...['-v', 'error', '-f', 'mjpeg', '-framerate', String(fps), '-i', images],
    ...['-vf', pixels, '-f', 'rawvideo', path],
  ]);
  await rm(images);
  return { path, fps };
}

async function captureScenes(): Promise<Source[]> {
  const work = join(folder, 'work');
  await buildScenes(scenes, { root: resolve(import.meta.dirname, '../..'), work, film: settingsOfFilm, ...tools });
  const { signal } = new AbortController();
  const sources: Source[] = [];
  for (const { name } of scenes) {
    const images = join(folder, name);
    await using server = await serveFolder(sceneFolder(work, name));
    await using chromium = await new BrowserLauncher(() => tools.chromiumPath, installedBackend()).launch(signal);
    await using stage = await Stage.open(chromium, {
      ...{ origin: server.origin, size: { width, height }, limits: defaultLimits, signal, transparent: false },
      ...{ parameters: null, skipsRedundantDraws: true, evidence: new PageEvidence() },
    });
    for (let frame = 0; frame < frames; frame++) {
      await stage.seek(frame / settingsOfFilm.fps);
      await appendFile(images, await stage.capture('jpeg'));
    }
    sources.push(await converted(images, settingsOfFilm.fps));
  }
  return sources;
}

async function captureFilms(): Promise<Source[]> {
  const gallery = await openGallery(await buildGallery(folder));
  const page = await gallery.open();
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  const sources: Source[] = [];
  for (const [index, prompt] of films.entries()) {
    const hints = { style: null, aspect: null, durationSeconds: null };
    const { film } = planFilm({ prompt, hints, answers: [], assets: [], seed: 3 });
    const { style, seed, language } = film;
    const icons = iconsIn(film.scenes.map(({ props }) => props)).flatMap((name) => {
      const icon = iconOf(name);
      return icon === null ? [] : [[name, icon] as const];
    });
    await page.evaluate((shown) => (globalThis as unknown as GalleryWindow).__showFilm(shown), {
      ...frameOf(film.aspect).pixels,
      theme: { name: film.theme, style, seed, language, palette: paletteOf(film) },
      scenes: film.scenes.map(({ format, props, seconds }) => ({ format, props, seconds })),
      icons: Object.fromEntries(icons),
    });
    await page.waitForFunction('window.__exportReady || window.__exportError !== null');
    const images = join(folder, `film-${index}`);
    for (let frame = 0; frame < frames; frame++) {
      const seconds = filmStartSeconds + frame / filmFps;
      await page.evaluate((at) => (globalThis as unknown as GalleryWindow).__exportSeekTo(at), seconds);
      await appendFile(images, Buffer.from(await page.screenshot({ type: 'jpeg', quality: 95 })));
    }
    sources.push(await converted(images, filmFps));
  }
  await gallery.close();
  return sources;
}
