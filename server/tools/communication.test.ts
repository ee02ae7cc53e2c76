import { expect, it } from 'vitest';
import { toolContextOver } from '../../test/fixtures/tool-context.ts';
import { updateTodo } from './communication.ts';

it('A6: names the todo whose status changes', async () => {
  const context = toolContextOver(
    {},
    {
      setTodo: async (todoId) => (todoId === 'todo_1' ? 'Animate “Three bounces”' : null),
      checkBeforeDone: async () => null,
      checkpoint: async () => undefined,
    },
  );
  const set = (status: string) => updateTodo.call({ todo_id: 'todo_1', status }, context);
  expect(await set('active')).toMatchObject({ summary: 'Now: Animate “Three bounces”' });
  expect(await set('done')).toMatchObject({ summary: 'Done: Animate “Three bounces”' });
  expect(await set('failed')).toMatchObject({ summary: 'Failed: Animate “Three bounces”' });
  expect(await updateTodo.call({ todo_id: 'todo_2', status: 'done' }, context)).toMatchObject({ code: 'TODO_NOT_FOUND' });
});
