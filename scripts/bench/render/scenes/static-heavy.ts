import { drawSlide, mountSlide } from './slide.ts';

export const mount = mountSlide;

/** A slide that holds: of every three seconds it moves for 1.8 and is still for 1.2, 40 % of its frames. */
export function draw(seconds: number): void {
  const round = Math.floor(seconds / 3);
  const local = seconds - round * 3;
  const moved = Math.min(local, 0.9) + Math.min(Math.max(local - 1.5, 0), 0.9);
  drawSlide(round * 1.8 + moved);
}
