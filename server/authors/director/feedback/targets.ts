import type { Film, FilmScene, FilmText, Subject } from '../../../contract/film.ts';
import type { SubjectRef } from '../brief/sense.ts';
import { colorName } from '../plan/names.ts';
import type { Facts, NamedSubject } from './facts.ts';

export interface Targets {
  readonly subjects: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
}

export const nobody: Targets = { subjects: new Set(), texts: new Set() };
export const isNobody = (targets: Targets): boolean => targets.subjects.size === 0 && targets.texts.size === 0;

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

/** What is asked for, by the name that the user has for it. */
export function saidName(ref: SubjectRef): string {
  return ref.kind === 'logo' && ref.picture !== undefined ? (ref.picture.src.split('/').at(-1) ?? '') : nameOfSubject(ref);
}

/** "There is no cube and no star in the film." */
export function absence(refs: readonly SubjectRef[]): string {
  const names = refs.map(saidName);
  const many = names.every((name) => /s$/.test(name));
  return `There ${many ? 'are' : 'is'} no ${names.join(' and no ')} in the film.`;
}

/** The scenes that a clause is about; null = all. */
export function scopeOf(film: Film, facts: Facts): ReadonlySet<number> | null {
  const last = film.scenes.length;
  const numbers = facts.scenes.map((number) => (number === -1 ? last : number)).filter((number) => number >= 1 && number <= last);
  if (numbers.length > 0) return new Set(numbers);
  if (facts.place === 'end' && last > 1) return new Set([last]);
  if (facts.place === 'start' && last > 1) return new Set([1]);
  return null;
}

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

/** "the red ball" among balls of several colours. */
export function narrowed(
  found: readonly Subject[],
  named: NamedSubject,
): { readonly picked: readonly Subject[]; readonly byColor: boolean } {
  const color = named.colors[0];
  if (color === undefined) return { picked: found, byColor: false };
  const picked = found.filter((subject) => subject.color === color || colorName(subject.color) === colorName(color));
  return picked.length > 0 ? { picked, byColor: true } : { picked: found, byColor: false };
}

export const textsIn = (film: Film, scope: ReadonlySet<number> | null): FilmText[] =>
  scenesIn(film, scope).flatMap((scene) => scene.texts);

/** Texts that a noun or a quote stands for; "the text" is whichever there is. */
export function matchingTexts(film: Film, facts: Facts, scope: ReadonlySet<number> | null): FilmText[] {
  const all = textsIn(film, scope);
  const quoted = all.filter((text) => facts.quotes.some((quote) => quote.toLowerCase() === text.text.toLowerCase()));
  if (quoted.length > 0) return quoted;
  if (facts.textNoun === null) return [];
  const { role, exact } = facts.textNoun;
  const byRole = all.filter((text) => text.role === role);
  if (!exact && role === 'title') return all;
  return byRole.length > 0 ? byRole : role === 'title' ? all.slice(0, 1) : [];
}

/** Who "it" is: the first thing with a body, else the first thing, else the title. */
export function mainTargets(film: Film, scope: ReadonlySet<number> | null): Targets {
  const scenes = scenesIn(film, scope);
  const subjects = scenes.flatMap((scene) => scene.subjects);
  const lead = subjects.find((subject) => subject.kind !== 'particles') ?? subjects[0];
  if (lead !== undefined) {
    // The same thing may come again in other scenes under another id.
    const same = subjects.filter((subject) => nameOfSubject(subject) === nameOfSubject(lead) && subject.color === lead.color);
    return { subjects: new Set(same.map((subject) => subject.id)), texts: new Set() };
  }
  const text = scenes.flatMap((scene) => scene.texts)[0];
  return { subjects: new Set(), texts: new Set(text === undefined ? [] : [text.id]) };
}

/** Whom a clause names; nobody when it names no one. */
export function namedTargets(
  film: Film,
  facts: Facts,
  scope: ReadonlySet<number> | null,
): Targets & { readonly byColor: boolean } {
  let byColor = false;
  const subjects = facts.subjects.flatMap((named) => {
    const found = narrowed(matching(film, named.ref, scope), named);
    byColor ||= found.byColor;
    return found.picked;
  });
  const texts = facts.subjects.length > 0 && facts.textNoun === null ? [] : matchingTexts(film, facts, scope);
  if (
    facts.whole &&
    subjects.length === 0 &&
    texts.length === 0 &&
    [...facts.words].some((word) => ['everything', 'all', 'alles', 'tout', 'todo'].includes(word))
  ) {
    return {
      subjects: new Set(scenesIn(film, scope).flatMap((scene) => scene.subjects.map((subject) => subject.id))),
      texts: new Set(textsIn(film, scope).map((text) => text.id)),
      byColor,
    };
  }
  return { subjects: new Set(subjects.map((subject) => subject.id)), texts: new Set(texts.map((text) => text.id)), byColor };
}
