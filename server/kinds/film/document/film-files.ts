import { type Film, type FormatScene, filmPath, scenePath } from '#kinds/film/contract/film.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import type { SourceFile } from '../../../projects/assignment.ts';
import { readFilm } from './document.ts';
import { listPath, type PrintedFile, printFilm, printList } from './print.ts';

/** A project's film files: generated ones, and files written by someone else. */
export class FilmFiles {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #own: readonly PrintedFile[];
  /** The film as found in the files, which may differ from the stored one. `null` if there is none. */
  readonly present: Film | null;

  /** A file counts as generated if it equals the output for one of `films` or for the film in the files. */
  constructor(files: readonly SourceFile[], films: readonly Film[]) {
    this.#texts = new Map(files.map(({ path, content }) => [path, content]));
    this.present = readFilm(this.#texts.get(filmPath) ?? '');
    const known = this.present === null ? films : [...films, this.present];
    // While scenes are being written, the scene list contains only those written so far.
    this.#own = known.flatMap((film) => [...printFilm(film), ...film.scenes.map((_, index) => printList(film, index + 1))]);
  }

  #isForeign(path: string): boolean {
    const text = this.#texts.get(path);
    return text !== undefined && !this.#own.some((file) => file.path === path && file.content === text);
  }

  editedByHand({ scenes }: Film): FormatScene[] {
    return scenes.flatMap((scene) => (!isCode(scene) && this.#isForeign(scenePath(scene.id)) ? [scene] : []));
  }

  /**
   * Returns the files to write and to delete after a change. `blocked`: a file that the change needs but someone else has
   * written; `null` if there is none.
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

  /** Returns all of a film's files. The list ends before the first missing code scene, so that the page loads. */
  printed(film: Film): PrintedFile[] {
    const missing = film.scenes.findIndex((scene) => isCode(scene) && !this.#texts.has(scenePath(scene.id)));
    const list = printList(film, missing < 0 ? film.scenes.length : missing);
    const printed = printFilm(film).filter(({ path }) => path !== listPath);
    return missing === 0 ? printed : [...printed, list];
  }
}
