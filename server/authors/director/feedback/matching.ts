import type { Film, FilmScene, Subject } from '../../../contract/film.ts';
import type { SubjectRef } from '../brief/sense.ts';

/** Words that people use for one another: "the circle" of a ball, "the square" of a cube. */
const kin: Readonly<Record<string, readonly string[]>> = {
  circle: ['ball'],
  ball: ['circle', 'orbit'],
  star: ['orbit'],
  square: ['cube'],
  cube: ['square'],
  ring: ['loader'],
  orbit: ['ball'],
};

export const nameOfSubject = (subject: Subject | SubjectRef): string =>
  subject.kind === 'shape'
    ? subject.shape
    : subject.kind === 'particles'
      ? subject.preset
      : subject.kind === 'figure'
        ? subject.noun
        : subject.kind;

export const scenesIn = (film: Film, scope: ReadonlySet<number> | null): FilmScene[] =>
  film.scenes.filter((scene) => scope === null || scope.has(scene.number));

/** Subjects of the film that a noun stands for. */
export function matching(film: Film, ref: SubjectRef, scope: ReadonlySet<number> | null): Subject[] {
  const all = scenesIn(film, scope).flatMap((scene) => scene.subjects);
  const name = nameOfSubject(ref);
  const exact = all.filter((subject) => nameOfSubject(subject) === name);
  // A file is itself; "the logo" is whatever picture there is.
  if (ref.kind === 'logo' && ref.picture !== undefined) {
    const { src } = ref.picture;
    return exact.filter((subject) => subject.kind === 'logo' && subject.src === src);
  }
  if (exact.length > 0) return exact;
  const near = all.filter((subject) => kin[name]?.includes(nameOfSubject(subject)));
  if (near.length > 0) return near;
  // "the particles", "the stars": whatever there is in the air.
  if (ref.kind === 'particles' && (ref.preset === 'sparkles' || ref.preset === 'stars')) {
    return all.filter(
      (subject) =>
        subject.kind === 'particles' || (ref.preset === 'stars' && subject.kind === 'shape' && subject.shape === 'star'),
    );
  }
  if (ref.kind === 'shape' && ref.shape === 'star')
    return all.filter((subject) => subject.kind === 'particles' && subject.preset === 'stars');
  return [];
}
