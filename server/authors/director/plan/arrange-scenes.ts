import type { MotionType } from '../../../contract/film.ts';
import { maxDurationSeconds, minSceneSeconds } from '../../../contract/film.ts';
import type { Clause, SubjectWish } from '../brief/brief.ts';
import { newMotion } from '../brief/wishes.ts';

/** A4: up to 7 scenes under 30 s, up to 15 beyond; none shorter than a scene may be. */
export function maxScenes(totalSeconds: number): number {
  return Math.max(1, Math.min(totalSeconds < 30 ? 7 : 15, Math.floor(totalSeconds / minSceneSeconds + 1e-9)));
}

/** Without a wish: 5 to 10 s, more only when that many scenes do not fit. */
export function defaultTotal(neededSeconds: number, scenes: number): number {
  const comfortable = Math.min(10, Math.max(5, neededSeconds));
  const least = scenes > 7 ? 30 : scenes * minSceneSeconds;
  return Math.min(maxDurationSeconds, Math.max(comfortable, least));
}

const weight = (clause: Clause): number => clause.subjects.length + clause.texts.length;

function merged(one: Clause, other: Clause): Clause {
  return {
    subjects: [...one.subjects, ...other.subjects],
    texts: [...one.texts, ...other.texts],
    meetings: [...one.meetings, ...other.meetings],
    scenery: one.scenery ?? other.scenery,
    background: one.background ?? other.background,
    durationSeconds:
      one.durationSeconds === null && other.durationSeconds === null
        ? null
        : (one.durationSeconds ?? 0) + (other.durationSeconds ?? 0),
    speed: one.speed === 1 ? other.speed : one.speed,
    camera: one.camera ?? other.camera,
    sequenced: one.sequenced,
    still: one.still ?? other.still,
    inTurn: false,
  };
}

/** Neighbours share a scene until there are few enough; the emptiest pair first. */
export function fitClauses(clauses: readonly Clause[], most: number): Clause[] {
  const fitted = [...clauses];
  while (fitted.length > most) {
    let best = 0;
    for (let i = 1; i + 1 < fitted.length; i += 1) {
      if (pairWeight(fitted, i) < pairWeight(fitted, best)) best = i;
    }
    const [one, other] = [fitted[best], fitted[best + 1]];
    if (one === undefined || other === undefined) break;
    fitted.splice(best, 2, merged(one, other));
  }
  return fitted;
}

const pairWeight = (clauses: readonly Clause[], i: number): number => {
  const [one, other] = [clauses[i], clauses[i + 1]];
  return one === undefined || other === undefined ? Number.POSITIVE_INFINITY : weight(one) + weight(other);
};

/** A scene that goes on longer than this without anything new drags. */
const longSceneSeconds = 12;
const restMotions: readonly MotionType[] = ['float', 'spin', 'pulse', 'swing'];
const bodies = new Set<SubjectWish['ref']['kind']>(['ball', 'cube', 'shape', 'figure', 'logo']);

/** The same things at rest: what was told to happen once is not told again. */
function resting(clause: Clause, turn: number): Clause {
  const type = restMotions[turn % restMotions.length] ?? 'float';
  return {
    ...clause,
    subjects: clause.subjects.map((subject) =>
      bodies.has(subject.ref.kind) ? { ...subject, definite: true, motion: newMotion(type) } : { ...subject, definite: true },
    ),
    texts: [],
    meetings: [],
    durationSeconds: null,
    camera: null,
    still: null,
    sequenced: true,
  };
}

/** Long films of few words get further scenes with the same things; the last one brings the title back. */
export function extendClauses(clauses: readonly Clause[], totalSeconds: number): Clause[] {
  const wanted = Math.min(maxScenes(totalSeconds), Math.ceil(totalSeconds / longSceneSeconds));
  const able = clauses.filter((clause) => clause.subjects.some((subject) => bodies.has(subject.ref.kind)));
  if (clauses.length >= wanted || able.length === 0 || clauses.some((clause) => clause.durationSeconds !== null))
    return [...clauses];
  const extra = wanted - clauses.length;
  const perClause = able.map((_, i) => Math.floor(extra / able.length) + (i < extra % able.length ? 1 : 0));
  const extended = clauses.flatMap((clause) => {
    const more = perClause[able.indexOf(clause)] ?? 0;
    return [clause, ...Array.from({ length: more }, (_, i) => resting(clause, i))];
  });
  const title = clauses.flatMap((clause) => clause.texts)[0];
  const last = extended.at(-1);
  if (title !== undefined && last !== undefined && last.texts.length === 0)
    extended[extended.length - 1] = { ...last, texts: [{ ...title, delaySeconds: null, position: null }] };
  return extended;
}
