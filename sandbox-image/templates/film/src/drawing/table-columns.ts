/** Matches a number with its sign and unit, a score, a time or a range: “€ 4.50”, “12 %”, “24:7”, “10–12”. */
const number =
  /^[^\p{L}\p{N}]{0,4}\p{Nd}[\p{Nd}.,'’ \u00a0\u202f]*(?:[:–/-]\p{Nd}[\p{Nd}.,]*)?\s?[^\p{Nd}\s]{0,5}(?:\/\p{L}+)*$/u;
const isMissing = (cell: string): boolean => !/[\p{L}\p{N}]/u.test(cell);
/** Matches a word that stands for a number: “Free”, “n/a”. */
const isStandIn = (cell: string): boolean => cell.length <= 8 && !/\s/u.test(cell);

/** Returns whether a column contains numbers. Some of its cells may be empty, a dash or a word such as “Free”. */
export function isNumberColumn(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => !isMissing(cell));
  const numbers = filled.filter((cell) => number.test(cell));
  const others = filled.filter((cell) => !number.test(cell));
  return numbers.length > others.length * 2 && others.every(isStandIn);
}

/** Returns the characters that separate decimals in a column: those before one, two or more than three last digits. */
function decimalMarks(cells: readonly string[]): string {
  return ['.', ',']
    .filter((mark) => cells.some((cell) => new RegExp(`\\p{Nd}[${mark}](?:\\p{Nd}{1,2}|\\p{Nd}{4,})(?!\\p{Nd})`, 'u').test(cell)))
    .join('');
}

/**
 * Returns the part of each cell after its integer digits: decimals, unit, the second number of a score. The integer digits of a
 * column end at the same place, whatever follows them.
 */
export function tailsOf(cells: readonly string[]): string[] {
  const decimals = decimalMarks(cells);
  const groups = [...".,'’ \u00a0\u202f"].filter((mark) => !decimals.includes(mark)).join('');
  const whole = new RegExp(`^[^\\p{Nd}]*\\p{Nd}+(?:[${groups}]\\p{Nd}{3}(?!\\p{Nd}))*`, 'u');
  return cells.map((cell) => (number.test(cell) ? cell.slice(whole.exec(cell)?.[0].length ?? 0) : ''));
}
