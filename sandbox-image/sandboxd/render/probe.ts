import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { RenderEvent } from '../../../server/contract/sandboxd.ts';
import { ProtocolError } from '../http.ts';

export type Probe = Omit<Extract<RenderEvent, { type: 'done' }>, 'type'>;

const probeTimeoutMs = 60_000;
const run = promisify(execFile);

const outputSchema = z.object({
  streams: z.tuple([
    z.object({
      codec_name: z.string(),
      pix_fmt: z.string(),
      width: z.int(),
      height: z.int(),
      avg_frame_rate: z.string(),
      nb_read_packets: z.coerce.number().int(),
    }),
  ]),
  format: z.object({ duration: z.coerce.number() }),
});

/** What a finished file really holds, measured by ffprobe; frames are counted, not taken from the header. */
export async function probeVideo(ffprobePath: string, path: string, signal: AbortSignal): Promise<Probe> {
  const args = [
    ...['-v', 'error', '-of', 'json', '-select_streams', 'v:0', '-count_packets'],
    ...['-show_entries', 'stream=codec_name,pix_fmt,width,height,avg_frame_rate,nb_read_packets:format=duration', path],
  ];
  try {
    const { stdout } = await run(ffprobePath, args, { signal, timeout: probeTimeoutMs, killSignal: 'SIGKILL' });
    const { streams, format } = outputSchema.parse(JSON.parse(stdout));
    const [video] = streams;
    return {
      durationSeconds: format.duration,
      sizeBytes: (await stat(path)).size,
      frames: video.nb_read_packets,
      codec: video.codec_name,
      pixelFormat: video.pix_fmt,
      width: video.width,
      height: video.height,
      fps: parseRate(video.avg_frame_rate),
      capturedFrames: null,
      colour: null,
      audio: null,
      chapters: 0,
      verification: null,
    };
  } catch (error) {
    signal.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    throw new ProtocolError('ENCODE_FAILED', 500, `The finished video could not be read back: ${words.slice(0, 1000)}`);
  }
}

/** `30000/1001` → 29.97. */
export function parseRate(rate: string): number {
  const [numerator, denominator] = rate.split('/').map(Number);
  if (numerator === undefined || !Number.isFinite(numerator)) throw new Error(`"${rate}" is no frame rate.`);
  return denominator ? numerator / denominator : numerator;
}
