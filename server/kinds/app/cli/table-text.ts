const maxWidth = 40;

/** Returns the lines of a table for a terminal. Cells are cut after 40 characters. */
export function tableLines(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [header, ...rows].map((row) => row.map(shortened));
  const widths = header.map((_name, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function shortened(cell: string): string {
  const line = cell.replace(/\s+/g, ' ');
  return line.length > maxWidth ? `${line.slice(0, maxWidth - 1)}…` : line;
}
