import type { Formation, Subject } from '../../../../contract/film.ts';

/** Where the middle of a body is, from the middle of the formation and up from where the lowest ones are. In radii. */
type Spot = readonly [x: number, y: number];

/** Between the middles of neighbours, in radii: side by side they have air, on one another they touch. */
const step = 2.3;
const rise = 1.94;

const rowOf = (count: number, y: number, apart = step): Spot[] =>
  Array.from({ length: count }, (_, index): Spot => [(index - (count - 1) / 2) * apart, y]);

/** From the floor up, each row one less than the one below; the top row has what is left. */
function rowsOfPyramid(count: number): number[] {
  let base = 1;
  while ((base * (base + 1)) / 2 < count) base += 1;
  const rows: number[] = [];
  for (let left = count, length = base; left > 0; length -= 1) {
    rows.push(Math.min(left, Math.max(1, length)));
    left -= Math.max(1, length);
  }
  return rows;
}

/** A heap is a pyramid that nobody built: every body lies a little off its place. */
const untidy = (index: number): number => [0.1, -0.22, 0.26, -0.08, 0.18, -0.28, 0][index % 7] ?? 0;

export const formationOf = (subject: Subject): Formation | undefined => ('formation' in subject ? subject.formation : undefined);

export function formationSpots(formation: Formation, count: number): Spot[] {
  switch (formation) {
    case 'row':
      return rowOf(count, 0);
    case 'column':
      return Array.from({ length: count }, (_, index): Spot => [0, index * rise]);
    case 'grid': {
      const columns = Math.ceil(Math.sqrt(count));
      return Array.from({ length: Math.ceil(count / columns) }, (_, row) =>
        rowOf(Math.min(columns, count - row * columns), row * step),
      ).flat();
    }
    case 'circle': {
      const radius = Math.max(1.6, (count * step) / (2 * Math.PI));
      return Array.from({ length: count }, (_, index): Spot => {
        const angle = Math.PI / 2 - (index / count) * 2 * Math.PI;
        return [radius * Math.cos(angle), radius * (1 + Math.sin(angle))];
      });
    }
    case 'pyramid':
      return rowsOfPyramid(count).flatMap((length, row) => rowOf(length, row * rise, 2.06));
    case 'pile':
      return rowsOfPyramid(count)
        .flatMap((length, row) => rowOf(length, row * rise * 0.8, 1.8))
        .map(([x, y], index): Spot => [x + untidy(index), Math.max(0, y + (y > 0 ? untidy(index + 2) : 0))]);
  }
}

/** How wide and how high spots reach, in radii, the bodies themselves included. */
export function extentOf(spots: readonly Spot[]): { readonly width: number; readonly height: number } {
  const reach = Math.max(...spots.map(([x]) => Math.abs(x)));
  return { width: 2 * reach + 2, height: Math.max(...spots.map(([, y]) => y)) + 2 };
}
