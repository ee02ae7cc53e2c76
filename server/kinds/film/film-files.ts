import { type Film, type FormatScene, filmPath, scenePath } from '#contract/film.ts';
import type { SourceFile } from '../../authors/assignment.ts';
import { isCode, readFilm } from './document.ts';
import { listPath, type PrintedFile, printFilm, printList } from './print.ts';

/** The files of a project beside its film: what Koda has printed, and what somebody else has written. */
export class FilmFiles {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #own: readonly PrintedFile[];
  /** The film in the files, which may be older or newer than the stored one; null if there is none. */
  readonly present: Film | null;

  /** Every file that one of `films`, or the film in the files, prints is Koda's own. */
  constructor(files: readonly SourceFile[], films: readonly Film[]) {
    this.#texts = new Map(files.map(({ path, content }) => [path, content]));
    this.present = readFilm(this.#texts.get(filmPath) ?? '');
    const known = this.present === null ? films : [...films, this.present];
    // While the scenes are written, the list has only those so far.
    this.#own = known.flatMap((film) => [...printFilm(film), ...film.scenes.map((_, index) => printList(film, index + 1))]);
  }

  #isForeign(path: string): boolean {
    const text = this.#texts.get(path);
    return text !== undefined && !this.#own.some((file) => file.path === path && file.content === text);
  }

  /** The format scenes whose files somebody has edited by hand. */
  editedByHand({ scenes }: Film): FormatScene[] {
    return scenes.flatMap((scene) => (!isCode(scene) && this.#isForeign(scenePath(scene.id)) ? [scene] : []));
  }

  /**
   * What the files lack of a changed film, and which of them are left over. `blocked`: a file that the change needs and that
   * somebody else has written; null if there is none.
   */
  changesFor(before: Film, after: Film): { files: PrintedFile[]; deleted: string[]; blocked: string | null } {
    const printedBefore = new Map(printFilm(before).map(({ path, content }) => [path, content]));
    const differing = this.printed(after).filter(({ path, content }) => this.#texts.get(path) !== content);
    const isForeign = ({ path }: PrintedFile) => path !== filmPath && this.#isForeign(path);
    const blocked = differing.find((file) => isForeign(file) && printedBefore.get(file.path) !== file.content);
    const kept = new Set(after.scenes.map(({ id }) => scenePath(id)));
    const former = [...before.scenes, ...(this.present?.scenes ?? [])].map(({ id }) => scenePath(id));
    return {
      files: differing.filter((file) => !isForeign(file)),
      deleted: [...new Set(former)].filter((path) => !kept.has(path) && this.#texts.has(path)),
      blocked: blocked?.path ?? null,
    };
  }

  /** All files of a film; its list ends before the first code scene that is not written yet, so that the page loads. */
  printed(film: Film): PrintedFile[] {
    const missing = film.scenes.findIndex((scene) => isCode(scene) && !this.#texts.has(scenePath(scene.id)));
    const list = printList(film, missing < 0 ? film.scenes.length : missing);
    const printed = printFilm(film).filter(({ path }) => path !== listPath);
    return missing === 0 ? printed : [...printed, list];
  }
}
