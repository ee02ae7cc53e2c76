import { describe, expect, it } from 'vitest';
import { beforeRestoreTitle, checkpointTitle, restoreTitle } from './history.ts';

describe('checkpoint titles', () => {
  it.each([
    ['written', 'Wrote src/App.tsx', 'Wrote src/App.tsx'],
    ['autosave', null, 'Autosave'],
    ['before_destroy', ' \n', 'Before the sandbox was removed'],
    ['something_else', null, 'something else'],
    ['written', 'Ran echo a\n\u001b[2J', 'Ran echo a [2J'],
  ])('X4: of %s with %j is %j', (trigger, said, title) => {
    expect(checkpointTitle(trigger, said)).toBe(title);
  });

  it('X4: truncates between characters', () => {
    const title = checkpointTitle('written', '😀'.repeat(200));
    expect([...title]).toHaveLength(100);
    expect(title.endsWith('😀…')).toBe(true);
  });

  it('X4: keeps titles of repeated restores short, without nested quotes', () => {
    const todo = { trigger: 'todo_done', title: 'Animate “Opening”' };
    const restored = { trigger: 'restore', title: restoreTitle(todo) };
    const before = { trigger: 'before_restore', title: beforeRestoreTitle(todo) };
    const undone = { trigger: 'restore', title: restoreTitle(before) };
    expect([restored, before, undone].map(({ title }) => title)).toEqual([
      'Restored “Animate ‘Opening’”',
      'Before restoring “Animate ‘Opening’”',
      'Restored what was there before “Animate ‘Opening’”',
    ]);
    expect(restoreTitle(restored)).toBe(restored.title);
    expect(beforeRestoreTitle(restored)).toBe(before.title);
    expect(restoreTitle(undone)).toBe(undone.title);
    const beforeUndone = { trigger: 'before_restore', title: beforeRestoreTitle(undone) };
    expect(beforeUndone.title).toBe('Before restoring what was there before “Animate ‘Opening’”');
    expect(restoreTitle(beforeUndone)).toBe(undone.title);
  });

  it('X4: keeps the title of a restore whole for long quoted titles', () => {
    const before = { trigger: 'before_restore', title: beforeRestoreTitle({ trigger: 'manual', title: '😀'.repeat(100) }) };
    const again = beforeRestoreTitle({ trigger: 'restore', title: restoreTitle(before) });
    for (const title of [before.title, restoreTitle(before), again]) {
      expect([...title].length).toBeLessThanOrEqual(100);
      expect(title.endsWith('😀…”')).toBe(true);
    }
  });
});
