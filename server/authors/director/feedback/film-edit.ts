import { isDeepStrictEqual } from 'node:util';
import type { Film, FilmScene, FilmText, Subject } from '../../../contract/film.ts';
import { maxDurationSeconds, maxInScene, minSceneSeconds } from '../../../contract/film.ts';
import { maxScenes } from '../plan/arrange-scenes.ts';
import { descriptionOf } from '../plan/description.ts';
import { capitalize, colorName } from '../plan/names.ts';
import { notesFor } from '../plan/notes.ts';
import { titleFor } from '../plan/scene-titles.ts';
import { filmTitle, schedule } from '../plan/scenes.ts';
import { clean, onGrid, shareDuration } from '../plan/timing.ts';

/** A changed part replaces the old one only when it differs, so that what was not asked for stays the same object. */
export function mapScenes(film: Film, change: (scene: FilmScene) => FilmScene, scope: ReadonlySet<number> | null = null): Film {
  const scenes = film.scenes.map((scene) => (scope === null || scope.has(scene.number) ? change(scene) : scene));
  return scenes.every((scene, i) => scene === film.scenes[i]) ? film : { ...film, scenes };
}

export function mapSubjects(film: Film, ids: ReadonlySet<string>, change: (subject: Subject) => Subject): Film {
  return mapScenes(film, (scene) => {
    const subjects = scene.subjects.map((subject) => (ids.has(subject.id) ? change(subject) : subject));
    return subjects.every((subject, i) => subject === scene.subjects[i]) ? scene : { ...scene, subjects };
  });
}

export function mapTexts(film: Film, ids: ReadonlySet<string>, change: (text: FilmText) => FilmText): Film {
  return mapScenes(film, (scene) => {
    const texts = scene.texts.map((text) => (ids.has(text.id) ? change(text) : text));
    return texts.every((text, i) => text === scene.texts[i]) ? scene : { ...scene, texts };
  });
}

const sum = (scenes: readonly FilmScene[]): number => clean(scenes.reduce((total, scene) => total + scene.durationSeconds, 0));

/** In their order; a scene of ours is named by its number, one that is only in code keeps the name of its file. */
function renumbered(scenes: readonly FilmScene[]): FilmScene[] {
  const taken = new Set(scenes.filter(({ source }) => source === 'code').map(({ id }) => id));
  return scenes.map((scene, i) => {
    const number = i + 1;
    if (scene.source === 'code') return scene.number === number ? scene : { ...scene, number };
    const own = `scene-${number}`;
    const id = taken.has(own) ? freeId(taken, 'scene') : own;
    taken.add(id);
    return scene.number === number && scene.id === id ? scene : { ...scene, number, id };
  });
}

/** True for a scene with nothing to show; what is shown by one in code only its file knows. */
export const isBare = ({ source, subjects, texts }: FilmScene): boolean =>
  source === 'document' && subjects.length + texts.length === 0;

/** The film after a change, in which scenes that are only in code have kept all but their place, their time and their ground. */
export function withCodeKept(before: Film, after: Film): Film {
  return mapScenes(after, (scene) => {
    const known = scene.source === 'code' ? before.scenes.find(({ id }) => id === scene.id) : undefined;
    if (known === undefined || known === scene) return scene;
    const { number, startSeconds, durationSeconds, background } = scene;
    const kept = { ...known, number, startSeconds, durationSeconds, background };
    return isDeepStrictEqual(kept, scene) ? scene : kept;
  });
}

/** Numbers scenes anew and puts them one after the other; the film lasts as long as they do. */
export function relay(film: Film, scenes: readonly FilmScene[]): Film {
  const numbered = renumbered(scenes);
  const placed = schedule(
    numbered,
    numbered.map((scene) => scene.durationSeconds),
    film.style,
  ).map((scene, i) => {
    const before = numbered[i];
    return before !== undefined &&
      before.startSeconds === scene.startSeconds &&
      scene.texts.every((text, t) => text === before.texts[t])
      ? before
      : scene;
  });
  return { ...film, scenes: placed, durationSeconds: sum(placed) };
}

function mergePair(one: FilmScene, other: FilmScene): FilmScene {
  return {
    ...one,
    durationSeconds: clean(one.durationSeconds + other.durationSeconds),
    background: one.background ?? other.background,
    // A film of minutes that becomes one of seconds has more things than a scene can hold; the first ones stay.
    subjects: [...one.subjects, ...other.subjects].slice(0, maxInScene),
    texts: [...one.texts, ...other.texts].slice(0, maxInScene),
  };
}

/** Neighbours share a scene until there are at most `most`; scenes that are only in code share with none. */
export function mergeScenes(scenes: readonly FilmScene[], most: number): FilmScene[] {
  const merged = [...scenes];
  const load = (i: number): number =>
    (merged[i]?.subjects.length ?? 0) +
    (merged[i]?.texts.length ?? 0) +
    (merged[i + 1]?.subjects.length ?? 0) +
    (merged[i + 1]?.texts.length ?? 0);
  while (merged.length > Math.max(1, most)) {
    let best = -1;
    for (let i = 0; i + 1 < merged.length; i += 1) {
      const isOurs = merged[i]?.source === 'document' && merged[i + 1]?.source === 'document';
      if (isOurs && (best < 0 || load(i) < load(best))) best = i;
    }
    const [one, other] = [merged[best], merged[best + 1]];
    if (one === undefined || other === undefined) break;
    merged.splice(best, 2, mergePair(one, other));
  }
  return merged;
}

