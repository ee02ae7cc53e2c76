import { held } from './hold.ts';
import { drawSlide, mountSlide } from './slide.ts';

export const mount = mountSlide;

/** A slide with holds. */
export function draw(seconds: number): void {
  drawSlide(held(seconds));
}
