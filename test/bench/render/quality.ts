import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
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
