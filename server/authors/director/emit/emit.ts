import { type Film, scenePath } from '../../../contract/film.ts';
import type { GeneratedFile } from './generated-file.ts';
import { sceneFile } from './scene-code.ts';
import { filmFile, filmJson, themeFile } from './setup-code.ts';

/** What every film needs besides its scenes: the film as data, its theme and its list of scenes. */
export function emitSetup(film: Film): GeneratedFile[] {
  return [filmJson(film), themeFile(film), filmFile(film)];
}

/** The file of one scene. Throws when the film has no scene of that number. */
export function emitScene(film: Film, sceneNumber: number): GeneratedFile[] {
  const scene = film.scenes.find(({ number }) => number === sceneNumber);
  if (!scene) throw new RangeError(`The film has no scene ${sceneNumber}; it has ${film.scenes.length}.`);
  return [sceneFile(film, scene)];
}

/** Every generated file of a film, in the order in which they are written; a scene that is only in code has none. */
export function emitAll(film: Film): GeneratedFile[] {
  const own = film.scenes.filter(({ source }) => source === 'document');
  return [...emitSetup(film), ...own.map((scene) => sceneFile(film, scene))];
}

/** What a change of the film means for its files: exactly those whose text differs. */
export function affectedFiles(before: Film, after: Film): { written: GeneratedFile[]; deleted: string[] } {
  const old = new Map(emitAll(before).map(({ path, content }) => [path, content]));
  const kept = new Set(after.scenes.map(({ id }) => scenePath(id)));
  return {
    written: emitAll(after).filter(({ path, content }) => old.get(path) !== content),
    deleted: before.scenes.map(({ id }) => scenePath(id)).filter((path) => !kept.has(path)),
  };
}
