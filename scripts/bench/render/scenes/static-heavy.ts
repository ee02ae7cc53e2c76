import { drawSlide, mountSlide } from './slide.ts';

export const mount = mountSlide;

/** A slide that holds: of every second it moves for 0.6 and is still for 0.4, 40 % of its frames. */
export function draw(seconds: number): void {
  const round = Math.floor(seconds);
  drawSlide(round * 0.6 + Math.min(seconds - round, 0.6));
}
