import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderEvent, RenderJob } from '../../../server/contract/sandboxd.ts';
import type { BrowserLauncher } from '../browser/launcher.ts';
import type { StageLimits } from '../browser/stage.ts';
import { ProtocolError } from '../http.ts';
import { CapturePool } from './capture-pool.ts';
import { availableColourFilter, FfmpegRun, runFfmpeg } from './encode.ts';
import { type ColourFilter, concatList, planConcat, planEncode, planThumbnail, type Segment } from './ffmpeg-args.ts';
import { FrameWindow } from './frame-window.ts';
import { type Probe, probeVideo } from './probe.ts';
import { SpeedMeter } from './progress.ts';
import { countFrames, type FrameRange, planRanges } from './ranges.ts';

export type Progress = Omit<Extract<RenderEvent, { type: 'progress' }>, 'type'>;

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
}

/** Captured frames that may wait for the encoder, beyond one for each browser. */
const waitingFrames = 4;
const thumbnailSidePixels = 640;

export function filmName(format: RenderJob['format']): string {
  return `video.${format}`;
}

export const thumbnailName = 'thumbnail.jpg';

/**
 * Renders a page into a film: browsers capture, FFmpeg encodes at the same time, and the result is
 * measured. Throws ProtocolError; processes are gone when it does, files are the caller's to remove.
 */
export async function renderFilm(job: RenderJob, options: FilmOptions): Promise<Probe> {
  const { tools, signal, folder } = options;
  const totalFrames = countFrames(job.durationSeconds, job.fps);
  const ranges = planRanges(totalFrames, job.fps);
  const output = join(folder, filmName(job.format));
  const filter = await availableColourFilter(tools.ffmpegPath);
  const track = new Track(totalFrames, options.onProgress);
  const middle = { index: Math.floor(totalFrames / 2), path: join(folder, 'middle.jpg') };

  const segments: Segment[] = [];
  {
    await using pool = await CapturePool.open({
      launcher: tools.launcher,
      origin: options.origin,
      size: { width: job.width, height: job.height },
      fps: job.fps,
      // More browsers than frames would only start and stop.
      workers: Math.min(job.workers, totalFrames),
      limits: tools.limits,
      signal,
    });
    for (const [index, range] of ranges.entries()) {
      const final = ranges.length === 1;
      const path = final ? output : join(folder, `range-${index}.nut`);
      await encodeWithRetry(job, { range, path, final, filter, pool, middle, track, ffmpegPath: tools.ffmpegPath, signal });
      segments.push({ path, frames: range.count });
    }
  }
  track.finishing();
  if (segments.length > 1) {
    const list = join(folder, 'ranges.txt');
    await writeFile(list, concatList(segments, job.fps));
    await runFfmpeg(planConcat(job.format, { list, output }), { ffmpegPath: tools.ffmpegPath, signal, onFrames: null });
    await Promise.all([list, ...segments.map(({ path }) => path)].map((path) => rm(path)));
  }
  const thumbnail = { frame: middle.path, output: join(folder, thumbnailName), maxSidePixels: thumbnailSidePixels };
  await runFfmpeg(planThumbnail(thumbnail), { ffmpegPath: tools.ffmpegPath, signal, onFrames: null });
  await rm(middle.path);

  const probe = await probeVideo(tools.ffprobePath, output, signal);
  if (probe.frames !== totalFrames || probe.width !== job.width || probe.height !== job.height) {
    const found = `${probe.frames} frames of ${probe.width}×${probe.height}`;
    throw new ProtocolError(
      'ENCODE_FAILED',
      500,
      `The video has ${found} instead of ${totalFrames} of ${job.width}×${job.height}. Render again.`,
    );
  }
  return probe;
}

interface RangeOptions {
  readonly range: FrameRange;
  readonly path: string;
  readonly final: boolean;
  readonly filter: ColourFilter;
  readonly pool: CapturePool;
  readonly middle: { readonly index: number; readonly path: string };
  readonly track: Track;
  readonly ffmpegPath: string;
  readonly signal: AbortSignal;
}

/** An encoder that dies takes its range with it, so the range is done again, once. */
async function encodeWithRetry(job: RenderJob, options: RangeOptions): Promise<void> {
  try {
    await encodeRange(job, options);
  } catch (first) {
    if (!(first instanceof ProtocolError && first.code === 'ENCODE_FAILED')) throw first;
    await rm(options.path, { force: true });
    try {
      await encodeRange(job, options);
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

async function encodeRange(job: RenderJob, options: RangeOptions): Promise<void> {
  const { range, pool, track, middle } = options;
  const window = new FrameWindow<Buffer>(range.first, job.workers + waitingFrames);
  await using encoder = new FfmpegRun(planEncode(job, { filter: options.filter, output: options.path, final: options.final }), {
    ffmpegPath: options.ffmpegPath,
    signal: options.signal,
    onFrames: (frames) => track.encoded(range.first + frames),
  });
  const capturing = pool.capture(range, window);
  try {
    for (let frame = range.first; frame < range.first + range.count; frame++) {
      const jpeg = await window.take();
      await encoder.write(jpeg);
      track.captured(frame + 1);
      if (frame === middle.index) await writeFile(middle.path, jpeg);
    }
    await encoder.finish();
  } catch (error) {
    window.fail(error);
    throw error;
  } finally {
    await capturing;
  }
}

/** How far a film is. Never goes back, also when a range is done again. */
class Track {
  readonly #total: number;
  readonly #report: (progress: Progress) => void;
  readonly #speed: SpeedMeter;
  #captured = 0;
  #encoded = 0;

  constructor(total: number, report: (progress: Progress) => void) {
    this.#total = total;
    this.#report = report;
    this.#speed = new SpeedMeter(total);
    this.#tell();
  }

  captured(frames: number): void {
    if (frames <= this.#captured) return;
    this.#captured = frames;
    this.#speed.mark(frames, performance.now());
    if (frames === this.#total) this.#tell();
  }

  encoded(frames: number): void {
    if (frames <= this.#encoded) return;
    this.#encoded = Math.min(frames, this.#total);
    this.#tell();
  }

  /** All frames are in files; what remains does not count in frames. */
  finishing(): void {
    this.#encoded = this.#total;
    this.#tell();
  }

  #tell(): void {
    const capturing = this.#captured < this.#total;
    this.#report({
      stage: capturing ? 'capturing' : 'encoding',
      framesDone: this.#encoded,
      framesTotal: this.#total,
      // Speed is that of the capture, which is what takes the time; the encoder follows a few frames behind.
      secondsLeft: capturing ? this.#speed.secondsLeft() : null,
    });
  }
}
