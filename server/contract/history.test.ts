import { describe, expect, it } from 'vitest';
import { checkpointTitle } from './history.ts';

describe('the title of a checkpoint', () => {
  it.each([
    ['written', 'Wrote src/App.tsx', 'Wrote src/App.tsx'],
    ['autosave', null, 'Autosave'],
    ['before_destroy', ' \n', 'Before the sandbox was removed'],
    ['something_else', null, 'something else'],
    ['written', 'Ran echo a\n\u001b[2J', 'Ran echo a [2J'],
  ])('X4: of %s with %j is %j', (trigger, said, title) => {
    expect(checkpointTitle(trigger, said)).toBe(title);
  });

  it('X4: is cut between characters', () => {
    const title = checkpointTitle('written', '😀'.repeat(200));
    expect([...title]).toHaveLength(100);
    expect(title.endsWith('😀…')).toBe(true);
  });
});
