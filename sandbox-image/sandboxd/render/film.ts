import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { countFrames, renderFiles } from '#contract/render.ts';
import type { RenderJob } from '#contract/sandbox/answers.ts';
import { DirectCaptureError } from '../browser/direct-capture.ts';
import type { BrowserLauncher } from '../browser/launcher.ts';
import type { StageLimits } from '../browser/stage.ts';
import { ProtocolError } from '../http.ts';
import { type CaptureOptions, CapturePool, FrameReorderBuffer } from './capture-pool.ts';
import { DirectCheck } from './direct-check.ts';
import { availableColourFilter, type ColourFilter, runFfmpeg } from './encode.ts';
import { type FrameStream, planThumbnail } from './ffmpeg-args.ts';
import { type ContentOptions, type FilmContent, outputFps, planContent, posterCandidates } from './film-content.ts';
import type { FrameRange } from './formats.ts';
import { type FrameCache, FrameSource } from './frame-source.ts';
import { type FilmOutput, openOutput } from './outputs.ts';
import { assertExpected, assertSomethingDrawn, MotionDetector, type Probe, probeFile } from './probe.ts';
import { type Progress, type ProgressiveVideo, ProgressTrack } from './progress.ts';
import { sampleFrames, verifyFrames } from './verification.ts';

export interface FilmTools {
  readonly launcher: BrowserLauncher;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  readonly limits: StageLimits;
}

export interface FilmOptions {
  readonly tools: FilmTools;
  readonly origin: string;
  /** Folders where the page's server searches for a path, in order; the last one contains the others. */
  readonly roots: readonly string[];
  /** Empty folder that receives the film and `thumbnail.jpg`. */
  readonly folder: string;
  /** Progressive output for previews; `null` for none. */
  readonly live: ProgressiveVideo | null;
  readonly takeOpenPage: CaptureOptions['takeOpenPage'];
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly cache: FrameCache | null;
}

const compress = promisify(zstdCompress);

/** Frames that may wait for the encoder, in addition to one per browser. */
const waitingFrames = 4;
const thumbnailSidePixels = 640;

export const thumbnailName = 'thumbnail.jpg';

/**
 * Renders a film or range: captures and encodes in parallel, then probes the result. On an error, all processes have exited
 * and the caller deletes the files.
 */
