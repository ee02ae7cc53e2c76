import type { Film, Motion } from '../../../contract/film.ts';
import { round } from './frame.ts';
import { manners } from './style.ts';

/** How one body of a group differs from the one that leads it. */
export interface Member {
  readonly delaySeconds: number;
  /** 1 = as large, and moving as far, as it was designed. */
  readonly size: number;
}

/** The last of a group starts this long after the first at most: it is still one gesture. */
const longestWaveSeconds = 0.5;
const loneMember: Member = { delaySeconds: 0, size: 1 };

/** A number in 0…1 that looks random but is a function of its arguments alone. */
function seeded(index: number, seed: number, salt: number): number {
  let x = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b) ^ Math.imul(salt + 1, 0xc2b2ae35);
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return ((x ^ (x >>> 15)) >>> 0) / 4294967296;
}

/** Whether bodies that do this have a life of their own, like people who jump together. */
export function isLively(motion: Motion): boolean {
  return ['bounce', 'jump', 'drop', 'float', 'act'].includes(motion.type);
}

/**
 * The members of a group in the order in which they follow one another: evenly for choreographed moves;
 * 0.06–0.12 s apart and up to 8 % smaller or larger for what bounces or floats, or all would move like one stamp.
 */
export function staggerOf(count: number, motion: Motion, film: Film): readonly Member[] {
  if (count < 2) return [loneMember];
  const steps = Array.from({ length: count - 1 }, (_, index) =>
    isLively(motion) ? 0.06 + 0.06 * seeded(index, film.seed, 1) : manners[film.style].staggerSeconds,
  );
  const total = steps.reduce((sum, step) => sum + step, 0);
  const squeeze = Math.min(1, longestWaveSeconds / total);
  let delay = 0;
  return Array.from({ length: count }, (_, index): Member => {
    delay += index === 0 ? 0 : (steps[index - 1] ?? 0) * squeeze;
    return { delaySeconds: round(delay), size: isLively(motion) ? round(0.92 + 0.16 * seeded(index, film.seed, 2), 2) : 1 };
  });
}
