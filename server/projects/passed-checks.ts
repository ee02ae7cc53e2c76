import type { CheckScope } from './kind.ts';

/**
 * Remembers which project files have passed which checks, so that unchanged files are not checked again. In memory only: a
 * restart repeats the checks.
 */
export class PassedChecks {
  readonly #warned = new Map<string, Set<string>>();
  readonly #remarks = new Map<string, readonly string[]>();
  readonly #passed = new Map<string, { files: string; isWhole: boolean; keys: ReadonlySet<string> }>();

  covers(projectId: string, files: string, { key, isWhole }: CheckScope): boolean {
    const passed = this.#passed.get(projectId);
    if (passed?.files !== files) return false;
    return passed.isWhole || (!isWhole && passed.keys.has(key));
  }

  add(projectId: string, files: string, { key, isWhole }: CheckScope): void {
    const known = this.#passed.get(projectId);
    const before = known?.files === files ? known : { isWhole: false, keys: [] };
    this.#passed.set(projectId, { files, isWhole: before.isWhole || isWhole, keys: new Set([...before.keys, key]) });
  }

  /** Returns whether these are the first warnings about a todo. */
  isFirstWarning(projectId: string, todoId: string): boolean {
    const warned = this.#warned.get(projectId) ?? new Set();
    if (warned.has(todoId)) return false;
    this.#warned.set(projectId, warned.add(todoId));
    return true;
  }

  /** Keeps what the author has been told about the whole work, for the user if the author leaves it so. */
  keepRemarks(projectId: string, remarks: readonly string[]): void {
    this.#remarks.set(projectId, remarks);
  }

  takeRemarks(projectId: string): readonly string[] {
    const remarks = this.#remarks.get(projectId) ?? [];
    this.#remarks.delete(projectId);
    return remarks;
  }

  forget(projectId: string): void {
    this.#warned.delete(projectId);
    this.#remarks.delete(projectId);
    this.#passed.delete(projectId);
  }
}
