import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type Entry, openPromise } from 'yauzl';
import { z } from 'zod';
import { type RenderProbe, renderFiles } from '#contract/render.ts';
import type { RenderEvent, RenderJob } from '#contract/sandbox/answers.ts';
import { CaptureError } from '../browser/capture-error.ts';
import { contrast, decodeFrame } from '../browser/frame-analysis.ts';
import { ProtocolError } from '../http.ts';
import { runFfmpeg } from './encode.ts';
import { type FrameStream, frameInput, reproducible } from './ffmpeg-args.ts';
import { formatTraits } from './formats.ts';

export type Probe = Omit<Extract<RenderEvent, { type: 'done' }>, 'type'>;

const probeTimeoutMs = 60_000;
const maxOutputBytes = 64 * 1024 * 1024;
const run = promisify(execFile);

export interface ProbeOptions {
  readonly ffprobePath: string;
  readonly signal: AbortSignal;
  /** The output's frame rate, which an image sequence does not record. */
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
/** MP4 stores chapters as a separate stream. */
const otherSchema = z.object({ codec_type: z.string() });
const outputSchema = z.object({
  streams: z.array(z.union([videoSchema, soundSchema, otherSchema])),
  format: z.object({ duration: z.coerce.number().optional() }),
  chapters: z.array(z.unknown()),
});

type VideoStream = z.infer<typeof videoSchema>;
type SoundStream = z.infer<typeof soundSchema>;

/** Measures a finished file. Counts frames instead of trusting the header. Throws ENCODE_FAILED if it is unreadable. */
export async function probeFile(job: Pick<RenderJob, 'format'>, path: string, options: ProbeOptions): Promise<Probe> {
  try {
    if (job.format === 'png-sequence') return { ...(await probeSequence(path, options.fps)), ...notMeasured };
    return await probeMedia(job, path, options);
  } catch (error) {
    options.signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    throw new ProtocolError('ENCODE_FAILED', `The finished file could not be read: ${message.slice(0, 1000)}`);
  }
}

const notMeasured = {
  capturedFrames: null,
  captureFallback: null,
  colour: null,
  audio: null,
  chapters: 0,
  verification: null,
} as const;

async function probeMedia(job: Pick<RenderJob, 'format'>, path: string, options: ProbeOptions): Promise<Probe> {
  const entries =
    'stream=codec_type,codec_name,pix_fmt,width,height,avg_frame_rate,nb_read_packets,duration,color_range,color_primaries,color_transfer,color_space,sample_rate,channels:stream_tags:format=duration';
  const args = ['-of', 'json', '-count_packets', '-show_chapters', '-show_entries', entries];
  const { streams, format, chapters } = outputSchema.parse(JSON.parse(await ffprobe(args, path, options)));
  const video = streams.find((stream): stream is VideoStream => stream.codec_type === 'video');
  const sound = streams.find((stream): stream is SoundStream => stream.codec_type === 'audio');
  if (!video) throw new Error('It contains no image.');
  const { kind } = formatTraits[job.format];
  const { still } = renderFiles[job.format];
  const fps = still ? 0 : parseRate(video.avg_frame_rate);
  return {
    durationSeconds: still ? 0 : (video.duration ?? (sound ? video.nb_read_packets / fps : format.duration) ?? 0),
    sizeBytes: (await stat(path)).size,
    frames: video.nb_read_packets,
    codec: video.codec_name,
    pixelFormat: withAlpha(video),
    width: video.width,
    height: video.height,
    fps,
    capturedFrames: null,
    captureFallback: null,
    colour:
      kind === 'video' ? [video.color_range, video.color_primaries, video.color_transfer, video.color_space].join(' ') : null,
    audio: sound ? await probeSound(sound, path, options) : null,
    chapters: chapters.length,
    verification: null,
  };
}

/** FFmpeg's own VP9 decoder ignores alpha. The container declares it, in lower or upper case. */
function withAlpha({ pix_fmt, tags }: VideoStream): string {
  const mode = tags['alpha_mode'] ?? tags['ALPHA_MODE'];
  return mode === '1' ? pix_fmt.replace(/^yuv4/, 'yuva4') : pix_fmt;
}

async function probeSound(sound: SoundStream, path: string, options: ProbeOptions): Promise<NonNullable<Probe['audio']>> {
  const { codec_name: codec, sample_rate: sampleRate, channels } = sound;
  return { codec, sampleRate, channels, durationSeconds: sound.duration ?? (await decodedSeconds(path, sampleRate, options)) };
}

/** WebM stores no stream durations, so the audio is decoded and its samples are counted. */
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

/** Parses a rational frame rate: `30000/1001` gives 29.97. */
export function parseRate(rate: string): number {
  const [numerator, denominator] = rate.split('/').map(Number);
  if (numerator === undefined || !Number.isFinite(numerator)) throw new Error(`"${rate}" is not a frame rate.`);
  return denominator ? numerator / denominator : numerator;
}

export interface Expected {
  readonly frames: number;
  readonly fps: number;
  readonly chapters: number;
  readonly sound: boolean;
}

/** Range, primaries, transfer, matrix. ProRes cannot store the range; limited is the default. */
const expectedColours: Partial<Record<RenderJob['format'], RegExp>> = {
  mp4: /^tv bt709 bt709 bt709$/,
  webm: /^tv bt709 bt709 bt709$/,
  mov: /^(tv|unknown) bt709 bt709 bt709$/,
};

/** Throws ENCODE_FAILED if the measured file differs from the expected one. */
export function assertExpected(
  job: Pick<RenderJob, 'format' | 'width' | 'height' | 'transparent'>,
  probe: Probe,
  expected: Expected,
): void {
  const { kind } = formatTraits[job.format];
  const { still } = renderFiles[job.format];
  const check = (right: boolean, found: string, wanted: string) => {
    if (right) return;
    throw new ProtocolError('ENCODE_FAILED', `The finished file has ${found} instead of ${wanted}. Render again.`, {
      probe,
    });
  };
  const { frames, width, height, durationSeconds, colour, audio, chapters, pixelFormat } = probe;
  check(
    frames === expected.frames && width === job.width && height === job.height,
    `${frames} frames of ${width}×${height}`,
    `${expected.frames} of ${job.width}×${job.height}`,
  );
  // Tolerates one frame, because containers round times and codecs pad the last audio block.
  const seconds = expected.frames / expected.fps;
  const near = (value: number) => Math.abs(value - seconds) <= 1 / expected.fps;
  check(still || near(durationSeconds), `${durationSeconds} s`, `${seconds} s`);
  const rightColour = expectedColours[job.format];
  check(rightColour?.test(colour ?? '') ?? true, `the colour tags "${colour}"`, 'those of BT.709');
  check(
    !job.transparent || kind === 'gif' || /a/.test(pixelFormat),
    `pixels without alpha (${pixelFormat})`,
    'transparent pixels',
  );
  check(
    expected.sound ? audio !== null && near(audio.durationSeconds) : audio === null,
    audio === null ? 'no sound' : `${audio.durationSeconds} s of sound`,
    expected.sound ? `${seconds} s of sound` : 'none',
  );
  check(chapters === expected.chapters, `${chapters} chapters`, String(expected.chapters));
}

type SequenceProbe = Pick<
  RenderProbe,
  'durationSeconds' | 'sizeBytes' | 'frames' | 'codec' | 'pixelFormat' | 'width' | 'height' | 'fps'
>;

/** PNG colour types (ISO/IEC 15948, 11.2.2) by FFmpeg's names. */
const colourTypes: Record<number, string> = { 2: 'rgb24', 6: 'rgba' };
const pngHeaderBytes = 26;

/** Measures a zip of PNG files by its directory and first image. Throws an Error if it is damaged. */
export async function probeSequence(path: string, fps: number): Promise<SequenceProbe> {
  const { size: sizeBytes } = await stat(path);
  const zip = await openPromise(path, { autoClose: false });
  try {
    let first: Entry | null = null;
    let frames = 0;
    for await (const entry of zip.eachEntry()) {
      first ??= entry;
      frames++;
    }
    if (first === null) throw new Error('The zip is empty.');
    const png = await headOf(await zip.openReadStreamPromise(first), pngHeaderBytes);
    return {
      durationSeconds: frames / fps,
      sizeBytes,
      frames,
      codec: png.toString('latin1', 1, 4).toLowerCase(),
      pixelFormat: colourTypes[png.readUInt8(25)] ?? `PNG colour type ${png.readUInt8(25)}`,
      width: png.readUInt32BE(16),
      height: png.readUInt32BE(20),
      fps,
    };
  } finally {
    zip.close();
  }
}

async function headOf(stream: Readable, length: number): Promise<Buffer> {
  let head = Buffer.alloc(0);
  for await (const chunk of stream) {
    head = Buffer.concat([head, chunk]);
    if (head.length >= length) return head;
  }
  throw new Error('The zip is truncated.');
}

/** Images with a smaller standard deviation of luma (0 to 127.5) count as a single colour. */
const blankContrast = 0.3;

/** Detects whether any frame differs from the first. */
export class MotionDetector {
  #first: Buffer | null = null;
  #moves = false;

