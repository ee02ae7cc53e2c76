import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import ffmpeg from 'fluent-ffmpeg';
import { ProtocolError } from '../http.ts';
import { untilAborted } from '../time-limit.ts';

export interface FfmpegInput {
  /** What stands before its `-i`. */
  readonly options: readonly string[];
  /** A path, or null when pictures come on standard input; at most one input may be that. */
  readonly path: string | null;
}

/** Arguments for one run of FFmpeg: what it reads, what stands before the output, the output. */
export interface FfmpegPlan {
  readonly inputs: readonly FfmpegInput[];
  readonly outputOptions: readonly string[];
  readonly output: string;
}

/** Which filter changes the colours of JPEG; zscale is as exact as swscale at its most careful, and ten times as fast. */
export type ColourFilter = 'zscale' | 'scale';

/** Frames that may wait in front of FFmpeg. Beyond it `write` makes the capture wait, so memory has a bound. */
const inputBufferBytes = 4 * 1024 * 1024;
const errorTailCharacters = 1500;

export interface FfmpegOptions {
  readonly ffmpegPath: string;
  readonly signal: AbortSignal;
  /** Called with the number of frames encoded so far. */
  readonly onFrames: ((frames: number) => void) | null;
}

/** One running FFmpeg; the only place that knows of fluent-ffmpeg. */
export class FfmpegRun implements AsyncDisposable {
  /** Settles when the process is gone: rejects with ENCODE_FAILED, STORAGE_FULL, or the reason of the signal. */
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
      if (inputOptions.length > 0) this.#command.inputOptions(...spread(inputOptions));
    }
    this.#command.outputOptions(...spread(plan.outputOptions)).output(plan.output);
    this.done = this.#run(options);
    // Whoever feeds the run learns of its end from `write`; `done` may be asked for later, or never.
    this.done.catch((error: unknown) => this.#failed.abort(error));
  }

  /** Hands one frame over; resolves when there is room for the next. */
  async write(frame: Buffer): Promise<void> {
    this.#failed.signal.throwIfAborted();
    if (!this.#source) throw new Error('This FFmpeg reads only files.');
    if (this.#source.write(frame)) return;
    await untilAborted(once(this.#source, 'drain'), this.#failed.signal);
  }

  /** No more frames follow; resolves when the file is complete. */
  async finish(): Promise<void> {
    this.#source?.end();
    await this.done;
  }

  /** Kills the process if it still runs, and waits until it is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#kill();
    await Promise.allSettled([this.done]);
  }

  #kill(): void {
    if (this.#killed || this.#over) return;
    this.#killed = true;
    // Before it has been spawned there is nothing to kill; then `start` does it.
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
        // FFmpeg 5 ends without an error when only the last bytes could not be written.
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

/** fluent-ffmpeg cuts a single argument at its spaces; two or more it leaves alone. */
function spread(options: readonly string[]): string[] {
  if (options.length === 1) throw new Error('A plan has at least two options.');
  return [...options];
}

/** The frame count of a line of `-progress` output (`frame=123`), or null. */
export function progressFrames(line: string): number | null {
  const match = /^frame=\s*(\d+)\s*$/.exec(line);
  return match ? Number(match[1]) : null;
}

const writeFailed = /^Error (?:writing trailer|closing file)/m;

/** FFmpeg's own words, without the progress lines between them. */
function encodeFailure(error: Error, stderr: string): ProtocolError {
  const words = stderr
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\w+=\s*\S+\s*$/.test(line))
    .join('\n')
    .slice(-errorTailCharacters);
  if (/No space left on device|Disk quota exceeded/i.test(stderr)) {
    return new ProtocolError(
      'STORAGE_FULL',
      'The disk of the sandbox is full: the video could not be written. Delete files, then render again.',
    );
  }
  return new ProtocolError('ENCODE_FAILED', `FFmpeg failed: ${error.message.split('\n')[0]}. It said: ${words}`, {
    stderr: words,
  });
}

/** Runs FFmpeg once, from file to file. */
export async function runFfmpeg(plan: FfmpegPlan, options: FfmpegOptions): Promise<void> {
  await using run = new FfmpegRun(plan, options);
  await run.finish();
}

const knownFilters = new Map<string, ColourFilter>();

/** The better of the colour filters that this FFmpeg has. Asked once. */
export async function availableColourFilter(ffmpegPath: string): Promise<ColourFilter> {
  const known = knownFilters.get(ffmpegPath) ?? (await askForFilter(ffmpegPath));
  knownFilters.set(ffmpegPath, known);
  return known;
}

function askForFilter(ffmpegPath: string): Promise<ColourFilter> {
  const { promise, resolve, reject } = Promise.withResolvers<ColourFilter>();
  ffmpeg()
    .setFfmpegPath(ffmpegPath)
    .getAvailableFilters((error, filters) => {
      if (error) reject(new ProtocolError('ENCODE_FAILED', `FFmpeg (${ffmpegPath}) does not run: ${error.message}`));
      else resolve('zscale' in filters ? 'zscale' : 'scale');
    });
  return promise;
}
