import { round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import { type Meeting, type Moves, type Part, type Player, pressed, rolled, type Setting } from './players.ts';

/** A meeting that is choreographed rather than computed: where the bodies go is the point, not what happens to them. */
export type Way = (who: readonly Player[], whom: readonly Player[], setting: Setting) => Meeting;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
export const middle = (players: readonly Player[]): number => mean(players.map(({ place }) => place[0]));
export const widest = (players: readonly Player[]): number => Math.max(...players.map(({ radius }) => radius));
/** Half the height of the tallest. */
export const tallest = (players: readonly Player[]): number => Math.max(...players.map(({ halfHeight }) => halfHeight));
/** The height of their middle. */
export const centre = (players: readonly Player[]): number => mean(players.map(({ place }) => place[1]));
export const side = (who: readonly Player[], whom: readonly Player[]): 1 | -1 => (middle(who) <= middle(whom) ? 1 : -1);

export function parts(
  players: readonly Player[],
  movesOf: (player: Player, index: number) => Moves,
  at: readonly number[] = [],
): Part[] {
  const touches = at.map((time) => ({ time: round(time), strength: 0.7 }));
  return players.map((player, index) => ({ moves: movesOf(player, index), touches }));
}

/** What goes to the side by its gait: round bodies roll, others hop a little with each step, slide or hang in the air. */
export function walked(player: Player, x: readonly KeyStop[], { playful, speed, gait }: Setting): Moves {
  if (gait === 'slide' || gait === 'air') return { x };
  if (player.round || gait === 'roll')
    return { x, rotateZ: x.map((key) => ({ ...key, value: rolled(key.value, player), note: null })) };
  const stepSeconds = 0.3 / speed;
  const lift = player.halfHeight * (playful ? 0.3 : 0.14);
  const y: KeyStop[] = [stop(0, 0)];
  const rotateZ: KeyStop[] = [stop(0, 0)];
  x.forEach((key, index) => {
    const before = x[index - 1];
    if (before === undefined || before.value === key.value) return;
    const steps = Math.max(1, Math.round((key.time - before.time) / stepSeconds));
    const seconds = (key.time - before.time) / steps;
    if (before.time > (y.at(-1)?.time ?? 0)) y.push(stop(before.time, 0, 'linear'));
    if (before.time > (rotateZ.at(-1)?.time ?? 0)) rotateZ.push(stop(before.time, 0, 'linear'));
    for (let step = 0; step < steps; step += 1) {
      const from = before.time + step * seconds;
      y.push(stop(round(from + seconds / 2), round(lift), 'rise'), stop(round(from + seconds), 0, 'fall'));
      const lean = step === steps - 1 ? 0 : (step % 2 === 0 ? 1 : -1) * (playful ? 5 : 2.5);
      rotateZ.push(stop(round(from + seconds), lean, 'swingOver'));
    }
  });
  return { x, y, rotateZ };
}

/** An arc from where the bodies are to `(dx, dy)` away, `height` above the higher of both ends. */
export function arc(from: number, until: number, dx: number, dy: number, height: number): Pick<Moves, 'x' | 'y'> {
  const top = Math.max(0, dy) + height;
  // Two parabolas that share their top: times go with the roots of the heights.
  const up = Math.sqrt(top) / (Math.sqrt(top) + Math.sqrt(top - dy));
  const peak = from + (until - from) * up;
  return {
    x: [stop(0, 0), stop(round(from), 0, 'linear'), stop(round(until), round(dx), 'linear')],
    y: [
      stop(0, 0),
      stop(round(from), 0, 'linear'),
      stop(round(peak), round(top), 'rise'),
      stop(round(until), round(dy), 'fall', 'lands'),
    ],
  };
}

/** A jump needs a crouch before it. */
export function leap(
  player: Player,
  from: number,
  until: number,
  dx: number,
  dy: number,
  height: number,
  setting: Setting,
): Moves {
  const low = 1 - (1 - setting.manner.impactSquash) * 0.8;
  return {
    ...arc(from, until, dx, dy, height),
    squash: [
      stop(0, 1),
      stop(round(from - 0.24), 1, 'linear'),
      stop(round(from - 0.06), round(low), 'easeOutCubic', 'crouches'),
      stop(round(from), 1.06, 'easeInCubic'),
      stop(round((from + until) / 2), 1, 'easeInOutCubic'),
      ...pressed(until, player.round ? 1 : 0.7, setting),
    ],
  };
}
