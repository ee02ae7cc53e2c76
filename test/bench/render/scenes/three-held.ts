import { held } from './hold.ts';
import { draw as drawWorld, mount as mountWorld } from './three-light.ts';

export const mount = mountWorld;

/** The world from `three-light` with holds, during which it is redrawn for every frame, as in WebGL films. */
export function draw(seconds: number): void {
  drawWorld(held(seconds));
}
