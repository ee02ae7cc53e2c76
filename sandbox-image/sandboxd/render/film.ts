import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderFiles } from '../../../server/contract/render.ts';
import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import type { BrowserLauncher } from '../browser/launcher.ts';
import type { StageLimits } from '../browser/stage.ts';
import { ProtocolError } from '../http.ts';
import { CapturePool } from './capture-pool.ts';
import { availableColourFilter, runFfmpeg } from './encode.ts';
import { EncodedOutput } from './encoded-output.ts';
import { type ColourFilter, planThumbnail } from './ffmpeg-args.ts';
import type { FilmOutput } from './film-output.ts';
import { resolvePart } from './film-part.ts';
import { type FrameCache, FrameSource } from './frame-source.ts';
import { FrameWindow } from './frame-window.ts';
import { type Probe, probeVideo } from './probe.ts';
import { type Progress, ProgressTrack } from './progress.ts';
import { countFrames, type FrameRange } from './ranges.ts';

export interface FilmTools {
  readonly launcher: BrowserLauncher;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  readonly limits: StageLimits;
}

export interface FilmOptions {
  readonly tools: FilmTools;
  /** Where the page is served. */
  readonly origin: string;
  /** An empty folder; afterwards it holds the film and `thumbnail.jpg`. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Null: every frame is captured, and none is kept. */
  readonly cache: FrameCache | null;
}

/** Captured frames that may wait for the encoder, beyond one for each browser. */
const waitingFrames = 4;
const thumbnailSidePixels = 640;

export const thumbnailName = 'thumbnail.jpg';

/**
 * Renders a page into a film, or a part of one: browsers capture, FFmpeg encodes at the same time, and the
 * result is measured. Throws ProtocolError; processes are gone when it does, files are the caller's to remove.
 */
export async function renderFilm(job: RenderJob, options: FilmOptions): Promise<Probe> {
  const { tools, signal, folder } = options;
  const { ffmpegPath } = tools;
  const output = join(folder, renderFiles[job.format].name);
  const scratch = join(folder, 'scratch');
  await mkdir(scratch);
  const filter = await availableColourFilter(ffmpegPath);

  const captured = await capture(job, { film: options, path: output, scratch, filter });
  captured.track.finishing();
  await captured.output.assemble();
  const thumbnail = { frame: captured.middle, output: join(folder, thumbnailName), maxSidePixels: thumbnailSidePixels };
  await runFfmpeg(planThumbnail(thumbnail), { ffmpegPath, signal, onFrames: null });
  await rm(scratch, { recursive: true });

  const probe = await probeVideo(tools.ffprobePath, output, signal);
  if (probe.frames !== captured.part.count || probe.width !== job.width || probe.height !== job.height) {
    const found = `${probe.frames} frames of ${probe.width}×${probe.height}`;
    throw new ProtocolError(
      'ENCODE_FAILED',
      500,
      `The video has ${found} instead of ${captured.part.count} of ${job.width}×${job.height}. Render again.`,
    );
  }
  return { ...probe, capturedFrames: captured.capturedFrames };
}

interface Captured {
  readonly part: FrameRange;
  readonly output: FilmOutput;
  readonly track: ProgressTrack;
  /** Path of the picture in the middle. */
  readonly middle: string;
  readonly capturedFrames: number;
}

interface CaptureOptions {
  readonly film: FilmOptions;
  readonly path: string;
  readonly scratch: string;
  readonly filter: ColourFilter;
}

/** Opens the browsers, and sends every frame of the part through the sinks of the output. No browser is left. */
async function capture(job: RenderJob, options: CaptureOptions): Promise<Captured> {
  const { tools, origin, signal, onProgress } = options.film;
  await using pool = new CapturePool({
    launcher: tools.launcher,
    origin,
    size: { width: job.width, height: job.height },
    transparent: job.transparent,
    parameters: job.parameters,
    picture: 'jpeg',
    fps: job.fps,
    // More browsers than frames would only start and stop.
    workers: Math.min(job.workers, mostFrames(job)),
    limits: tools.limits,
    signal,
  });
  const source = await FrameSource.open(job, {
    pool,
    cache: options.film.cache,
    picture: `jpeg ${job.transparent}`,
    fps: job.fps,
  });
  const part = resolvePart(job, { info: source.info, fps: job.fps });
  await source.prepare(part);
  const track = new ProgressTrack(part.count, onProgress);
  const output = new EncodedOutput(job, { ...options, part, ffmpegPath: tools.ffmpegPath, signal });
  const middle = join(options.scratch, 'middle.jpg');
  const kept = new Map([[part.first + Math.floor(part.count / 2), middle]]);
  for (const index of output.ranges.keys()) {
    await captureWithRetry({ source, part, output, index, track, kept, windowFrames: job.workers + waitingFrames });
  }
  await source.settle();
  return { part, output, track, middle, capturedFrames: source.captured };
}

/** The number of frames that a job cannot exceed, as far as that is known before its page is. */
function mostFrames(job: RenderJob): number {
  if (job.range === null) return countFrames(job.durationSeconds, job.fps);
  if ('scene' in job.range) return Number.POSITIVE_INFINITY;
  return Math.max(1, job.range.toFrame - job.range.fromFrame);
}

interface RangeOptions {
  readonly source: FrameSource;
  readonly part: FrameRange;
  readonly output: FilmOutput;
  readonly index: number;
  readonly track: ProgressTrack;
  /** Frames whose pictures are needed later, and where they go. */
  readonly kept: ReadonlyMap<number, string>;
  readonly windowFrames: number;
}

/** An encoder that dies takes its range with it, so the range is done again, once. */
async function captureWithRetry(options: RangeOptions): Promise<void> {
  try {
    await captureRange(options);
  } catch (first) {
    if (!(first instanceof ProtocolError && first.code === 'ENCODE_FAILED')) throw first;
    try {
      await captureRange(options);
    } catch (second) {
      if (!(second instanceof ProtocolError && second.code === 'ENCODE_FAILED')) throw second;
      throw new ProtocolError(
        'RENDER_FAILED',
        500,
        `The encoder failed twice for the same part of the film. ${second.message}`,
        second.details,
      );
    }
  }
}

async function captureRange(options: RangeOptions): Promise<void> {
  const { source, part, output, track, kept } = options;
  const range = output.ranges[options.index];
  if (!range) throw new Error(`There is no range ${options.index}.`);
  const done = range.first - part.first;
  const window = new FrameWindow<Buffer>(range.first, options.windowFrames);
  await using sink = await output.begin(options.index, (frames) => track.written(done + frames));
  const capturing = source.capture(range, window);
  try {
    for (let frame = range.first; frame < range.first + range.count; frame++) {
      const picture = await window.take();
      await sink.write(picture);
      track.captured(frame - part.first + 1);
      const path = kept.get(frame);
      if (path !== undefined) await writeFile(path, picture);
    }
    await sink.finish();
  } catch (error) {
    window.fail(error);
    throw error;
  } finally {
    await capturing;
  }
}