export async function renderFilm(job: RenderJob, options: FilmOptions): Promise<Probe> {
  const { tools, signal, folder } = options;
  const { ffmpegPath, ffprobePath } = tools;
  const path = join(folder, renderFiles[job.format].name);
  const scratch = join(folder, 'scratch');
  await mkdir(scratch);

  const captured = await captureInBestWay(job, { film: options, path, scratch });
  const { content, output, filter, track, kept, capturedFrames, captureFallback } = captured;
  const { range, fps, chapters, audioInputs } = content;
  track.finishing();
  const poster = kept.fullest(posterCandidates(content));
  const thumbnail = { frame: kept.path(poster), stream: streamAt(job, content, poster), output: join(folder, thumbnailName) };
  const plan = planThumbnail({ ...thumbnail, maxSidePixels: thumbnailSidePixels });
  // Waits for both, so that files are deleted only when unused.
  const ends = await Promise.allSettled([output.assemble(), runFfmpeg(plan, { ffmpegPath, signal, onFrames: null })]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;

  const probe = await probeFile(job, path, { ffprobePath, signal, fps });
  assertExpected(job, probe, { frames: range.count, fps, chapters: chapters.length, sound: audioInputs.length > 0 });
  const samples = sampleFrames(range).map((frame) => ({ frame, path: kept.path(frame), frameFormat: content.formatAt(frame) }));
  const verification = job.verify
    ? await verifyFrames(job, samples, { ...tools, origin: options.origin, fps, filter, scratch, signal })
    : null;
  await rm(scratch, { recursive: true });
  return { ...probe, capturedFrames, captureFallback, verification };
}

interface Captured {
  readonly content: FilmContent;
  readonly output: FilmOutput;
  readonly filter: ColourFilter;
  readonly track: ProgressTrack;
  readonly kept: KeptFrames;
  readonly capturedFrames: number;
  readonly captureFallback: string | null;
}

interface CaptureStepOptions {
  readonly film: FilmOptions;
  readonly path: string;
  readonly scratch: string;
}

function streamAt({ width, height }: RenderJob, content: FilmContent, frame: number): FrameStream {
  return { frameFormat: content.formatAt(frame), width, height };
}

/** Captures the film again if its page cannot draw its own frames, or draws them differently. */
async function captureInBestWay(job: RenderJob, options: CaptureStepOptions): Promise<Captured> {
  try {
    return await capture(job, options.film.live ? 'film' : 'scene', options);
  } catch (error) {
    if (!(error instanceof DirectCaptureError)) throw error;
    return { ...(await capture(job, 'never', options)), captureFallback: error.message };
  }
}

async function capture(job: RenderJob, direct: ContentOptions['direct'], options: CaptureStepOptions): Promise<Captured> {
  const { tools, origin, roots, signal, onProgress, cache } = options.film;
  const fps = outputFps(job);
  await using pool = new CapturePool({
    launcher: tools.launcher,
    origin,
    size: { width: job.width, height: job.height },
    transparent: job.transparent,
    parameters: job.parameters,
    aspect: job.aspect,
    fps,
    // A browser without a frame to capture would only cost memory.
    workers: Math.min(job.workers, maxFrames(job)),
    limits: tools.limits,
    signal,
    takeOpenPage: options.film.takeOpenPage,
  });
  const [source, filter] = await Promise.all([
    FrameSource.open(job, { pool, cache, fps }),
    availableColourFilter(tools.ffmpegPath),
  ]);
  const refusal = await source.refusal();
  const way = refusal === null ? direct : 'never';
  const content = await planContent(job, source.info, { roots, ffprobePath: tools.ffprobePath, signal, direct: way });
  const { range } = content;
  const check = new DirectCheck(job, { filter, ffmpegPath: tools.ffmpegPath, scratch: options.scratch, signal });
  const track = new ProgressTrack(range.count, onProgress);
  const output = openOutput(job, content, { ...options, filter, live: options.film.live, ffmpegPath: tools.ffmpegPath, signal });
  const candidates = posterCandidates(content);
  const kept = new KeptFrames(options.scratch, [...candidates, ...(job.verify ? sampleFrames(range) : [])]);
  const motion = new MotionDetector();
  const bufferFrames = job.workers + waitingFrames;
  try {
    await source.prepare(range, content.formatAt, check);
    for (const index of output.segments.keys()) {
      await captureWithRetry({ source, range, output, index, track, kept, motion, bufferFrames });
      // Most pages that cannot draw themselves already fail here, so the rest need not be captured.
      if (index === 0) await check.pass();
    }
    await check.pass();
    await source.confirm();
  } catch (error) {
    if (error instanceof DirectCaptureError) await source.refuse(error.message);
    throw error;
  } finally {
    await source.settle();
  }
  const [any] = candidates;
  if (any !== undefined && range.count > 1 && !motion.moves) {
    const { scratch } = options;
    const only = { path: kept.path(any), stream: streamAt(job, content, any), frames: range.count };
    await assertSomethingDrawn(only, { scratch, ffmpegPath: tools.ffmpegPath, signal });
  }
  return { content, output, filter, track, kept, capturedFrames: source.captured, captureFallback: null };
}

/** Returns the maximum number of frames that is known before the page loads. */
function maxFrames(job: RenderJob): number {
  if (renderFiles[job.format].still) return 1;
  if (job.range === null) return countFrames(job.durationSeconds, job.fps);
  if ('scene' in job.range) return Number.POSITIVE_INFINITY;
  return Math.max(1, job.range.toFrame - job.range.fromFrame);
}

/** Frames that are needed once the film is captured, as files. */
class KeptFrames {
  readonly #folder: string;
  readonly #wanted: ReadonlySet<number>;
  readonly #sizes = new Map<number, number>();

  constructor(folder: string, wanted: readonly number[]) {
    this.#folder = folder;
    this.#wanted = new Set(wanted);
  }

  path(frame: number): string {
    return join(this.#folder, `frame-${frame}`);
  }

  async offer(frame: number, image: Buffer): Promise<void> {
    if (!this.#wanted.has(frame)) return;
    await writeFile(this.path(frame), image);
    // Compression makes raw frames comparable with JPEG and PNG, which hardly shrink.
    this.#sizes.set(frame, (await compress(image)).length);
  }

  /** Returns the largest of these frames (the first of equal ones), because faded and empty images compress well. */
  fullest(frames: readonly number[]): number {
    const [fullest = 0] = frames.toSorted((one, other) => (this.#sizes.get(other) ?? 0) - (this.#sizes.get(one) ?? 0));
    return fullest;
  }
}

interface SegmentOptions {
  readonly source: FrameSource;
  readonly range: FrameRange;
  readonly output: FilmOutput;
  readonly index: number;
  readonly track: ProgressTrack;
  readonly kept: KeptFrames;
  readonly motion: MotionDetector;
  readonly bufferFrames: number;
}

/** Captures a segment again, once, if its encoder fails. */
async function captureWithRetry(options: SegmentOptions): Promise<void> {
  try {
    await captureSegment(options);
  } catch (first) {
    if (!(first instanceof ProtocolError && first.code === 'ENCODE_FAILED')) throw first;
    try {
      await captureSegment(options);
    } catch (second) {
      if (!(second instanceof ProtocolError && second.code === 'ENCODE_FAILED')) throw second;
      throw new ProtocolError(
        'RENDER_FAILED',
        `The encoder failed twice for the same part of the film. ${second.message}`,
        second.details,
      );
    }
  }
}

async function captureSegment(options: SegmentOptions): Promise<void> {
  const { source, range, output, track, kept, motion } = options;
  const segment = output.segments[options.index];
  if (!segment) throw new Error(`There is no segment ${options.index}.`);
  const done = segment.first - range.first;
  const buffer = new FrameReorderBuffer<Buffer>(segment.first, options.bufferFrames);
  await using sink = await output.start(options.index, (frames) => track.written(done + frames));
  const capturing = source.capture(segment, buffer);
  try {
    for (let frame = segment.first; frame < segment.first + segment.count; frame++) {
      const image = await buffer.take();
      await sink.write(image);
      motion.add(image);
      track.captured(frame - range.first + 1);
      await kept.offer(frame, image);
    }
    await sink.finish();
  } catch (error) {
    buffer.fail(error);
    throw error;
  } finally {
    await capturing;
  }
}
