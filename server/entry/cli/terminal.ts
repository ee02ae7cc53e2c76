import { createInterface } from 'node:readline/promises';

/** What a command shows: progress on standard error, results on standard output, so that results can be piped. */
export class Terminal {
  readonly #interactive = process.stderr.isTTY === true;
  #lastProgress = '';

  /** A line that stays. */
  note(line: string): void {
    this.#clearProgress();
    process.stderr.write(`${line}\n`);
  }

  /** A line that the next one replaces; without a terminal, each new text is a line of its own. */
  progress(line: string): void {
    if (line === this.#lastProgress) return;
    if (this.#interactive) process.stderr.write(`\r\x1b[2K${line}`);
    else process.stderr.write(`${line}\n`);
    this.#lastProgress = line;
  }

  result(line: string): void {
    this.#clearProgress();
    process.stdout.write(`${line}\n`);
  }

  /** Asks on the terminal; null when there is nobody to ask. */
  async ask(question: string): Promise<string | null> {
    this.#clearProgress();
    if (process.stdin.isTTY !== true) return null;
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return (await prompt.question(`${question} `)).trim();
    } finally {
      prompt.close();
    }
  }

  #clearProgress(): void {
    if (this.#interactive && this.#lastProgress !== '') process.stderr.write('\r\x1b[2K');
    this.#lastProgress = '';
  }
}
