import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import { chapterFile } from './chapters.ts';
import { FfmpegRun, runFfmpeg } from './encode.ts';
import { planEncode, segmentExtension } from './ffmpeg-args.ts';
import type { FilmContent } from './film-content.ts';
import type { FilmOutput, FrameSink, OutputOptions } from './film-output.ts';
import { concatList, planJoin } from './join-args.ts';
import { type FrameRange, planRanges } from './ranges.ts';

export type EncodedOutputOptions = OutputOptions & Pick<FilmContent, 'part' | 'filmSeconds' | 'chapters' | 'sounds'>;

/**
 * A video that is encoded while it is captured, range by range; the ranges are joined without encoding
 * again, and get their sound and their chapters there.
 */
export class EncodedOutput implements FilmOutput {
  readonly ranges: readonly FrameRange[];
  readonly #job: RenderJob;
  readonly #options: EncodedOutputOptions;

  constructor(job: RenderJob, options: EncodedOutputOptions) {
    // Who watches wants one stream; a live film is small, and begun again soon.
    this.ranges = options.live ? [options.part] : planRanges(options.part, job.fps);
    this.#job = job;
    this.#options = options;
  }

  begin(index: number, onFrames: (frames: number) => void): Promise<FrameSink> {
    const { filter, ffmpegPath, signal, live } = this.#options;
    live?.begin();
    const plan = planEncode(this.#job, { filter, output: this.#segment(index), live: live !== null });
    return Promise.resolve(new FfmpegRun(plan, { ffmpegPath, signal, onFrames }));
  }

  async assemble(): Promise<void> {
    this.#options.live?.complete();
    const { part, filmSeconds, sounds, path, scratch, ffmpegPath, signal } = this.#options;
    const { fps } = this.#job;
    const list = join(scratch, 'ranges.txt');
    const segments = this.ranges.map(({ count }, index) => ({ path: this.#segment(index), frames: count }));
    await writeFile(list, concatList(segments, fps));
    const heard = { startSeconds: part.first / fps, durationSeconds: part.count / fps, filmSeconds };
    const plan = planJoin(this.#job, { list, chapters: await this.#writeChapters(), sounds, part: heard, output: path });
    await runFfmpeg(plan, { ffmpegPath, signal, onFrames: null });
  }

  async #writeChapters(): Promise<string | null> {
    const { chapters, scratch } = this.#options;
    if (chapters.length === 0) return null;
    const path = join(scratch, 'chapters.txt');
    await writeFile(path, chapterFile(chapters));
    return path;
  }

  #segment(index: number): string {
    if (this.#options.live) return this.#options.live.path;
    return join(this.#options.scratch, `range-${index}.${segmentExtension(this.#job.format)}`);
  }
}
