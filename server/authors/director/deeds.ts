import type { MeetingVerb } from '../../contract/film.ts';
import { type ProgramName, programOf } from './programs.ts';

/** What one does to another: how the two move, and what the other does from the contact on. */
export interface Deed {
  readonly verb: MeetingVerb;
  readonly effect?: ProgramName;
}

/** By name; the verbs that lead here are in `brief/verbs.json` (`scripts/verbs.ts`). */
export const deeds = {
  take: { verb: 'carry' },
  give: { verb: 'carry' },
  put: { verb: 'carry' },
  make: { verb: 'do', effect: 'sprout' },
  clean: { verb: 'do', effect: 'sparkle' },
  clear: { verb: 'do', effect: 'fade-out' },
  tend: { verb: 'do', effect: 'inflate' },
  wake: { verb: 'do', effect: 'stand-up' },
  light: { verb: 'do', effect: 'switch-on' },
  'put-out': { verb: 'do', effect: 'switch-off' },
  press: { verb: 'do', effect: 'press' },
  break: { verb: 'do', effect: 'topple' },
  stop: { verb: 'do', effect: 'freeze' },
  move: { verb: 'do', effect: 'wobble' },
  tie: { verb: 'do', effect: 'wiggle' },
  change: { verb: 'do', effect: 'flip' },
  hold: { verb: 'embrace' },
  fight: { verb: 'collide' },
  watch: { verb: 'watch' },
  lift: { verb: 'lift' },
  pour: { verb: 'pour', effect: 'bob' },
  visit: { verb: 'reach' },
  lead: { verb: 'pull' },
} as const satisfies Readonly<Record<string, Deed>>;

export type DeedName = keyof typeof deeds;

/** Verbs of programs that say where one goes when there is an object. */
const byProgram: Readonly<Partial<Record<ProgramName, Deed>>> = {
  cross: { verb: 'past' },
  pass: { verb: 'past' },
  enter: { verb: 'into' },
  leave: { verb: 'out-of' },
  climb: { verb: 'land-on' },
  approach: { verb: 'reach' },
  circle: { verb: 'circle' },
  look: { verb: 'watch' },
  eat: { verb: 'eat' },
  drink: { verb: 'eat' },
  juggle: { verb: 'juggle' },
  walk: { verb: 'pull' },
  drive: { verb: 'ride' },
  ride: { verb: 'ride' },
  skate: { verb: 'ride' },
  sail: { verb: 'ride', effect: 'sail' },
  fly: { verb: 'ride', effect: 'fly' },
  land: { verb: 'ride', effect: 'fly' },
  soar: { verb: 'ride', effect: 'fly' },
};

export const wayByProgram = (program: string): Deed | undefined => byProgram[program as ProgramName];

/** What becomes of an object by a verb with a program is the program itself, where that is no way to go. */
export const effectDeed = (program: string): Deed => ({
  verb: 'do',
  effect: programOf(program).way === 'stay' ? (program as ProgramName) : 'wobble',
});
