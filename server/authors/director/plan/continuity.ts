import type { Film, FilmScene, Motion, Subject } from '../../../contract/film.ts';
import { isBody } from '../emit/layout/traits.ts';
import { endingsIn } from '../emit/staging.ts';
import { programOf } from '../programs.ts';
import type { Numbering } from './scenes.ts';

/** More bodies than this are no picture; who is not spoken of makes way. */
const mostBodies = 8;

/** What a subject looks like, apart from its number and colour. */
const lookOf = (subject: Subject): string =>
  JSON.stringify([
    subject.kind,
    subject.kind === 'shape' ? subject.shape : null,
    subject.kind === 'figure' ? subject.drawing : null,
  ]);
const numberOf = (subject: Subject): number => ('count' in subject ? subject.count : 1);
const isSame = (one: Subject, other: Subject): boolean => lookOf(one) === lookOf(other) && numberOf(one) === numberOf(other);

/** What goes on while nobody speaks of it: a fire burns, a cat sleeps; a jump is over. */
function meanwhile(motion: Motion): Motion {
  if (motion.type !== 'act') return motion.type === 'float' ? motion : { type: 'appear' };
  const { way, swings, lasts } = programOf(motion.program);
  return way === 'stay' && swings.length > 0 && !lasts && motion.times === undefined ? motion : { type: 'appear' };
}

/** The colour that a subject has in the end. */
const lastColor = (subject: Subject): string => ('becomes' in subject ? subject.becomes : undefined) ?? subject.color;

/** Somebody of the scene before who is not spoken of: there, and at rest. */
function bystander(subject: Subject, id: string): Subject {
  const { arranged, ...own } = subject;
  if ('becomes' in own) delete own.becomes;
  return { ...own, id, color: lastColor(subject), motion: meanwhile(subject.motion), was: subject.id };
}

/** The scene as one that goes on from the one before: everybody of both, who is the same marked so. Null when nobody is. */
function merged(before: FilmScene, scene: FilmScene, newId: (subject: Subject) => string): FilmScene | null {
  const free = before.subjects.filter(isBody);
  const same = (subject: Subject, one: Subject): Subject => {
    const color = 'becomes' in one && one.becomes !== undefined ? one.becomes : subject.color;
    return { ...subject, color, size: one.size, was: one.id };
  };
  const subjects = scene.subjects.flatMap((subject): Subject[] => {
    if (!isBody(subject)) return [subject];
    const index = free.findIndex((one) => isSame(one, subject));
    const [one] = index < 0 ? [] : free.splice(index, 1);
    if (one !== undefined) return [same(subject, one)];
    // "The top two fall": the others stay.
    const more = free.findIndex((other) => lookOf(other) === lookOf(subject) && numberOf(other) > numberOf(subject));
    const [all] = more < 0 ? [] : free.splice(more, 1);
    if (all === undefined || !('count' in subject)) return [subject];
    const rest = bystander(all, newId(all));
    return [{ ...rest, count: numberOf(all) - numberOf(subject) } as Subject, same(subject, all)];
  });
  const goesOn = subjects.some(({ was }) => was !== undefined);
  // A place keeps its people; on a plain ground each scene is a picture of its own.
  if (!goesOn && (scene.place === undefined || !subjects.some(isBody))) return null;
  const looks = new Set(subjects.map(lookOf));
  const others = free.filter((one) => !looks.has(lookOf(one)));
  const room = mostBodies - subjects.filter(isBody).reduce((sum, one) => sum + numberOf(one), 0);
  const total = others.reduce((sum, one) => sum + numberOf(one), 0);
  return { ...scene, subjects: total > room ? subjects : [...subjects, ...others.map((one) => bystander(one, newId(one)))] };
}

const playsIn = ({ place, background }: FilmScene): string => JSON.stringify([place?.name, place === undefined && background]);

/**
 * One story in several scenes: who is in a scene and in the one before, in the same place, goes on from where it was, and
 * who is not spoken of stays. Who has left by then enters anew.
 */
export function continued(film: Film, ids: Numbering): Film {
  let made = film;
  film.scenes.forEach((scene, index) => {
    const before = made.scenes[index - 1];
    if (before === undefined || playsIn(before) !== playsIn(scene)) return;
    const whole = merged(before, scene, ({ id }) => ids.subject(id.replace(/-\d+$/, '')));
    if (whole === null) return;
    const endings = endingsIn({ ...made, scenes: made.scenes.with(index, whole) }, before);
    const isThere = ({ was }: Subject): boolean => was !== undefined && endings.get(was)?.gone === false;
    const known = new Set(scene.subjects.map(({ id }) => id));
    const subjects = whole.subjects.flatMap((subject) => {
      if (subject.was === undefined || isThere(subject)) return [subject];
      const { was, ...anew } = subject;
      return known.has(subject.id) ? [anew] : [];
    });
    if (subjects.some(isThere)) made = { ...made, scenes: made.scenes.with(index, { ...whole, subjects }) };
  });
  return made;
}
