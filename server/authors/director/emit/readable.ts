import type { Film, FilmScene } from '../../../contract/film.ts';
import { contrast, mix } from '../color.ts';

/** WCAG AA for text. */
const textContrast = 4.5;

/** The colour itself when it can be read on this ground, else moved as little as needed towards black or white. */
export function readable(color: string, ground: string): string {
  const target = contrast('#ffffff', ground) > contrast('#000000', ground) ? '#ffffff' : '#000000';
  for (let share = 0; share < 1; share += 0.1) {
    const candidate = mix(color, target, share);
    if (contrast(candidate, ground) >= textContrast) return candidate;
  }
  return target;
}

/** The colour of the ground behind a box (in per cent of the frame). */
export function groundBehind(
  { palette }: Film,
  { background }: FilmScene,
  box: { readonly y: number; readonly height: number },
): string {
  const { top, bottom } = background ?? { top: palette.backgroundTop, bottom: palette.backgroundBottom };
  return box.y + box.height / 2 < 50 ? top : bottom;
}
