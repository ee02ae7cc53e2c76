import { describe, expect, it } from 'vitest';
import { insertIntoMessage, onInsertion, withoutSent, withWords } from './draft.ts';

describe('words for a message', () => {
  it.each([
    ['', 'logo.png '],
    ['Use', 'Use logo.png '],
    ['Use ', 'Use logo.png '],
    ['Use\n', 'Use\nlogo.png '],
  ])('A25: behind %j', (text, after) => {
    expect(withWords(text, 'logo.png')).toBe(after);
  });

  it('A25: go to the message that is being written, as long as it is there', () => {
    const taken: string[] = [];
    const end = onInsertion((words) => taken.push(words));
    insertIntoMessage('a.png');
    end();
    insertIntoMessage('b.png');
    expect(taken).toEqual(['a.png']);
  });

  it('A10: what was written while a message was on its way stays', () => {
    expect(withoutSent(' Use the logo', 'Use the logo')).toBe('');
    expect(withoutSent('Use the logo now.png ', 'Use the logo')).toBe('now.png ');
    expect(withoutSent('Something else', 'Use the logo')).toBe('Something else');
  });
});
