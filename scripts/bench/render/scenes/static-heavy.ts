import { drawSlide, mountSlide } from './slide.ts';

export const mount = mountSlide;

const periodSeconds = 3;
const holdFromSeconds = 0.9;
const holdSeconds = 1.2;

/** A slide that holds: of every three seconds it is still for 1.2, 40 % of its frames. */
export function draw(seconds: number): void {
  const round = Math.floor(seconds / periodSeconds);
  const local = seconds - round * periodSeconds;
  const held = Math.min(Math.max(local - holdFromSeconds, 0), holdSeconds);
  // To the microsecond: what differs in the sixteenth digit does not stand still.
  drawSlide(Math.round((round * (periodSeconds - holdSeconds) + local - held) * 1e6) / 1e6);
}
