import type { ContenderName } from './contenders/contender.ts';

export const titles: Readonly<Record<ContenderName, string>> = {
  ours: 'Koda',
  naive: 'naive',
  remotion: 'Remotion',
  hyperframes: 'HyperFrames',
};
export const order: readonly ContenderName[] = ['ours', 'naive', 'remotion', 'hyperframes'];
export const peers = order.filter((name) => name !== 'ours');

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const none = '–';

export function number(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? none : value.toFixed(digits);
}

export function times(value: number | undefined): string {
  return value === undefined ? none : `${value.toFixed(2)}×`;
}

/** Pads columns to their widest cell and aligns figures to the right. */
export function plainText({ head, rows }: Table): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? '';
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)].join('\n');
}

export function markdown({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** Returns a sentence about a run on a busy machine, otherwise nothing. */
export function busyNote(busy: boolean): string {
  return busy ? ' The machine did other work at the same time (`--busy`), so the figures are too low and unfair.' : '';
}

export function rounds(count: number): string {
  return `${count} ${count === 1 ? 'round' : 'rounds'}`;
}
