import { sunColor } from '../color.ts';
import { fold } from './fold.ts';
import type { Meaning } from './lexemes.ts';
import type { State } from './state.ts';
import { takeMods } from './state.ts';
import { newSubject } from './wishes.ts';

const circling =
  /^(?:orbit|orbits|orbiting|orbited|circle|circles|circling|circle around|circling around|around|round|um|autour|alrededor)$/;
const inside = new Set<Meaning['kind']>(['article', 'color', 'shade', 'size', 'rainbow']);

/** Whether what stands at `at` is what something goes around: "planets orbit a golden [star]". */
function isCircled(state: State, at: number): boolean {
  for (let i = at - 1; i >= Math.max(0, at - 8); i -= 1) {
    const lexeme = state.lexemes[i];
    if (lexeme === undefined) return false;
    if (inside.has(lexeme.meaning.kind)) continue;
    const text = fold(lexeme.text);
    // "autour d'une étoile", "alrededor de una estrella".
    if (/^(?:de|d|of|the)$/.test(text)) continue;
    return circling.test(text);
  }
  return false;
}

/**
 * "Planets orbit a golden star", "electrons around a nucleus", "moons around a planet": what stands at `at` is the
 * middle of the system and gives it its colour. False when nothing goes around it.
 */
export function orbitCore(
  state: State,
  at: number,
  ref: { readonly kind: string; readonly color?: string; readonly shape?: string },
): boolean {
  if (state.negated || !['ball', 'cube', 'shape', 'orbit'].includes(ref.kind) || !isCircled(state, at)) return false;
  const { subjects } = state.clause;
  const last = subjects.at(-1);
  if (last === undefined) return false;
  let system = subjects.find((subject) => subject.ref.kind === 'orbit');
  if (system !== undefined && state.cored.has(system)) return false;
  const mods = takeMods(state);
  if (system === undefined) {
    // "three balls around a planet", but not "a ball rolls around a cube".
    if (ref.kind !== 'orbit' || last.ref.kind !== 'ball') {
      state.mods = mods;
      return false;
    }
    system = newSubject({ kind: 'orbit' }, { mods, plural: false });
    system.count = null;
    subjects.push(system);
  }
  // A star in the middle of planets is a sun.
  system.color = mods.colors[0] ?? ref.color ?? (ref.shape === 'star' ? sunColor : last.ref.kind === 'orbit' ? last.color : null);
  state.cored.add(system);
  state.focus = system;
  state.group = [system];
  state.details += 1;
  return true;
}
