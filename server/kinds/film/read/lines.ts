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
