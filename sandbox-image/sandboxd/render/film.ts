import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countFrames, renderFiles } from '../../../server/contract/render.ts';
import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import type { BrowserLauncher } from '../browser/launcher.ts';
import type { StageLimits } from '../browser/stage.ts';
import { ProtocolError } from '../http.ts';
import { type CaptureOptions, CapturePool, FrameWindow } from './capture-pool.ts';
import { availableColourFilter, type ColourFilter, runFfmpeg } from './encode.ts';
import { planThumbnail } from './ffmpeg-args.ts';
import { type FilmContent, fullestPicture, outputFps, planContent, posterCandidates } from './film-content.ts';
import { type FrameRange, pictureFormat } from './formats.ts';
import { type FrameCache, FrameSource } from './frame-source.ts';
import { type FilmOutput, openOutput } from './outputs.ts';
import { assertAsExpected, assertSomethingDrawn, type Probe, probeFile, StillWatch } from './probe.ts';
import { type LiveFilm, type Progress, ProgressTrack } from './progress.ts';
import { sampleFrames, verifyFrames } from './verification.ts';

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
  /** Folders in which the page's server looks for a path, in its order; the last one holds the others. */
  readonly roots: readonly string[];
  /** An empty folder; afterwards it holds the film and `thumbnail.jpg`. */
  readonly folder: string;
  /** Where the film is to be seen while it is made; null = nowhere. */
  readonly live: LiveFilm | null;
  /** Gives a browser in which the page is open already, if there is one; null = there never is. */
  readonly takeOpenPage: CaptureOptions['takeOpenPage'];
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
  const { ffmpegPath, ffprobePath } = tools;
  const path = join(folder, renderFiles[job.format].name);
  const scratch = join(folder, 'scratch');
  await mkdir(scratch);

  const captured = await capture(job, { film: options, path, scratch });
  const { content, output, filter, track, kept, capturedFrames } = captured;
  const { part, fps, chapters, sounds } = content;
  track.finishing();
  const poster = await fullestPicture(posterCandidates(content).map(kept));
  const thumbnail = { frame: poster, picture: pictureFormat(job), output: join(folder, thumbnailName) };
  const plan = planThumbnail({ ...thumbnail, maxSidePixels: thumbnailSidePixels });
  // Both are over when one fails: files are removed only when nothing uses them.
  const ends = await Promise.allSettled([output.assemble(), runFfmpeg(plan, { ffmpegPath, signal, onFrames: null })]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;

  const probe = await probeFile(job, path, { ffprobePath, signal, fps });
  assertAsExpected(job, probe, { frames: part.count, fps, chapters: chapters.length, sound: sounds.length > 0 });
  const samples = sampleFrames(part).map((frame) => ({ frame, path: kept(frame) }));
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
  /** Where the picture of a frame is that was to be kept. */
  readonly kept: (frame: number) => string;
  readonly capturedFrames: number;
}

interface CaptureStepOptions {
  readonly film: FilmOptions;
  readonly path: string;
  readonly scratch: string;
}

/** Opens the browsers, and sends every frame of the part through the sinks of the output. No browser is left. */
async function capture(job: RenderJob, options: CaptureStepOptions): Promise<Captured> {
  const { tools, origin, roots, signal, onProgress, cache } = options.film;
  const fps = outputFps(job);
  const picture = pictureFormat(job);
  await using pool = new CapturePool({
    launcher: tools.launcher,
    origin,
    size: { width: job.width, height: job.height },
    transparent: job.transparent,
    parameters: job.parameters,
    picture,
    fps,
    // More browsers than frames would only start and stop.
    workers: Math.min(job.workers, mostFrames(job)),
    limits: tools.limits,
    signal,
    takeOpenPage: options.film.takeOpenPage,
  });
  const [source, filter] = await Promise.all([
    FrameSource.open(job, { pool, cache, fps }),
    // Takes a while the first time, and so do the browsers.
    availableColourFilter(tools.ffmpegPath),
  ]);
  const content = await planContent(job, source.info, { roots, ffprobePath: tools.ffprobePath, signal });
  const { part } = content;
  await source.prepare(part);
  const track = new ProgressTrack(part.count, onProgress);
  const output = openOutput(job, content, { ...options, filter, live: options.film.live, ffmpegPath: tools.ffmpegPath, signal });
  const kept = (frame: number) => join(options.scratch, `frame-${frame}`);
  const candidates = posterCandidates(content);
  const keep = new Set([...candidates, ...(job.verify ? sampleFrames(part) : [])]);
  const watch = new StillWatch();
  const windowFrames = job.workers + waitingFrames;
  try {
    for (const index of output.ranges.keys()) {
      await captureWithRetry({ source, part, output, index, track, keep, kept, watch, windowFrames });
    }
  } finally {
    await source.settle();
  }
  const [any] = candidates;
  if (any !== undefined && part.count > 1 && !watch.moves) {
    const { scratch } = options;
    const only = { path: kept(any), picture, frames: part.count };
    await assertSomethingDrawn(only, { scratch, ffmpegPath: tools.ffmpegPath, signal });
  }
  return { content, output, filter, track, kept, capturedFrames: source.captured };
}

/** The number of frames that a job cannot exceed, as far as that is known before its page is. */
function mostFrames(job: RenderJob): number {
  if (renderFiles[job.format].still) return 1;
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
  readonly keep: ReadonlySet<number>;
  readonly kept: (frame: number) => string;
  readonly watch: StillWatch;
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
        `The encoder failed twice for the same part of the film. ${second.message}`,
        second.details,
      );
    }
  }
}

async function captureRange(options: RangeOptions): Promise<void> {
  const { source, part, output, track, keep, kept, watch } = options;
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
      watch.note(picture);
      track.captured(frame - part.first + 1);
      if (keep.has(frame)) await writeFile(kept(frame), picture);
    }
    await sink.finish();
  } catch (error) {
    window.fail(error);
    throw error;
  } finally {
    await capturing;
  }
}
