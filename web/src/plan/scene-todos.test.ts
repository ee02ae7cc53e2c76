import { expect, it } from 'vitest';
import type { Todo } from '../../../server/contract/project.ts';
import { sceneStatuses } from './scene-todos.ts';

it('A6: todos of scenes tell how far each scene is', () => {
  const todo = (key: string, status: Todo['status']): Todo => ({ id: `todo_${key}`, title: key, key, status, attempts: 0 });
  const todos = [todo('setup', 'done'), todo('scene:1', 'done'), todo('scene:12', 'active'), todo('change:msg_1', 'pending')];
  expect([...sceneStatuses(todos)]).toEqual([
    [1, 'done'],
    [12, 'active'],
  ]);
});
