import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import type { Page } from 'puppeteer-core';
import { iconOf, iconsIn } from '../../server/kinds/film/author/icons.ts';
import { paletteOf } from '../../server/kinds/film/author/palette.ts';
import type { FormatFilm } from '../../server/kinds/film/author/plan-film.ts';
import { frameOf } from '../../server/kinds/film/document/print.ts';
import { buildGallery } from '../formats/build-gallery.ts';
import { openGallery } from '../formats/gallery-browser.ts';
import type { GalleryWindow } from '../formats/gallery-window.ts';

const columns = 4;
const frames = 12;
/** Longer side of a frame, in pixels. */
const longerSide = 480;
const gap = 4;

export interface FilmSheets extends AsyncDisposable {
  /** Writes a JPEG of twelve frames of a film at equal distances. */
  draw(film: FormatFilm, file: string): Promise<void>;
}

/** Opens a page that draws films of formats. */
export async function openFilmSheets(): Promise<FilmSheets> {
  const folder = await mkdtemp(join(tmpdir(), 'koda-gallery-'));
  const gallery = await openGallery(await buildGallery(folder));
  const page = await gallery.open();
  return {
    async draw(film, file) {
      const { pixels } = frameOf(film.aspect);
      const scale = longerSide / Math.max(pixels.width, pixels.height);
      const size = { width: Math.round(pixels.width * scale), height: Math.round(pixels.height * scale) };
      await page.setViewport({ ...size, deviceScaleFactor: 1 });
      const icons = Object.fromEntries(
        iconsIn(film.scenes.map((scene) => scene.props)).flatMap((name) => {
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
      const seconds = film.scenes.reduce((sum, scene) => sum + scene.seconds, 0);
      const times = Array.from({ length: frames }, (_, index) => (seconds * (index + 0.6)) / frames);
      await writeFile(file, await sheet(page, times, size));
    },
    async [Symbol.asyncDispose]() {
      await gallery.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

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
    const left = gap + (index % columns) * (width + gap);
    PNG.bitblt(frame, whole, 0, 0, width, height, left, gap + Math.floor(index / columns) * (height + gap));
  }
  return jpeg.encode({ data: whole.data, width: whole.width, height: whole.height }, 82).data;
}
