import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import type { Page } from 'puppeteer-core';
import { z } from 'zod';
import { frameOf } from '../../server/kinds/film/frame.ts';
import { iconOf, iconsIn } from '../../server/kinds/film/icons.ts';
import { paletteOf } from '../../server/kinds/film/palette.ts';
import { planFilm } from '../../server/kinds/film/plan-film.ts';
import { buildGallery } from '../formats/build-gallery.ts';
import { openGallery } from '../formats/gallery-browser.ts';
import type { GalleryWindow } from '../formats/gallery-window.ts';

/**
 * Draws one contact sheet per request in a file: twelve frames of the film planned by the built-in author. node
 * test/requests/sheets.ts REQUESTS.json OUT_DIR [ID …]
 */
const [source = '', outDir = '', ...ids] = process.argv.slice(2);
const requests = z.array(z.object({ id: z.string(), request: z.string() })).parse(JSON.parse(await readFile(source, 'utf8')));

const columns = 4;
const frames = 12;
/** Longer side of a frame, in pixels. */
const longerSide = 480;
const gap = 4;

const folder = await mkdtemp(join(tmpdir(), 'koda-gallery-'));
const gallery = await openGallery(await buildGallery(folder));
const page = await gallery.open();
await mkdir(outDir, { recursive: true });
for (const { id, request } of requests) {
  if (ids.length > 0 && !ids.includes(id)) continue;
  const { film, caveat } = planFilm({
    prompt: request,
    hints: { style: null, aspect: null, durationSeconds: null },
    answers: [],
    assets: [],
    seed: Number.parseInt(id.replace(/\D/g, ''), 10) || 1,
  });
  const seconds = film.scenes.reduce((sum, scene) => sum + scene.seconds, 0);
  const { pixels } = frameOf(film.aspect);
  const scale = longerSide / Math.max(pixels.width, pixels.height);
  const size = { width: Math.round(pixels.width * scale), height: Math.round(pixels.height * scale) };
  await page.setViewport({ ...size, deviceScaleFactor: 1 });
  const props = film.scenes.map((scene) => scene.props);
  const icons = Object.fromEntries(
    iconsIn(props).flatMap((name) => {
      const icon = iconOf(name);
      return icon === null ? [] : [[name, icon]];
    }),
  );
  const { theme: name, style, seed, language } = film;
  await page.evaluate((shown) => (globalThis as unknown as GalleryWindow).__showFilm(shown), {
    ...pixels,
    theme: { name, style, seed, language, palette: paletteOf(film) },
    scenes: film.scenes.map((scene) => ({ format: scene.format, props: scene.props, seconds: scene.seconds })),
    icons,
  });
  await page.waitForFunction('window.__exportReady || window.__exportError !== null');
  const times = Array.from({ length: frames }, (_, index) => (seconds * (index + 0.6)) / frames);
  await writeFile(join(outDir, `${id}.jpg`), await sheet(page, times, size));
  await writeFile(
    join(outDir, `${id}.json`),
    `${JSON.stringify({ id, seconds: Math.round(seconds * 10) / 10, aspect: film.aspect, caveat, formats: film.scenes.map(({ format }) => format) }, null, 2)}\n`,
  );
}
await gallery.close();
await rm(folder, { recursive: true, force: true });

async function sheet(
  shown: Page,
  times: readonly number[],
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  const rows = Math.ceil(times.length / columns);
  const whole = new PNG({ width: columns * (width + gap) + gap, height: rows * (height + gap) + gap });
  whole.data.fill(0x80);
  for (const [index, seconds] of times.entries()) {
    await shown.evaluate((at) => (globalThis as unknown as GalleryWindow).__exportSeekTo(at), seconds);
    const frame = PNG.sync.read(Buffer.from(await shown.screenshot({ type: 'png' })));
    PNG.bitblt(
      frame,
      whole,
      0,
      0,
      width,
      height,
      gap + (index % columns) * (width + gap),
      gap + Math.floor(index / columns) * (height + gap),
    );
  }
  return jpeg.encode({ data: whole.data, width: whole.width, height: whole.height }, 82).data;
}
