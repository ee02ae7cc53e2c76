import { readFileSync } from 'node:fs';
import type { PlaceName } from '../../contract/film.ts';

/** How large a thing is, and where one expects it. */
export interface Nature {
  /** Its longer side. */
  readonly metres: number;
  readonly home: PlaceName | null;
  /** It may be found elsewhere as well: another thing's home is the better guess. */
  readonly elsewhere: boolean;
}

/** The drawings of a table, each with the line that it stands in. */
function tableOf(name: 'natures' | 'extents'): (readonly [line: string, drawing: string])[] {
  const lines = JSON.parse(readFileSync(`${import.meta.dirname}/${name}.json`, 'utf8')) as Record<string, string>;
  return Object.entries(lines).flatMap(([line, drawings]) => drawings.split('|').map((drawing) => [line, drawing] as const));
}

let natures: ReadonlyMap<string, Nature> | null = null;

/** Of a drawing; null where its nouns say nothing (`scripts/natures.ts` asks WordNet). */
export function natureOf(drawing: string): Nature | null {
  natures ??= new Map(
    tableOf('natures').map(([nature, drawing]) => {
      const [metres = '', home = ''] = nature.split(' ');
      const place = home === '-' ? null : (home.replace('?', '') as PlaceName);
      return [drawing, { metres: Number(metres), home: place, elsewhere: home.endsWith('?') }] as const;
    }),
  );
  return natures.get(drawing) ?? null;
}

export interface Extent {
  readonly wide: number;
  readonly high: number;
}
let extents: ReadonlyMap<string, Extent> | null = null;

/** How wide and how high a drawing is, as shares of its longer side (`scripts/extents.ts` measures). */
export function extentOf(drawing: string): Extent {
  extents ??= new Map(
    tableOf('extents').map(([extent, drawing]) => {
      const [wide, high] = extent.split(' ').map(Number);
      return [drawing, { wide: wide ?? 1, high: high ?? 1 }] as const;
    }),
  );
  return extents.get(drawing) ?? { wide: 1, high: 1 };
}

/** What is larger than anything on earth is in the sky. */
const skyMetres = 1000;
const isSky = ({ home, metres }: Nature): boolean => home === 'sky' && metres >= skyMetres;
/** Whether a drawing is one of the sun, the moon, a star, a cloud. */
export function isInSky(drawing: string): boolean {
  const nature = natureOf(drawing);
  return nature !== null && isSky(nature);
}

/** A thing that is so much larger than another is where the film plays, whatever the other one is used to. */
const dominant = 4;

/** Where things are at home together: where the largest is, unless another is found nowhere else. */
export function homeOf(all: readonly Nature[]): PlaceName | null {
  const earthly = all.filter((nature) => !isSky(nature));
  const housed = (earthly.length > 0 ? earthly : all)
    .filter(({ home }) => home !== null)
    .toSorted((one, other) => other.metres - one.metres);
  const [largest] = housed;
  const bound = housed.find(({ elsewhere }) => !elsewhere);
  return (
    (bound !== undefined && largest !== undefined && largest.metres <= bound.metres * dominant ? bound : largest)?.home ?? null
  );
}

/** In the sky, distance makes small what is large. */
const skySize = 0.7;
/** A picture that keeps the true proportions shows the small as dots. */
const sizePower = 0.3;
const leastSize = 0.42;

/** How large things are drawn beside each other, 1 = as the largest; null stands for what has no size of its own. */
export function proportions(all: readonly (Nature | null)[]): number[] {
  const grounded = all.filter((nature) => nature !== null && !isSky(nature));
  const largest = Math.max(...grounded.map((nature) => nature?.metres ?? 0));
  return all.map((nature) => {
    if (nature === null || grounded.length === 0 || all.length < 2) return 1;
    if (isSky(nature)) return skySize;
    return Math.min(1, Math.max(leastSize, (nature.metres / largest) ** sizePower));
  });
}
