import { type Film, scenePath } from '../../../contract/film.ts';
import type { GeneratedFile } from './generated-file.ts';
import { sceneFile } from './scene-code.ts';
import { drawingsFile, filmFile, filmJson, themeFile } from './setup-code.ts';

/** The file of one scene. Throws when the film has no scene of that number. */
export function emitScene(film: Film, sceneNumber: number): GeneratedFile[] {
  const scene = film.scenes.find(({ number }) => number === sceneNumber);
  if (!scene) throw new RangeError(`The film has no scene ${sceneNumber}; it has ${film.scenes.length}.`);
  return [sceneFile(film, scene)];
}

/**
 * Every generated file of a film, in the order in which they are written; a scene that is only in code has none.
 * `before` = the film whose code is there.
 */
export function emitAll(film: Film, before: Film | null = null): GeneratedFile[] {
  const own = film.scenes.filter(({ source }) => source === 'document');
  return [
    filmJson(film, before),
    themeFile(film),
    filmFile(film),
    ...drawingsFile(film),
    ...own.map((scene) => sceneFile(film, scene)),
  ];
}

/** What a change of the film means for its files: exactly those whose text differs. */
export function affectedFiles(before: Film, after: Film): { written: GeneratedFile[]; deleted: string[] } {
  const old = new Map(emitAll(before, before).map(({ path, content }) => [path, content]));
  const kept = new Set(after.scenes.map(({ id }) => scenePath(id)));
  return {
    written: emitAll(after, before).filter(({ path, content }) => old.get(path) !== content),
    deleted: before.scenes.map(({ id }) => scenePath(id)).filter((path) => !kept.has(path)),
  };
}
