import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from 'async-mutex';
import type { RenderJob } from '#contract/sandbox/answers.ts';
import { DirectCaptureError } from '../browser/direct-capture.ts';
import { type ComparisonTools, compareFrames } from './verification.ts';

/** Below this, what is missing or moved may be visible. Frames of formats are above 50 dB. */
const minPsnrDb = 45;
/** Frames that wait for a comparison, which bounds the space that a long scene takes. */
const maxWaiting = 16;

/** Compares frames that the page has drawn itself with captures of the page, many at once, because FFmpeg takes time to start. */
export class DirectCheck {
  readonly #job: RenderJob;
  readonly #tools: ComparisonTools;
  readonly #captured: string;
  readonly #truth: string;
  readonly #using = new Mutex();
  #frames: number[] = [];

  constructor(job: RenderJob, tools: ComparisonTools) {
    this.#job = job;
    this.#tools = tools;
    this.#captured = join(tools.scratch, 'direct');
    this.#truth = join(tools.scratch, 'direct-truth');
  }

  /** Throws as `pass` does. */
  async add(frame: number, image: Buffer, page: Buffer): Promise<void> {
    await this.#using.runExclusive(async () => {
      await appendFile(this.#captured, image);
      await appendFile(this.#truth, page);
      this.#frames.push(frame);
      if (this.#frames.length >= maxWaiting) await this.#compare();
    });
  }

  /** Compares the frames that wait. Throws DirectCaptureError if one differs from the page. */
  async pass(): Promise<void> {
    await this.#using.runExclusive(() => this.#compare());
  }

  async #compare(): Promise<void> {
    const frames = this.#frames;
    if (frames.length === 0) return;
    this.#frames = [];
    const { width, height } = this.#job;
    const files = { captured: this.#captured, truth: this.#truth, stream: { frameFormat: 'i420', width, height } as const };
    const psnrDb = await compareFrames(this.#job, files, this.#tools);
    await Promise.all([rm(this.#captured), rm(this.#truth)]);
    for (const [index, frame] of frames.entries()) {
      const value = psnrDb[index] ?? 0;
      if (value >= minPsnrDb) continue;
      throw new DirectCaptureError(
        `Frame ${frame}, drawn by the page itself, differs from the page (PSNR ${value.toFixed(1)} dB).`,
      );
    }
  }
}
