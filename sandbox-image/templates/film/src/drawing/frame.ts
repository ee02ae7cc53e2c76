import type { FilmDefinition } from '../stage/film-definition.ts';
import type { Rect } from '../themes/theme.ts';

/** `wide` is 16:9, `square` is 1:1, `tall` is 9:16 or 4:5. */
export type FrameShape = 'wide' | 'square' | 'tall';

/** The frame in design pixels: its shorter side is 1080. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly shape: FrameShape;
  /** True for 9:16, where platforms cover the top and the bottom with buttons. */
  readonly story: boolean;
  /** Area for text: margins of 8 %. In 9:16 it also excludes the upper 12 % and the lower 20 %. */
  readonly safe: Rect;
  /** Returns the CSS `left` of an element at `x` from the start edge. */
  left(x: number, width: number): number;
  readonly rightToLeft: boolean;
}

const shorterSide = 1080;
const margin = 0.08;

function shapeOf(width: number, height: number): FrameShape {
  if (width > height * 1.1) return 'wide';
  return height > width * 1.1 ? 'tall' : 'square';
}

export function frameOf(film: Pick<FilmDefinition, 'width' | 'height'>, rightToLeft: boolean): Frame {
  const unit = shorterSide / Math.min(film.width, film.height);
  const width = Math.round(film.width * unit);
  const height = Math.round(film.height * unit);
  const story = height / width > 1.5;
  const top = story ? height * 0.12 : height * margin;
  const bottom = story ? height * 0.8 : height * (1 - margin);
  const side = width * margin;
  return {
    width,
    height,
    shape: shapeOf(width, height),
    story,
    safe: { x: side, y: top, width: width - 2 * side, height: bottom - top },
    left: (x, itemWidth) => (rightToLeft ? width - x - itemWidth : x),
    rightToLeft,
  };
}
