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

/** Returns how many more brackets of JSON a line opens than it closes. */
export function depthChange(line: string): number {
  let change = 0;
  for (const character of line) {
    if ('[{'.includes(character)) change++;
    else if (']}'.includes(character)) change--;
  }
  return change;
}
