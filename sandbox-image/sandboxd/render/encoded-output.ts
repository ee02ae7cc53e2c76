import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import { FfmpegRun, runFfmpeg } from './encode.ts';
import { type ColourFilter, concatList, planConcat, planEncode } from './ffmpeg-args.ts';
import type { FilmOutput, FrameSink } from './film-output.ts';
import { type FrameRange, planRanges } from './ranges.ts';

export interface EncodedOutputOptions {
  readonly part: FrameRange;
  /** The finished file. */
  readonly path: string;
  /** A folder for what is only needed meanwhile. */
  readonly scratch: string;
  readonly filter: ColourFilter;
  readonly ffmpegPath: string;
  readonly signal: AbortSignal;
}

/** A video that is encoded while it is captured, range by range; the ranges are joined without encoding again. */
export class EncodedOutput implements FilmOutput {
  readonly ranges: readonly FrameRange[];
  readonly #job: RenderJob;
  readonly #options: EncodedOutputOptions;

  constructor(job: RenderJob, options: EncodedOutputOptions) {
    this.ranges = planRanges(options.part, job.fps);
    this.#job = job;
    this.#options = options;
  }

  begin(index: number, onFrames: (frames: number) => void): Promise<FrameSink> {
    const { filter, ffmpegPath, signal } = this.#options;
    const plan = planEncode(this.#job, { filter, output: this.#segment(index), final: !this.#joined });
    return Promise.resolve(new FfmpegRun(plan, { ffmpegPath, signal, onFrames }));
  }

  async assemble(): Promise<void> {
    if (!this.#joined) return;
    const { path, scratch, ffmpegPath, signal } = this.#options;
    const list = join(scratch, 'ranges.txt');
    const segments = this.ranges.map(({ count }, index) => ({ path: this.#segment(index), frames: count }));
    await writeFile(list, concatList(segments, this.#job.fps));
    await runFfmpeg(planConcat(this.#job.format, { list, output: path }), { ffmpegPath, signal, onFrames: null });
  }

  get #joined(): boolean {
    return this.ranges.length > 1;
  }

  #segment(index: number): string {
    return this.#joined ? join(this.#options.scratch, `range-${index}.nut`) : this.#options.path;
  }
}
