import { held } from './hold.ts';
import { draw as drawWorld, mount as mountWorld } from './three-light.ts';

export const mount = mountWorld;

/** The world of `three-light` with holds, in which it is drawn anew for every frame, as films in WebGL are. */
export function draw(seconds: number): void {
  drawWorld(held(seconds));
}
