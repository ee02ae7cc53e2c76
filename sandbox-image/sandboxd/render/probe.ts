import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { renderFiles } from '../../../server/contract/render.ts';
import type { RenderEvent, RenderJob } from '../../../server/contract/sandboxd.ts';
import { ProtocolError } from '../http.ts';
import { formatTraits } from './formats.ts';
import { probeSequence } from './probe-sequence.ts';

export type Probe = Omit<Extract<RenderEvent, { type: 'done' }>, 'type'>;

const probeTimeoutMs = 60_000;
const maxOutputBytes = 64 * 1024 * 1024;
const run = promisify(execFile);

export interface ProbeOptions {
  readonly ffprobePath: string;
  readonly signal: AbortSignal;
  /** Frames per second that the file was made with: a folder of pictures does not know. */
  readonly fps: number;
}

const videoSchema = z.object({
  codec_type: z.literal('video'),
  codec_name: z.string(),
  pix_fmt: z.string(),
  width: z.int(),
  height: z.int(),
  avg_frame_rate: z.string(),
  nb_read_packets: z.coerce.number().int(),
  duration: z.coerce.number().optional(),
  color_range: z.string().default('unknown'),
  color_primaries: z.string().default('unknown'),
  color_transfer: z.string().default('unknown'),
  color_space: z.string().default('unknown'),
  tags: z.record(z.string(), z.string()).default({}),
});
const soundSchema = z.object({
  codec_type: z.literal('audio'),
  codec_name: z.string(),
  sample_rate: z.coerce.number().int(),
  channels: z.int(),
  duration: z.coerce.number().optional(),
});
/** Chapters of an MP4 are a stream of their own. */
const otherSchema = z.object({ codec_type: z.string() });
const outputSchema = z.object({
  streams: z.array(z.union([videoSchema, soundSchema, otherSchema])),
  format: z.object({ duration: z.coerce.number().optional() }),
  chapters: z.array(z.unknown()),
});

type VideoStream = z.infer<typeof videoSchema>;
type SoundStream = z.infer<typeof soundSchema>;

/** What a finished file really holds, measured: frames are counted, not taken from the header. */
export async function probeFile(job: Pick<RenderJob, 'format'>, path: string, options: ProbeOptions): Promise<Probe> {
  try {
    if (job.format === 'png-sequence') return { ...(await probeSequence(path, options.fps)), ...notMeasured };
    return await probeMedia(job, path, options);
  } catch (error) {
    options.signal.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    throw new ProtocolError('ENCODE_FAILED', 500, `The finished file could not be read back: ${words.slice(0, 1000)}`);
  }
}

const notMeasured = { capturedFrames: null, colour: null, audio: null, chapters: 0, verification: null } as const;

async function probeMedia(job: Pick<RenderJob, 'format'>, path: string, options: ProbeOptions): Promise<Probe> {
  const entries =
    'stream=codec_type,codec_name,pix_fmt,width,height,avg_frame_rate,nb_read_packets,duration,color_range,color_primaries,color_transfer,color_space,sample_rate,channels:stream_tags:format=duration';
  const args = ['-of', 'json', '-count_packets', '-show_chapters', '-show_entries', entries];
  const { streams, format, chapters } = outputSchema.parse(JSON.parse(await ffprobe(args, path, options)));
  const video = streams.find((stream): stream is VideoStream => stream.codec_type === 'video');
  const sound = streams.find((stream): stream is SoundStream => stream.codec_type === 'audio');
  if (!video) throw new Error('It holds no picture.');
  const { kind } = formatTraits[job.format];
  const { still } = renderFiles[job.format];
  const fps = still ? 0 : parseRate(video.avg_frame_rate);
  return {
    // A picture has no length.
    durationSeconds: still ? 0 : (video.duration ?? (sound ? video.nb_read_packets / fps : format.duration) ?? 0),
    sizeBytes: (await stat(path)).size,
    frames: video.nb_read_packets,
    codec: video.codec_name,
    pixelFormat: withAlpha(video),
    width: video.width,
    height: video.height,
    fps,
    capturedFrames: null,
    colour:
      kind === 'video' ? [video.color_range, video.color_primaries, video.color_transfer, video.color_space].join(' ') : null,
    audio: sound ? await probeSound(sound, path, options) : null,
    chapters: chapters.length,
    verification: null,
  };
}

/** FFmpeg's own VP9 decoder does not see that there is alpha; the container says so, in small letters or large. */
function withAlpha({ pix_fmt, tags }: VideoStream): string {
  const mode = tags['alpha_mode'] ?? tags['ALPHA_MODE'];
  return mode === '1' ? pix_fmt.replace(/^yuv4/, 'yuva4') : pix_fmt;
}

async function probeSound(sound: SoundStream, path: string, options: ProbeOptions): Promise<NonNullable<Probe['audio']>> {
  const { codec_name: codec, sample_rate: sampleRate, channels } = sound;
  return { codec, sampleRate, channels, durationSeconds: sound.duration ?? (await decodedSeconds(path, sampleRate, options)) };
}

/** WebM says of no stream how long it is, so its sound is decoded and its samples are counted. */
async function decodedSeconds(path: string, sampleRate: number, options: ProbeOptions): Promise<number> {
  const args = ['-of', 'csv=p=0', '-select_streams', 'a:0', '-show_entries', 'frame=nb_samples'];
  let samples = 0;
  for (const line of (await ffprobe(args, path, options)).split('\n')) samples += Number.parseInt(line, 10) || 0;
  return samples / sampleRate;
}

async function ffprobe(args: readonly string[], path: string, { ffprobePath, signal }: ProbeOptions): Promise<string> {
  const limits = { signal, timeout: probeTimeoutMs, killSignal: 'SIGKILL', maxBuffer: maxOutputBytes } as const;
  const { stdout } = await run(ffprobePath, ['-v', 'error', ...args, path], limits);
  return stdout;
}

/** `30000/1001` → 29.97. */
export function parseRate(rate: string): number {
  const [numerator, denominator] = rate.split('/').map(Number);
  if (numerator === undefined || !Number.isFinite(numerator)) throw new Error(`"${rate}" is no frame rate.`);
  return denominator ? numerator / denominator : numerator;
}
