/** Cursor movements cannot go further than this. */
const maxColumn = 1_000;
/** Blanks and empty lines that movements may make in all: a sequence of ten bytes must not fill the memory. */
const maxMadeUp = 100_000;
/** Height of the screen that absolute movements are about. */
const screenRows = 50;

/**
 * `ESC [ parameters intermediates final`, `ESC ] … BEL or ESC \` and the other strings, `ESC` with one character, and
 * single control characters (ECMA-48). An unfinished string ends with its line.
 */
const control =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes are what is looked for.
  /\x1b\[([0-?]*)[ -/]*([@-~])|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\|(?=\n)|$)|\x1b[ -/]*[0-~]?|[\x00-\x1f\x7f-\x9f]/gu;

/**
 * What a terminal would show, as text: colours and titles are left out, and movements of the cursor are carried out, so
 * that of a progress bar only its last state is left. Lines are not broken at the width of the screen, and what was
 * scrolled off or cleared stays.
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
  /** First line of the visible part. */
  #top = 0;
  #madeUp = 0;

  write(text: string): void {
    if (text === '') return;
    const line = this.#line();
    while (line.length < this.#column && this.#madeUp++ < maxMadeUp) line.push(' ');
    this.#column = Math.min(this.#column, line.length);
    for (const character of text) line[this.#column++] = character;
  }

  control(character: string): void {
    if (character === '\n') this.#newLine();
    else if (character === '\r') this.#column = 0;
    else if (character === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (character === '\t') this.write('\t');
  }

  /** A control sequence by its final character; those that only change how things look do nothing. */
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
    while (this.#lines.length <= row && this.#madeUp++ < maxMadeUp) this.#lines.push([]);
    this.#row = Math.min(row, this.#lines.length - 1);
    // A line that is written without movements may be longer.
    this.#column = Math.max(0, Math.min(column, Math.max(maxColumn, this.#column)));
    this.#scroll();
  }

  /** 0: to the end, 1: to the cursor, 2: all. */
  #eraseInLine(what: number): void {
    const line = this.#line();
    if (what !== 1) line.length = Math.min(line.length, what === 0 ? this.#column : 0);
    else line.fill(' ', 0, Math.min(this.#column + 1, maxColumn));
  }

  /** A cleared screen begins below what was there: a later reader still finds it. */
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