  add(image: Buffer): void {
    this.#first ??= image;
    // Fast, because different images usually differ in length.
    this.#moves ||= !this.#first.equals(image);
  }

  get moves(): boolean {
    return this.#moves;
  }
}

export interface StaticFilm {
  readonly path: string;
  readonly stream: FrameStream;
  readonly frames: number;
}

/** Throws CaptureError `nothing_drawn` for a static single-colour film, which is hardly ever intended. */
export async function assertSomethingDrawn(
  { path, stream, frames }: StaticFilm,
  options: { readonly scratch: string; readonly ffmpegPath: string; readonly signal: AbortSignal },
): Promise<void> {
  const { scratch, ffmpegPath, signal } = options;
  const output = join(scratch, 'decoded.png');
  const input = frameInput(stream, { rate: { numerator: 1, denominator: 1 }, path });
  const outputOptions = ['-frames:v', '1', '-pix_fmt', 'rgba', ...reproducible, '-f', 'image2', '-update', '1'];
  await runFfmpeg({ inputs: [input], outputOptions, output }, { ffmpegPath, signal, onFrames: null });
  if (contrast(decodeFrame(await readFile(output))) >= blankContrast) return;
  throw new CaptureError('nothing_drawn', `The page draws nothing: all ${frames} frames are a single colour.`, []);
}
