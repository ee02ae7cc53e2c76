import type { Motion, Style } from '../../../contract/film.ts';
import { programOf, type Way } from '../programs.ts';
import { numberWord, timesWord } from './names.ts';

export const from = { left: 'right', right: 'left', up: 'below', down: 'above' } as const;

const side = (direction: keyof typeof from): string =>
  direction === 'left' || direction === 'right' ? `the ${from[direction]}` : from[direction];

/** "wave" → "waves", "fly" → "flies". */
export function thirdPerson(verb: string): string {
  if (/(?:s|x|z|ch|sh|o)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

const goes: readonly Way[] = ['cross', 'zigzag', 'arc'];

/** Where a program takes it, behind its verb. */
function wayWords({ program, direction, times }: Extract<Motion, { type: 'act' }>): string {
  const { way } = programOf(program);
  const often = times === undefined ? '' : ` ${timesWord(times)}`;
  if (goes.includes(way))
    return ` across the frame${direction === undefined ? '' : ` ${direction === 'up' || direction === 'down' ? `${direction}wards` : `to the ${direction}`}`}${often}`;
  if (way === 'enter') return ` in from ${side(direction ?? 'right')}`;
  if (way === 'leave') return ' out of the frame';
  return often;
}

/** Singular and plural of what a thing does. */
export function does(motion: Motion, style: Style): readonly [string, string] {
  switch (motion.type) {
    case 'act': {
      const tail = wayWords(motion);
      return [`${thirdPerson(motion.verb)}${tail}`, `${motion.verb}${tail}`];
    }
    case 'bounce': {
      const tail = motion.times === 1 ? '' : ', lower every time';
      return [
        `drops in and bounces ${timesWord(motion.times)}${tail}`,
        `drop in one after the other and bounce ${timesWord(motion.times)}${tail}`,
      ];
    }
    case 'jump':
      return [`crouches and jumps ${timesWord(motion.times)}`, `crouch and jump ${timesWord(motion.times)}, a beat apart`];
    case 'roll':
      return [
        `rolls in from the ${from[motion.direction]}, turning exactly as far as it travels`,
        `roll in from the ${from[motion.direction]}, one behind the other`,
      ];
    case 'slide':
      return [
        `slides in from ${side(motion.direction)} and settles`,
        `slide in from ${side(motion.direction)} in a staggered row`,
      ];
    case 'spin': {
      const turns =
        motion.turns === 1
          ? 'one full turn'
          : motion.turns === 0.5
            ? 'half a turn'
            : `${Number.isInteger(motion.turns) ? numberWord(motion.turns) : motion.turns} turns`;
      return [
        `makes ${turns}${style === 'cinematic' ? ', the light sweeping over it' : ''}`,
        `make ${turns}, slightly out of step`,
      ];
    }
    case 'float':
      return ['hovers, rising and sinking like a breath', 'hover, each in a rhythm of its own'];
    case 'pulse':
      return [`beats ${timesWord(motion.times)}`, `beat ${timesWord(motion.times)} together`];
    case 'grow':
      return ['grows from a point to full size', 'grow from points to full size, one after the other'];
    case 'shrink':
      return ['draws together until it is gone', 'draw together until they are gone'];
    case 'drop':
      return ['falls in and lands with weight', 'fall in and land one by one'];
    case 'swing':
      return ['swings like a pendulum and comes to rest', 'swing like pendulums, slightly apart'];
    case 'explode':
      return ['swells, holds for a blink and bursts', 'swell, hold for a blink and burst'];
    case 'fly':
      return ['flies in on a long arc', 'fly in on long arcs'];
    case 'appear':
      return ['comes up out of nothing', 'come up one after the other'];
  }
}
