import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import ffmpeg from 'fluent-ffmpeg';
import { ProtocolError } from '../http.ts';
import { untilAborted } from '../time-limit.ts';

export interface FfmpegInput {
  readonly options: readonly string[];
  /** A path, or `null` for frames on stdin; at most one input may be `null`. */
  readonly path: string | null;
}

export interface FfmpegPlan {
  readonly inputs: readonly FfmpegInput[];
  readonly outputOptions: readonly string[];
  readonly output: string;
}

/** Filter that converts JPEG colours. zscale is as accurate as swscale's best mode, and ten times as fast. */
export type ColourFilter = 'zscale' | 'scale';

/** Limits the frames queued for FFmpeg; beyond it, `write` delays the capture. */
const inputBufferBytes = 4 * 1024 * 1024;
const errorTailCharacters = 1500;

export interface FfmpegOptions {
  readonly ffmpegPath: string;
  readonly signal: AbortSignal;
  readonly onFrames: ((frames: number) => void) | null;
}

/** One FFmpeg process. Only this class uses fluent-ffmpeg. */
export class FfmpegRun implements AsyncDisposable {
  /** Settles when the process exits. Rejects with ENCODE_FAILED, STORAGE_FULL, or the signal's reason. */
  readonly done: Promise<void>;
  readonly #command: ffmpeg.FfmpegCommand;
  readonly #source: PassThrough | null;
  readonly #failed = new AbortController();
  #started = false;
  #killed = false;
  #over = false;

  constructor(plan: FfmpegPlan, options: FfmpegOptions) {
    const piped = plan.inputs.some(({ path }) => path === null);
    this.#source = piped ? new PassThrough({ highWaterMark: inputBufferBytes }) : null;
    this.#command = ffmpeg({ stdoutLines: 200 }).setFfmpegPath(options.ffmpegPath);
    for (const { path, options: inputOptions } of plan.inputs) {
      this.#command.input(path ?? (this.#source as PassThrough));
      if (inputOptions.length > 0) this.#command.inputOptions(...argumentsOf(inputOptions));
    }
    this.#command.outputOptions(...argumentsOf(plan.outputOptions)).output(plan.output);
    this.done = this.#run(options);
    // `write` also reports the error, so `done` need not be awaited.
    this.done.catch((error: unknown) => this.#failed.abort(error));
  }

  async write(frame: Buffer): Promise<void> {
    this.#failed.signal.throwIfAborted();
    if (!this.#source) throw new Error('This FFmpeg run reads only files.');
    if (this.#source.write(frame)) return;
    await untilAborted(once(this.#source, 'drain'), this.#failed.signal);
  }

  async finish(): Promise<void> {
    this.#source?.end();
    await this.done;
  }

  /** Kills the process if it is still running, and waits for its exit. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#kill();
    await Promise.allSettled([this.done]);
  }

  #kill(): void {
    if (this.#killed || this.#over) return;
    this.#killed = true;
    // A process that has not been spawned yet is killed on `start`.
    if (this.#started) this.#command.kill('SIGKILL');
  }

  async #run(options: FfmpegOptions): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#command
      .on('start', () => {
        this.#started = true;
        if (this.#killed) this.#command.kill('SIGKILL');
      })
      .on('stderr', (line: string) => {
        const frames = progressFrames(line);
        if (frames !== null) options.onFrames?.(frames);
      })
      .on('end', (_stdout: string | null, stderr: string | null) => {
        // FFmpeg 5 reports no error if only the last bytes could not be written.
        if (!writeFailed.test(stderr ?? '')) resolve();
        else reject(encodeFailure(new Error('the end of the file could not be written'), stderr ?? ''));
      })
      .on('error', (error: Error, _stdout: string | null, stderr: string | null) => reject(encodeFailure(error, stderr ?? '')));
    const onAbort = () => this.#kill();
    options.signal.addEventListener('abort', onAbort, { once: true });
    if (options.signal.aborted) this.#kill();
    try {
      this.#command.run();
      await promise;
    } catch (error) {
      options.signal.throwIfAborted();
      throw error;
    } finally {
      this.#over = true;
      options.signal.removeEventListener('abort', onAbort);
      this.#source?.destroy();
    }
  }
}

/** fluent-ffmpeg splits a single argument at spaces, but not two or more. */
function argumentsOf(options: readonly string[]): string[] {
  if (options.length === 1) throw new Error('A plan needs at least two options.');
  return [...options];
}

export function progressFrames(line: string): number | null {
  const match = /^frame=\s*(\d+)\s*$/.exec(line);
  return match ? Number(match[1]) : null;
}

const writeFailed = /^Error (?:writing trailer|closing file)/m;

function encodeFailure(error: Error, stderr: string): ProtocolError {
  const output = stderr
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\w+=\s*\S+\s*$/.test(line))
    .join('\n')
    .slice(-errorTailCharacters);
  if (/No space left on device|Disk quota exceeded/i.test(stderr)) {
    return new ProtocolError(
      'STORAGE_FULL',
      'The video could not be written because the sandbox’s disk is full. Delete files, then render again.',
    );
  }
  return new ProtocolError('ENCODE_FAILED', `FFmpeg failed: ${error.message.split('\n')[0]}. Its output ends with: ${output}`, {
    stderr: output,
  });
}

/** Runs FFmpeg once, from files to a file. Rejects like `FfmpegRun.done`. */
export async function runFfmpeg(plan: FfmpegPlan, options: FfmpegOptions): Promise<void> {
  await using run = new FfmpegRun(plan, options);
  await run.finish();
}

const knownFilters = new Map<string, ColourFilter>();

/** Returns the best colour filter that this FFmpeg supports. Cached per path. */
export async function availableColourFilter(ffmpegPath: string): Promise<ColourFilter> {
  const known = knownFilters.get(ffmpegPath) ?? (await detectFilter(ffmpegPath));
  knownFilters.set(ffmpegPath, known);
  return known;
}

function detectFilter(ffmpegPath: string): Promise<ColourFilter> {
  const { promise, resolve, reject } = Promise.withResolvers<ColourFilter>();
  ffmpeg()
    .setFfmpegPath(ffmpegPath)
    .getAvailableFilters((error, filters) => {
      if (error) reject(new ProtocolError('ENCODE_FAILED', `FFmpeg (${ffmpegPath}) could not be run: ${error.message}`));
      else resolve('zscale' in filters ? 'zscale' : 'scale');
    });
  return promise;
}
