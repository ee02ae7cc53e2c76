import type { Todo, TodoStatus } from '../../../server/contract/project.ts';

/** How far the work on each scene is, by the scene's number. */
export function sceneStatuses(todos: readonly Todo[]): ReadonlyMap<number, TodoStatus> {
  return new Map(
    todos.flatMap((todo): [number, TodoStatus][] => {
      const number = /^scene:(\d+)$/.exec(todo.key)?.[1];
      return number === undefined ? [] : [[Number(number), todo.status]];
    }),
  );
}
