const maxColumn = 1_000;
/** Limit for spaces and lines added by cursor movements, because a short sequence must not exhaust the memory. */
const maxPadding = 100_000;
const screenRows = 50;

/**
 * `ESC [ parameters intermediates final`, `ESC ] … BEL or ESC \` and other strings, `ESC` with one character, and single
 * control characters (ECMA-48). An unterminated string ends at the end of its line.
 */
const control =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes are what is looked for.
  /\x1b\[([0-?]*)[ -/]*([@-~])|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\|(?=\n)|$)|\x1b[ -/]*[0-~]?|[\x00-\x1f\x7f-\x9f]/gu;

/**
 * Converts terminal output to text. Drops colours and titles and applies cursor movements, so that only a progress bar's last
 * state remains. Does not wrap lines, and keeps content that was scrolled off or cleared.
 *
 * Not @xterm/headless: it turns tabs, which code needs, into spaces, and 256 KiB of line feeds take 500 MB there (23 MB here).
 */
export function plainText(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes);
  const screen = new Screen();
  let at = 0;
  for (const match of text.matchAll(control)) {
    screen.write(text.slice(at, match.index));
    at = match.index + match[0].length;
    const final = match[2];
    if (final !== undefined) screen.sequence(final, match[1] ?? '');
    else if (match[0].length === 1) screen.control(match[0]);
  }
  screen.write(text.slice(at));
  return screen.text();
}

class Screen {
  readonly #lines: string[][] = [[]];
  #row = 0;
  #column = 0;
  #top = 0;
  #padding = 0;

  write(text: string): void {
    if (text === '') return;
    const line = this.#line();
    while (line.length < this.#column && this.#padding++ < maxPadding) line.push(' ');
    this.#column = Math.min(this.#column, line.length);
    for (const character of text) line[this.#column++] = character;
  }

  control(character: string): void {
    if (character === '\n') this.#newLine();
    else if (character === '\r') this.#column = 0;
    else if (character === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (character === '\t') this.write('\t');
  }

  sequence(final: string, parameters: string): void {
    const [first = 0, second = 0] = parameters.split(';').map((value) => Math.min(Number(value) || 0, maxColumn));
    const count = Math.max(1, first);
    if (final === 'A') this.#moveTo(Math.max(this.#top, this.#row - count), this.#column);
    else if (final === 'B') this.#moveTo(Math.min(this.#bottom(), this.#row + count), this.#column);
    else if (final === 'C') this.#moveTo(this.#row, this.#column + count);
    else if (final === 'D') this.#moveTo(this.#row, this.#column - count);
    else if (final === 'E') this.#moveTo(Math.min(this.#bottom(), this.#row + count), 0);
    else if (final === 'F') this.#moveTo(Math.max(this.#top, this.#row - count), 0);
    else if (final === 'G') this.#moveTo(this.#row, count - 1);
    else if (final === 'H' || final === 'f')
      this.#moveTo(Math.min(this.#bottom(), this.#top + count - 1), Math.max(0, second - 1));
    else if (final === 'K') this.#eraseInLine(first);
    else if (final === 'J') this.#eraseScreen(first);
  }

  text(): string {
    return this.#lines.map((line) => line.join('')).join('\n');
  }

  #line(): string[] {
    return this.#lines[this.#row] ?? [];
  }

  #newLine(): void {
    this.#row++;
    this.#column = 0;
    if (this.#row === this.#lines.length) this.#lines.push([]);
    this.#scroll();
  }

  #scroll(): void {
    this.#top = Math.max(this.#top, this.#row - screenRows + 1);
  }

  #bottom(): number {
    return this.#top + screenRows - 1;
  }

  #moveTo(row: number, column: number): void {
    while (this.#lines.length <= row && this.#padding++ < maxPadding) this.#lines.push([]);
    this.#row = Math.min(row, this.#lines.length - 1);
    // Lines written without cursor movements may exceed the limit.
    this.#column = Math.max(0, Math.min(column, Math.max(maxColumn, this.#column)));
    this.#scroll();
  }

  #eraseInLine(what: number): void {
    const line = this.#line();
    if (what !== 1) line.length = Math.min(line.length, what === 0 ? this.#column : 0);
    else line.fill(' ', 0, Math.min(this.#column + 1, maxColumn));
  }

  /** Clears the screen by scrolling, so that a later reader still finds the content. */
  #eraseScreen(what: number): void {
    if (what === 0) {
      this.#eraseInLine(0);
      this.#lines.length = this.#row + 1;
    } else if (what >= 2 && this.#lines.slice(this.#top).some((line) => line.length > 0)) {
      this.#row = this.#lines.length - 1;
      this.#newLine();
      this.#top = this.#row;
    }
  }
}