/** The same film in another length: scenes keep their proportions, and share when there is no room for each. */
export function withDuration(film: Film, seconds: number): Film {
  const total = clean(Math.min(maxDurationSeconds, Math.max(minSceneSeconds, seconds)));
  const scenes = mergeScenes(film.scenes, maxScenes(total));
  if (scenes.length > maxScenes(total)) return film;
  const durations = shareDuration(
    total,
    scenes.map((scene) => ({ needed: scene.durationSeconds, fixed: null })),
  );
  return relay(
    { ...film, durationSeconds: total },
    scenes.map((scene, i) => ({ ...scene, durationSeconds: durations[i] ?? scene.durationSeconds })),
  );
}

/** Gives one scene another length; the others keep theirs and the film grows or shrinks. */
export function withSceneDuration(film: Film, scope: ReadonlySet<number>, length: (seconds: number) => number): Film {
  const scenes = film.scenes.map((scene) =>
    scope.has(scene.number)
      ? { ...scene, durationSeconds: clean(Math.max(minSceneSeconds, onGrid(length(scene.durationSeconds)))) }
      : scene,
  );
  const total = sum(scenes);
  if (total > maxDurationSeconds || scenes.length > maxScenes(total)) return film;
  return relay(film, scenes);
}

/** Somebody's own words about a scene, in which the colour of a thing follows when only one thing can be meant. */
function recolored(words: string, before: FilmScene, after: FilmScene): string {
  return before.subjects.reduce((text, { id, color }) => {
    const now = after.subjects.find((subject) => subject.id === id)?.color ?? color;
    const [old, fresh] = [colorName(color), colorName(now)];
    const named = new RegExp(`(?:\\b(an?)\\s)?\\b(${old})\\b`, 'gi');
    const isOthersToo = after.subjects.some((subject) => colorName(subject.color) === old);
    if (isOthersToo || [...text.matchAll(named)].length !== 1) return text;
    return text.replace(named, (_, article: string | undefined, word: string) => {
      const color = word === capitalize(word) ? capitalize(fresh) : fresh;
      if (article === undefined) return color;
      const wanted = /^[aeiou]/i.test(color) ? 'an' : 'a';
      return `${article.startsWith('A') ? capitalize(wanted) : wanted} ${color}`;
    });
  }, words);
}

/** Scene numbers, titles and descriptions follow what changed; words that a user wrote over ours stay, but for colours. */
export function reworded(before: Film, after: Film): Film {
  const scenes = after.scenes.map((scene) => {
    const old = before.scenes.find((one) => one.id === scene.id);
    if (scene.source === 'code' || (old === scene && before.style === after.style)) return scene;
    const made = old ?? scene;
    const kept = <Key extends 'title' | 'description' | 'animationNotes'>(key: Key, ours: string, fresh: string): string =>
      old === undefined
        ? scene[key] || fresh
        : made[key] === ours
          ? fresh
          : recolored(scene[key], made, scene).slice(0, key === 'title' ? 80 : 1000);
    const next = {
      ...scene,
      title: kept('title', titleFor(made), titleFor(scene)),
      description: kept('description', descriptionOf(made, before.style), descriptionOf(scene, after.style)),
      animationNotes: kept('animationNotes', notesFor(made, before.style), notesFor(scene, after.style)),
    };
    const same =
      next.title === scene.title && next.description === scene.description && next.animationNotes === scene.animationNotes;
    return same ? scene : next;
  });
  const title = before.title === filmTitle(before.scenes) ? filmTitle(scenes) : after.title;
  const unchanged = scenes.every((scene, i) => scene === after.scenes[i]) && title === after.title;
  return unchanged ? after : { ...after, scenes, title };
}

/** Who is told to do something else, or goes, does nothing to others any more. */
export function parted(film: Film, ids: ReadonlySet<string>): Film {
  const scenes = film.scenes.map((scene) => {
    const { meetings = [], ...rest } = scene;
    const left = meetings.filter(({ who, whom }) => !ids.has(who) && !ids.has(whom));
    if (left.length === meetings.length) return scene;
    return left.length === 0 ? rest : { ...rest, meetings: left };
  });
  return { ...film, scenes };
}

/** Every id of a subject or text in the film. */
export const idsIn = (film: Film): Set<string> =>
  new Set(
    film.scenes.flatMap((scene) => [...scene.subjects.map((subject) => subject.id), ...scene.texts.map((text) => text.id)]),
  );

/** An id that is not taken yet: `ball-3`. */
export function freeId(taken: ReadonlySet<string>, name: string): string {
  let number = 1;
  while (taken.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}
