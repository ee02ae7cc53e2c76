import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageCode } from '../fixtures/page-code.ts';
import { wavFile } from '../fixtures/wav.ts';

const template = join(import.meta.dirname, '../../sandbox-image/templates/film');
const skipped = new Set(['node_modules', '.koda', 'dist']);
const run = promisify(execFile);

let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'koda-export-'));
  await cp(template, project, { recursive: true, filter: (path) => !skipped.has(basename(path)) });
  await symlink(join(template, 'node_modules'), join(project, 'node_modules'));
});
afterAll(() => rm(project, { recursive: true, force: true }));

const exportFilm = (file: string, env: Record<string, string> = {}) =>
  run(process.execPath, ['scripts/export.mjs', file], { cwd: project, env: { ...process.env, ...env } });

/** Returns the RGB colour of a point in a frame of 320 × 180. */
async function colourAt(file: string, frame: number, [x, y]: readonly [number, number]): Promise<number[]> {
  const filter = `select=eq(n\\,${frame}),crop=1:1:${x}:${y}:exact=1`;
  const args = ['-v', 'error', '-i', file, '-vf', filter, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer' });
  return [...stdout];
}

/** Returns the highest sample, 0 to 32,768, of a part of the sound. */
async function peakOf(file: string, startSeconds: number, seconds: number): Promise<number> {
  const part = ['-ss', String(startSeconds), '-t', String(seconds), '-f', 's16le', '-ac', '1', '-'];
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', file, ...part], { encoding: 'buffer' });
  return new Int16Array(Uint8Array.from(stdout).buffer).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}

describe('npm run export in a project outside Koda', () => {
  it('A31: writes a film with every library of the template, frame by frame', async () => {
    await writeFile(join(project, 'src/film.ts'), pageCode('libraries-film.tsx'));
    await writeFile(join(project, 'src/scenes/scene-1.tsx'), pageCode('libraries-scene.tsx'));
    const tone = Int16Array.from({ length: 48_000 }, (_, index) => 20_000 * Math.sin(index / 10));
    await mkdir(join(project, 'public/assets'), { recursive: true });
    await writeFile(join(project, 'public/assets/tone.wav'), wavFile(tone, 48_000));
    const file = join(project, 'out.mp4');
    await exportFilm(file);

    const entries = 'stream=codec_name,width,height,nb_read_frames,r_frame_rate,pix_fmt';
    const { stdout } = await run('ffprobe', ['-v', 'error', '-count_frames', '-of', 'json', '-show_entries', entries, file]);
    expect(JSON.parse(stdout).streams).toEqual([
      // Newer versions of ffprobe add fields that were not requested.
      expect.objectContaining({
        ...{ codec_name: 'h264', width: 320, height: 180, pix_fmt: 'yuv420p' },
        ...{ nb_read_frames: '4', r_frame_rate: '8/1' },
      }),
      expect.objectContaining({ codec_name: 'aac' }),
    ]);
    expect(await peakOf(file, 0, 0.2), 'before the sound').toBeLessThan(500);
    expect(await peakOf(file, 0.3, 0.15), 'during the sound').toBeGreaterThan(5_000);

    const [red = 0, , notBlue = 0] = await colourAt(file, 0, [80, 90]);
    expect(red, 'the box of drei').toBeGreaterThan(notBlue + 60);
    const [notRed = 0, , blue = 0] = await colourAt(file, 0, [240, 90]);
    expect(blue, 'the ball of r3f').toBeGreaterThan(notRed + 60);
    const [, green = 0, other = 0] = await colourAt(file, 0, [20, 20]);
    expect(green, 'the square of lucide').toBeGreaterThan(other + 60);
    const [magenta = 0, notGreen = 0] = await colourAt(file, 0, [300, 40]);
    expect(magenta, 'the bar of recharts').toBeGreaterThan(notGreen + 60);
    // The moving body is left of the centre in the first frame, and right of it in the last one.
    const dark = async (frame: number, x: number) => Math.max(...(await colourAt(file, frame, [x, 150]))) < 90;
    expect([await dark(0, 120), await dark(0, 200)]).toEqual([true, false]);
    expect([await dark(3, 120), await dark(3, 200)]).toEqual([false, true]);
  });

  it('A31: names the missing program and what to do', async () => {
    await expect(exportFilm('out.mp4', { CHROME_PATH: '/nowhere/chrome' })).rejects.toMatchObject({
      code: 1,
      stderr: '/nowhere/chrome is not an executable file. Install one of them, or set CHROME_PATH to its executable.\n',
    });
    await expect(exportFilm('out.mp4', { CHROME_PATH: process.execPath, PATH: '/nowhere' })).rejects.toMatchObject({
      code: 1,
      stderr: 'FFmpeg was not found. Install it, and check that its folder is in PATH.\n',
    });
  });
});
