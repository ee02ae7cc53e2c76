import type { CheckScope } from '../tools/checks/check-work.ts';

/**
 * Remembers which project files have passed which checks, so that unchanged files are not checked again. In memory only: a
 * restart repeats the checks.
 */
export class PassedChecks {
  readonly #warned = new Map<string, Set<string>>();
  readonly #passed = new Map<string, { files: string; wholeFilm: boolean; times: Set<number> }>();

  covers(projectId: string, files: string, scope: CheckScope): boolean {
    const passed = this.#passed.get(projectId);
    if (passed?.files !== files) return false;
    return passed.wholeFilm || (!scope.wholeFilm && scope.atSeconds.every((time) => passed.times.has(time)));
  }

  add(projectId: string, files: string, scope: CheckScope): void {
    const known = this.#passed.get(projectId);
    const before = known?.files === files ? known : { wholeFilm: false, times: [] };
    this.#passed.set(projectId, {
      files,
      wholeFilm: before.wholeFilm || scope.wholeFilm,
      times: new Set([...before.times, ...scope.atSeconds]),
    });
  }

  /** Returns whether these are the first warnings about a todo. */
  isFirstWarning(projectId: string, todoId: string): boolean {
    const warned = this.#warned.get(projectId) ?? new Set();
    if (warned.has(todoId)) return false;
    this.#warned.set(projectId, warned.add(todoId));
    return true;
  }

  forget(projectId: string): void {
    this.#warned.delete(projectId);
    this.#passed.delete(projectId);
  }
}
