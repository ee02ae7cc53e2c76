import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countFrames, renderFiles } from '#contract/render.ts';
import type { RenderJob } from '#contract/sandbox/answers.ts';
import type { BrowserLauncher } from '../browser/launcher.ts';
import type { StageLimits } from '../browser/stage.ts';
import { ProtocolError } from '../http.ts';
import { type CaptureOptions, CapturePool, FrameReorderBuffer } from './capture-pool.ts';
import { availableColourFilter, type ColourFilter, runFfmpeg } from './encode.ts';
import { planThumbnail } from './ffmpeg-args.ts';
import { type FilmContent, largestImage, outputFps, planContent, posterCandidates } from './film-content.ts';
import { captureFormat, type FrameRange } from './formats.ts';
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

  const captured = await capture(job, { film: options, path, scratch });
  const { content, output, filter, track, kept, capturedFrames } = captured;
  const { range, fps, chapters, audioInputs } = content;
  track.finishing();
  const poster = await largestImage(posterCandidates(content).map(kept));
  const thumbnail = { frame: poster, imageFormat: captureFormat(job), output: join(folder, thumbnailName) };
  const plan = planThumbnail({ ...thumbnail, maxSidePixels: thumbnailSidePixels });
  // Waits for both, so that files are deleted only when unused.
  const ends = await Promise.allSettled([output.assemble(), runFfmpeg(plan, { ffmpegPath, signal, onFrames: null })]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;

  const probe = await probeFile(job, path, { ffprobePath, signal, fps });
  assertExpected(job, probe, { frames: range.count, fps, chapters: chapters.length, sound: audioInputs.length > 0 });
  const samples = sampleFrames(range).map((frame) => ({ frame, path: kept(frame) }));
  const verification = job.verify
    ? await verifyFrames(job, samples, { ...tools, origin: options.origin, fps, filter, scratch, signal })
    : null;
  await rm(scratch, { recursive: true });
  return { ...probe, capturedFrames, verification };
}

interface Captured {
  readonly content: FilmContent;
  readonly output: FilmOutput;
  readonly filter: ColourFilter;
  readonly track: ProgressTrack;
  readonly kept: (frame: number) => string;
  readonly capturedFrames: number;
}

interface CaptureStepOptions {
  readonly film: FilmOptions;
  readonly path: string;
  readonly scratch: string;
}

async function capture(job: RenderJob, options: CaptureStepOptions): Promise<Captured> {
  const { tools, origin, roots, signal, onProgress, cache } = options.film;
  const fps = outputFps(job);
  const imageFormat = captureFormat(job);
  await using pool = new CapturePool({
    launcher: tools.launcher,
    origin,
    size: { width: job.width, height: job.height },
    transparent: job.transparent,
    parameters: job.parameters,
    aspect: job.aspect,
    imageFormat,
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
  const content = await planContent(job, source.info, { roots, ffprobePath: tools.ffprobePath, signal });
  const { range } = content;
  await source.prepare(range);
  const track = new ProgressTrack(range.count, onProgress);
  const output = openOutput(job, content, { ...options, filter, live: options.film.live, ffmpegPath: tools.ffmpegPath, signal });
  const kept = (frame: number) => join(options.scratch, `frame-${frame}`);
  const candidates = posterCandidates(content);
  const keep = new Set([...candidates, ...(job.verify ? sampleFrames(range) : [])]);
  const motion = new MotionDetector();
  const bufferFrames = job.workers + waitingFrames;
  try {
    for (const index of output.segments.keys()) {
      await captureWithRetry({ source, range, output, index, track, keep, kept, motion, bufferFrames });
    }
  } finally {
    await source.settle();
  }
  const [any] = candidates;
  if (any !== undefined && range.count > 1 && !motion.moves) {
    const { scratch } = options;
    const only = { path: kept(any), imageFormat, frames: range.count };
    await assertSomethingDrawn(only, { scratch, ffmpegPath: tools.ffmpegPath, signal });
  }
  return { content, output, filter, track, kept, capturedFrames: source.captured };
}

/** Returns the maximum number of frames that is known before the page loads. */
function maxFrames(job: RenderJob): number {
  if (renderFiles[job.format].still) return 1;
  if (job.range === null) return countFrames(job.durationSeconds, job.fps);
  if ('scene' in job.range) return Number.POSITIVE_INFINITY;
  return Math.max(1, job.range.toFrame - job.range.fromFrame);
}

interface SegmentOptions {
  readonly source: FrameSource;
  readonly range: FrameRange;
  readonly output: FilmOutput;
  readonly index: number;
  readonly track: ProgressTrack;
  readonly keep: ReadonlySet<number>;
  readonly kept: (frame: number) => string;
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
  const { source, range, output, track, keep, kept, motion } = options;
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
      if (keep.has(frame)) await writeFile(kept(frame), image);
    }
    await sink.finish();
  } catch (error) {
    buffer.fail(error);
    throw error;
  } finally {
    await capturing;
  }
}
