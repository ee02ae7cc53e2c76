import { execFile } from 'node:child_process';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Truth } from './contenders/truth.ts';
import type { Tools } from './tools.ts';

const run = promisify(execFile);
const maxOutputBytes = 16 * 1024 * 1024;

/**
 * Returns the PSNR of two videos with the same frames, in dB. It does not measure quality, but shows that both videos contain
 * the same film.
 */
export async function videoPsnr(tools: Tools, first: string, second: string): Promise<number> {
  const { stderr } = await run(
    tools.ffmpegPath,
    ['-hide_banner', '-i', first, '-i', second, '-lavfi', 'psnr', '-f', 'null', '-'],
    { maxBuffer: maxOutputBytes },
  );
  const average = /\baverage:(\S+)/.exec(stderr)?.[1];
  if (average === undefined) throw new Error(`FFmpeg compared nothing: ${stderr.slice(-500)}`);
  return average === 'inf' ? 100 : Number(average);
}

interface TruthComparison {
  readonly video: string;
  /** Indices of the video's frames, one for each truth. */
  readonly frames: readonly number[];
  readonly truths: readonly Truth[];
  /** Folder for a temporary file. */
  readonly scratch: string;
}

/** Returns the mean SSIM of the luma of a video's frames compared with PNG screenshots, 0 to 1. */
export async function truthSsim(tools: Tools, { video, frames, truths, scratch }: TruthComparison): Promise<number> {
  const pictures = join(scratch, 'truths.png');
  await rm(pictures, { force: true });
  for (const { png } of truths) await appendFile(pictures, await readFile(png));
  const chosen = frames.map((frame) => `eq(n\\,${frame})`).join('+');
  const toLuma = 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,setpts=N/TB';
  const filter = `[0:v]select=${chosen},${toLuma}[video];[1:v]${toLuma}[truth];[video][truth]ssim`;
  const { stderr } = await run(
    tools.ffmpegPath,
    ['-hide_banner', '-i', video, '-f', 'image2pipe', '-c:v', 'png', '-i', pictures, '-lavfi', filter, '-f', 'null', '-'],
    { maxBuffer: maxOutputBytes },
  );
  const luma = /\bSSIM Y:(\S+)/.exec(stderr)?.[1];
  if (luma === undefined) throw new Error(`FFmpeg compared nothing: ${stderr.slice(-500)}`);
  return Number(luma);
}

export async function countVideoFrames(tools: Tools, path: string): Promise<number> {
  const args = [
    '-v',
    'error',
    '-count_packets',
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=nb_read_packets',
    '-of',
    'csv=p=0',
  ];
  const { stdout } = await run(tools.ffprobePath, [...args, path]);
  return Number.parseInt(stdout, 10);
}

export async function frameHashes(tools: Tools, path: string): Promise<string[]> {
  const { stdout } = await run(tools.ffmpegPath, ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'framemd5', '-'], {
    maxBuffer: maxOutputBytes,
  });
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1)?.trim() ?? '');
}
