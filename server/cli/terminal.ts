import { createInterface } from 'node:readline/promises';
import { harmless } from './words.ts';

const logIntervalMs = 5_000;

/**
 * What a command shows: progress on standard error, results on standard output, so that results can be piped. Nothing that
 * it is given commands the terminal.
 */
export class Terminal {
  readonly #interactive = process.stderr.isTTY === true;
  #hasProgress = false;
  #lastProgressAt = -logIntervalMs;

  /** A line that stays. */
  note(line: string): void {
    this.#clearProgress();
    process.stderr.write(`${harmless(line)}\n`);
  }

  /** A line that the next one replaces; without a terminal, one now and then, so that a log stays readable. */
  progress(line: string): void {
    if (this.#interactive) {
      process.stderr.write(`\r\x1b[2K${harmless(line)}`);
      this.#hasProgress = true;
      return;
    }
    const now = performance.now();
    if (now - this.#lastProgressAt < logIntervalMs) return;
    this.#lastProgressAt = now;
    process.stderr.write(`${harmless(line)}\n`);
  }

  /** A line as it is when it goes to a file or a program. */
  result(line: string): void {
    this.#clearProgress();
    process.stdout.write(`${process.stdout.isTTY === true ? harmless(line) : line}\n`);
  }

  /** Asks on the terminal; null when there is nobody to ask, or the input ends (Ctrl+D). */
  async ask(question: string, { signal }: { signal: AbortSignal }): Promise<string | null> {
    this.#clearProgress();
    if (process.stdin.isTTY !== true) return null;
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    // While it asks, the terminal gives Ctrl+C to the prompt and not to the process.
    prompt.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    // The end of the input closes the prompt and leaves its question open for ever.
    const ended = new Promise<null>((resolve) => prompt.once('close', () => resolve(null)));
    try {
      return (await Promise.race([prompt.question(`${harmless(question)} `, { signal }), ended]))?.trim() ?? null;
    } finally {
      prompt.close();
    }
  }

  #clearProgress(): void {
    if (this.#hasProgress) process.stderr.write('\r\x1b[2K');
    this.#hasProgress = false;
  }
}
