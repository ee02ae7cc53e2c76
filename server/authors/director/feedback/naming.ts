import type { Film, Subject } from '../../../contract/film.ts';
import { listed, subjectName } from '../plan/names.ts';
import type { Targets } from './targets.ts';

export const subjectsOf = (film: Film, targets: Targets): Subject[] =>
  film.scenes.flatMap((scene) => scene.subjects.filter((subject) => targets.subjects.has(subject.id)));

/** "the ball", "the ball and the title". */
export function names(film: Film, targets: Targets): string {
  const things = subjectsOf(film, targets).map((subject) => subjectName(subject, true));
  const texts = film.scenes.flatMap((scene) =>
    scene.texts.filter((text) => targets.texts.has(text.id)).map((text) => `“${text.text.slice(0, 30)}”`),
  );
  return listed([...new Set([...things, ...texts])]);
}

export const isPlural = (film: Film, targets: Targets): boolean => {
  const found = subjectsOf(film, targets);
  return (
    new Set(found.map((subject) => subjectName(subject, true))).size + targets.texts.size > 1 || /s$/.test(names(film, targets))
  );
};
export const be = (film: Film, targets: Targets): string => (isPlural(film, targets) ? 'are' : 'is');

export const idsOf = (subjects: readonly Subject[]): ReadonlySet<string> => new Set(subjects.map((subject) => subject.id));
