import { expect, it } from 'vitest';
import { toolContextOver } from '../../test/fixtures/tool-context.ts';
import { updateTodo } from './communication.ts';

it('A6: names the todo whose status changes', async () => {
  const context = toolContextOver(
    {},
    {
      setTodo: async (todoId) => (todoId === 'todo_1' ? 'Animate “Three bounces”' : null),
      checkBeforeDone: async () => ({ failure: null, contactSheet: null }),
      checkpoint: async () => undefined,
    },
  );
  const set = (status: string) => updateTodo.call({ todo_id: 'todo_1', status }, context);
  expect(await set('active')).toMatchObject({ summary: 'Now: Animate “Three bounces”' });
  expect(await set('done')).toMatchObject({ summary: 'Done: Animate “Three bounces”' });
  expect(await set('failed')).toMatchObject({ summary: 'Failed: Animate “Three bounces”' });
  expect(await updateTodo.call({ todo_id: 'todo_2', status: 'done' }, context)).toMatchObject({ code: 'TODO_NOT_FOUND' });
});

it('46.2: returns the frames that the check of a finished todo has captured, passed or not', async () => {
  const failure = { title: 'Scene 1', problems: [], warnings: ['It is small.'], attempts: null };
  const result = (failing: boolean) =>
    updateTodo.call(
      { todo_id: 'todo_1', status: 'done' },
      toolContextOver(
        {},
        {
          setTodo: async () => 'Scene 1',
          checkBeforeDone: async () => ({ failure: failing ? failure : null, contactSheet: '/9j/AAAA' }),
          checkpoint: async () => undefined,
        },
      ),
    );
  const images = [{ mediaType: 'image/jpeg', base64: '/9j/AAAA' }];
  expect(await result(false)).toMatchObject({ status: 'completed', images });
  expect(await result(true)).toMatchObject({ status: 'error', code: 'CHECK_FAILED', images });
});
