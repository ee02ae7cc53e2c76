import { createInterface } from 'node:readline/promises';
import { sanitizeText } from './output-text.ts';

const logIntervalMs = 5_000;

/**
 * Writes progress to standard error and results to standard output. Replaces control characters if the output is a terminal.
 */
export class Terminal {
  readonly #interactive = process.stderr.isTTY === true;
  #hasProgress = false;
  #lastProgressAt = -logIntervalMs;

  note(line: string): void {
    this.#clearProgress();
    process.stderr.write(`${sanitizeText(line)}\n`);
  }

  /** Prints a line that the next one overwrites. Without a terminal, prints only every 5 s to keep logs readable. */
  progress(line: string): void {
    if (this.#interactive) {
      process.stderr.write(`\r\x1b[2K${sanitizeText(line)}`);
      this.#hasProgress = true;
      return;
    }
    const now = performance.now();
    if (now - this.#lastProgressAt < logIntervalMs) return;
    this.#lastProgressAt = now;
    process.stderr.write(`${sanitizeText(line)}\n`);
  }

  result(line: string): void {
    this.#clearProgress();
    process.stdout.write(`${process.stdout.isTTY === true ? sanitizeText(line) : line}\n`);
  }

  /** Asks the user. Returns `null` if there is no terminal or the input ends (Ctrl+D). */
  async ask(question: string, { signal }: { signal: AbortSignal }): Promise<string | null> {
    this.#clearProgress();
    if (process.stdin.isTTY !== true) return null;
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    // During a prompt, Ctrl+C reaches readline instead of the process.
    prompt.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    // If the input ends, readline leaves the question pending forever.
    const ended = new Promise<null>((resolve) => prompt.once('close', () => resolve(null)));
    try {
      return (await Promise.race([prompt.question(`${sanitizeText(question)} `, { signal }), ended]))?.trim() ?? null;
    } finally {
      prompt.close();
    }
  }

  #clearProgress(): void {
    if (this.#hasProgress) process.stderr.write('\r\x1b[2K');
    this.#hasProgress = false;
  }
}
