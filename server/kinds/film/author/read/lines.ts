/** A line of the request. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly indent: number;
  readonly isBlank: boolean;
}

export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push({
      start,
      end: start + line.length,
      text: line,
      indent: line.length - line.trimStart().length,
      isBlank: line.trim() === '',
    });
    start += line.length + 1;
  }
  return lines;
}

const box = '(?:\\[[ xX✓✔]?\\]|[✓✔✅☑☒☐□⬜🔲]\\uFE0F?)\\s';
const checkbox = new RegExp(`^\\s*(?:(?:[-*•+]|\\(?\\d{1,2}[.)])\\s+)?(${box})\\s*`, 'u');
const nextBox = new RegExp(`[,;]?\\s+(?=${box}\\s*\\S)`, 'gu');

/** Returns the checkbox at the start of the text, with the length of everything before the words, or `null` if there is none. */
export function boxOf(text: string): { readonly length: number; readonly done: boolean } | null {
  const found = checkbox.exec(text);
  return found === null ? null : { length: found[0].length, done: /[xX✓✔✅☑☒]/u.test(found[1] ?? '') };
}

/** Splits a line that starts with a checkbox and has others: “☑ Tickets ☐ Suitcase”. */
export function boxedParts(line: Line): Line[] {
  if (boxOf(line.text) === null) return [line];
  const parts: Line[] = [];
  let from = 0;
  for (const { 0: gap, index } of [...line.text.matchAll(nextBox), { 0: '', index: line.text.length }]) {
    if (line.text.slice(from, index).trim().length < 3) continue;
    parts.push({ ...line, start: line.start + from, end: line.start + index, text: line.text.slice(from, index) });
    from = index + gap.length;
  }
  return parts;
}

/** Returns the number of JSON brackets that a line opens minus the number that it closes. */
export function depthChange(line: string): number {
  let change = 0;
  for (const character of line) {
    if ('[{'.includes(character)) change++;
    else if (']}'.includes(character)) change--;
  }
  return change;
}
