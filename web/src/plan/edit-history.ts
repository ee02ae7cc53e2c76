/** Steps of editing that can be taken back, and those that were. */
export interface EditHistory<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

/** So many steps can be taken back. */
const maxSteps = 200;

export function begin<T>(present: T): EditHistory<T> {
  return { past: [], present, future: [] };
}

/** One step. `join`: it goes on with the step before it, as a key that is held down does. Nothing changed is no step. */
export function commit<T>(history: EditHistory<T>, next: T, { join }: { join: boolean } = { join: false }): EditHistory<T> {
  if (next === history.present) return history;
  if (join && history.past.length > 0) return { past: history.past, present: next, future: [] };
  return { past: [...history.past.slice(1 - maxSteps), history.present], present: next, future: [] };
}

export function undo<T>(history: EditHistory<T>): EditHistory<T> {
  const previous = history.past.at(-1);
  if (previous === undefined) return history;
  return { past: history.past.slice(0, -1), present: previous, future: [history.present, ...history.future] };
}

export function redo<T>(history: EditHistory<T>): EditHistory<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future };
}
