import type { Film, FilmText, Subject } from '../../../contract/film.ts';
import type { SubjectRef } from '../brief/sense.ts';
import type { Mention } from '../brief/state.ts';
import { colorName } from '../plan/names.ts';
import type { Facts } from './facts.ts';
import { matching, nameOfSubject, scenesIn } from './matching.ts';

export interface Targets {
  readonly subjects: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
}

export const nobody: Targets = { subjects: new Set(), texts: new Set() };
export const isNobody = (targets: Targets): boolean => targets.subjects.size === 0 && targets.texts.size === 0;

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

/** "the red ball" among balls of several colours. */
export function narrowed(
  found: readonly Subject[],
  { mods }: Mention,
): { readonly picked: readonly Subject[]; readonly byColor: boolean } {
  const [color] = mods.colors;
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

const leads = (film: Film, scope: ReadonlySet<number> | null): Subject[] =>
  scenesIn(film, scope)
    .flatMap(({ subjects }) => subjects)
    .filter(({ kind }) => kind !== 'particles');

/** "The second one" of them; `usual` where no number is said or there are not as many. */
function pick<Some>(from: readonly Some[], nth: number | null, usual: readonly Some[]): readonly Some[] {
  const found = nth === null ? undefined : from.at(nth > 0 ? nth - 1 : nth);
  return found === undefined ? usual : [found];
}

/** Whom a clause names; nobody when it names no one. */
export function namedTargets(
  film: Film,
  facts: Facts,
  scope: ReadonlySet<number> | null,
): Targets & { readonly byColor: boolean } {
  let byColor = false;
  const all = facts.subjects.flatMap((named) => {
    const found = narrowed(matching(film, named.ref, scope), named);
    byColor ||= found.byColor;
    return found.picked;
  });
  const subjects = pick(
    all.length > 0 || facts.subjects.length > 0 || facts.textNoun !== null ? all : leads(film, scope),
    facts.nth,
    all,
  );
  const wanted = facts.subjects.length > 0 && facts.textNoun === null ? [] : matchingTexts(film, facts, scope);
  const texts = pick(wanted, facts.nth, wanted);
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
