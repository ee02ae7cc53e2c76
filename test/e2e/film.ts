import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { pageHeaders } from '../fixtures/page-requests.ts';

const run = promisify(execFile);

const probeSchema = z.object({
  streams: z
    .array(
      z.object({
        codec_name: z.string(),
        pix_fmt: z.string(),
        width: z.int(),
        height: z.int(),
        avg_frame_rate: z.string(),
        nb_read_frames: z.coerce.number(),
      }),
    )
    .length(1),
  format: z.object({ duration: z.coerce.number() }),
});

/** Returns ffprobe's data for a file, with frames counted by decoding. */
export async function probe(path: string) {
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-count_frames',
    '-select_streams',
    'v',
    '-show_entries',
    'stream=codec_name,pix_fmt,width,height,avg_frame_rate,nb_read_frames:format=duration',
    '-of',
    'json',
    path,
  ]);
  const { streams, format } = probeSchema.parse(JSON.parse(stdout));
  const [stream] = streams;
  if (!stream) throw new Error(`${path} has no video.`);
  return { ...stream, durationSeconds: format.duration };
}

/** FFmpeg's options for reading a URL of the studio as its page does. */
export const studioInput = (url: string): string[] => [
  '-headers',
  Object.entries(pageHeaders)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join(''),
  '-i',
  url,
];

const sample = { width: 160, height: 90 };

/** Returns the fraction of clearly blue pixels, 0 to 1, over four frames per second of the studio's video at a URL. */
export async function blueShare(url: string): Promise<number> {
  const filter = `fps=4,scale=${sample.width}:${sample.height}`;
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', ...studioInput(url), '-vf', filter, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
    {
      encoding: 'buffer',
      maxBuffer: 256 * 1024 * 1024,
    },
  );
  let blue = 0;
  const pixels = stdout.length / 3;
  for (let at = 0; at < stdout.length; at += 3) {
    const [r = 0, g = 0, b = 0] = stdout.subarray(at, at + 3);
    if (b - r > 70 && b > g) blue += 1;
  }
  return blue / pixels;
}
