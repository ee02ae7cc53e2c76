import type { CheckScope } from '../tools/checks/check-work.ts';

/**
 * Remembers which project files passed which checks, so that unchanged files are not checked again. In memory only: a restart
 * repeats the checks.
 */
export class PassedChecks {
  readonly #remarked = new Map<string, Set<string>>();
  readonly #passed = new Map<string, { files: string; wholeFilm: boolean; moments: Set<number> }>();

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

  /** Returns whether these are the first warnings about a todo. */
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
