import { execFile } from 'node:child_process';
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const fontFile = 'inter.woff2';
const photoCount = 6;
const clipFrames = 60;

/** Detailed regions of the Mandelbrot set: images with as much fine structure as photographs, identical on every machine. */
const places: readonly { x: number; y: number; scale: number }[] = [
  { x: -0.7436, y: -0.1318, scale: 0.01 },
  { x: -0.1607, y: -1.0376, scale: 0.05 },
  { x: -1.2501, y: -0.0201, scale: 0.02 },
  { x: 0.2855, y: -0.0115, scale: 0.012 },
  { x: -0.7482, y: -0.0992, scale: 0.006 },
  { x: -1.7687, y: -0.0017, scale: 0.004 },
];

export function photoFiles(): string[] {
  return Array.from({ length: photoCount }, (_, index) => `photo-${index}.jpg`);
}

export function clipFiles(): string[] {
  return Array.from({ length: clipFrames }, (_, index) => `clip-${String(index + 1).padStart(3, '0')}.jpg`);
}

/**
 * Creates the scenes' font and images in a folder that later runs reuse. Recreates an incomplete folder. Throws if FFmpeg
 * fails.
 */
export async function prepareAssets(folder: string, ffmpegPath: string): Promise<void> {
  if (await exists(folder)) return;
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  const font = createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
  await copyFile(font, join(partial, fontFile));
  const ffmpeg = (args: readonly string[]) => run(ffmpegPath, ['-v', 'error', '-y', ...args]);
  for (const [index, { x, y, scale }] of places.entries()) {
    const source = `mandelbrot=size=2560x1600:start_x=${x}:start_y=${y}:start_scale=${scale}:maxiter=500`;
    // Adds grain, as in photographs.
    const filters = ['-vf', `eq=saturation=0.5,gblur=sigma=1,noise=alls=6:all_seed=${index + 1},format=yuvj420p`];
    const target = join(partial, photoFiles()[index] ?? '');
    await ffmpeg(['-f', 'lavfi', '-i', source, '-frames:v', '1', ...filters, '-q:v', '3', target]);
  }
  const clip = 'mandelbrot=size=640x360:rate=30:start_x=-0.7436:start_y=-0.1318:start_scale=0.3:end_scale=0.01:end_pts=60';
  await ffmpeg([
    ...['-f', 'lavfi', '-i', clip, '-frames:v', String(clipFrames), '-vf', 'eq=saturation=0.5,format=yuvj420p', '-q:v', '4'],
    join(partial, 'clip-%03d.jpg'),
  ]);
  await rename(partial, folder);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
