import { isDeepStrictEqual } from 'node:util';
import { type Film, filmPath, filmSchema, scenePath } from '#kinds/film/contract/film.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import type { FileChanges, ReadText } from '../../../projects/kind.ts';
import { printFilm, printList, printScene } from './print.ts';

/**
 * Returns the changes that bring the files up to date with the film, or `null` if they already are. `src/film.json` contains
 * the film from which the files were generated. Hand-edited files are left unchanged. `isProposed`: the template's own film may
 * still be in the files, and is replaced.
 */
export async function changesToFollow(
  film: Film,
  read: ReadText,
  { isProposed }: { isProposed: boolean },
): Promise<FileChanges | null> {
  // The project's template may be too old to have formats.
  if ((await read('src/formats/format-scene.tsx')) === null) return null;
  const text = await read(filmPath);
  // Nothing has been written yet. Scenes in code have no files before they are written.
  if (text === null) return isProposed && !film.scenes.some(isCode) ? { write: printFilm(film), remove: [] } : null;
  const present = filmIn(text);
  if (isDeepStrictEqual(present, film)) return null;

  const printed = printFilm(film);
  const printedBefore = present === null ? [] : printFilm(present);
  const own = [...printed, ...printedBefore, ...partialLists(film), ...(present === null ? [] : partialLists(present))];
  const texts = new Map<string, string | null>();
  for (const { path } of [...printed, ...printedBefore]) if (!texts.has(path)) texts.set(path, await read(path));
  const isForeign = (path: string) => {
    const now = texts.get(path) ?? null;
    return path !== filmPath && now !== null && !own.some((file) => file.path === path && file.content === now);
  };
  const codeBefore = new Set((present?.scenes ?? []).filter(isCode).map(({ id }) => scenePath(id)));
  const keepsList = isForeign('src/film.ts') || !(await hasCode(film, read));
  const write = printed.filter(({ path, content }) => {
    if (texts.get(path) === content) return false;
    if (path === 'src/film.ts') return !keepsList;
    return codeBefore.has(path) || !isForeign(path);
  });
  const used = new Set(film.scenes.map(({ id }) => scenePath(id)));
  const former = (present?.scenes ?? []).map(({ id }) => scenePath(id)).filter((path) => !used.has(path));
  const remove: string[] = [];
  // A hand-edited list may still import these scenes, so they are deleted only if the list is generated.
  if (!keepsList) for (const path of former) if ((await read(path)) !== null) remove.push(path);
  return { write, remove };
}

export async function scenesEditedByHand(film: Film, ids: readonly string[], read: ReadText): Promise<string[]> {
  const present = filmIn((await read(filmPath)) ?? '');
  const edited: string[] = [];
  for (const scene of film.scenes) {
    if (isCode(scene) || !ids.includes(scene.id)) continue;
    const printed = present?.scenes.find(({ id }) => id === scene.id);
    if (printed === undefined || isCode(printed)) continue;
    const text = await read(scenePath(scene.id));
    const isOwn = text === null || text === printScene(printed).content || text === printScene(scene).content;
    if (!isOwn) edited.push(scene.id);
  }
  return edited;
}

/** The scene list grows while the film is being written. */
const partialLists = (film: Film) => film.scenes.map((_, index) => printList(film, index));

async function hasCode(film: Film, read: ReadText): Promise<boolean> {
  for (const scene of film.scenes) if (isCode(scene) && (await read(scenePath(scene.id))) === null) return false;
  return true;
}

function filmIn(text: string): Film | null {
  try {
    return filmSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // An invalid copy of the document is rewritten.
    return null;
  }
}
