import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'puppeteer-core';
import type { NamedCombination } from './combinations.ts';
import type { GalleryWindow } from './gallery-window.ts';

const run = promisify(execFile);

/** The capture has twice the size in which the studio shows it, so that thin strokes stay smooth. */
const captured = { width: 768, height: 432 };
const shown = { width: 384, height: 216 };
const fps = 12;
const maxSeconds = 6;

/** Writes a picture and a short video of a format for the studio's home page. The page already shows the combination. */
export async function writeGalleryFiles(page: Page, { format, seconds }: NamedCombination, folder: string): Promise<void> {
  const frames = await mkdtemp(join(tmpdir(), 'koda-frames-'));
  await mkdir(folder, { recursive: true });
  await page.setViewport(captured);
  const frame = async (at: number, path: string) => {
    await page.evaluate((time) => (globalThis as unknown as GalleryWindow).__exportSeekTo(time), at);
    await writeFile(path, await page.screenshot({ type: 'png' }));
  };
  const hold = join(frames, 'hold.png');
  await frame(seconds - 0.3, hold);
  const count = Math.round(Math.min(seconds - 0.1, maxSeconds) * fps);
  for (let index = 0; index < count; index += 1) await frame(index / fps, join(frames, `${String(index).padStart(3, '0')}.png`));
  const scale = ['-vf', `scale=${shown.width}:${shown.height}:flags=area`];
  const quiet = ['-y', '-loglevel', 'error'];
  await run('ffmpeg', [...quiet, '-i', hold, ...scale, '-q:v', '4', join(folder, `${format.id}.jpg`)]);
  const h264 = ['-c:v', 'libx264', '-preset', 'slow', '-crf', '27', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
  await run('ffmpeg', [
    ...[...quiet, '-framerate', String(fps), '-i', join(frames, '%03d.png')],
    ...[...scale, ...h264, join(folder, `${format.id}.mp4`)],
  ]);
  await rm(frames, { recursive: true });
}
