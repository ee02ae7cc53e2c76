import type { CheckScope } from '../tools/checks/check-work.ts';

/**
 * Which state of each project's files has passed which checks, so that unchanged files are not checked again. In memory
 * only: after a restart they are checked once more.
 */
export class PassedChecks {
  readonly #remarked = new Map<string, Set<string>>();
  readonly #passed = new Map<string, { files: string; wholeFilm: boolean; moments: Set<number> }>();

  /** `files` names a state of the project's files. */
  covers(projectId: string, files: string, scope: CheckScope): boolean {
    const passed = this.#passed.get(projectId);
    if (passed?.files !== files) return false;
    return passed.wholeFilm || (!scope.wholeFilm && scope.atSeconds.every((moment) => passed.moments.has(moment)));
  }

  add(projectId: string, files: string, scope: CheckScope): void {
    const known = this.#passed.get(projectId);
    const before = known?.files === files ? known : { wholeFilm: false, moments: [] };
    this.#passed.set(projectId, {
      files,
      wholeFilm: before.wholeFilm || scope.wholeFilm,
      moments: new Set([...before.moments, ...scope.atSeconds]),
    });
  }

  /** Whether these are the first remarks on the work of a todo. */
  isFirstRemark(projectId: string, todoId: string): boolean {
    const remarked = this.#remarked.get(projectId) ?? new Set();
    if (remarked.has(todoId)) return false;
    this.#remarked.set(projectId, remarked.add(todoId));
    return true;
  }

  forget(projectId: string): void {
    this.#remarked.delete(projectId);
    this.#passed.delete(projectId);
  }
}
