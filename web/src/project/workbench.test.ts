import { describe, expect, it } from 'vitest';
import type { ProjectView } from './reducer.ts';
import { appendText, insertIntoMessage, onInsertion, shownTab, withoutSent } from './workbench.ts';

it('A15: the tab that the user chose stays, if the project has it', () => {
  const page = { tabs: [{ id: 'code' }, { id: 'assets' }], suggestedTab: () => 'code' };
  const view = {} as ProjectView;
  expect(shownTab(page, 'assets', view)).toBe('assets');
  expect(shownTab(page, 'storyboard', view)).toBe('code');
  expect(shownTab(page, null, view)).toBe('code');
});

describe('words for the message', () => {
  it.each([
    ['', 'logo.png '],
    ['Use', 'Use logo.png '],
    ['Use ', 'Use logo.png '],
    ['Use\n', 'Use\nlogo.png '],
  ])('A25: behind %j', (text, after) => {
    expect(appendText(text, 'logo.png')).toBe(after);
  });

  it('A25: are appended to the unsent message while its box exists', () => {
    const taken: string[] = [];
    const end = onInsertion((words) => taken.push(words));
    insertIntoMessage('a.png');
    end();
    insertIntoMessage('b.png');
    expect(taken).toEqual(['a.png']);
  });

  it('A10: text added while a message was being sent stays', () => {
    expect(withoutSent(' Use the logo', 'Use the logo')).toBe('');
    expect(withoutSent('Use the logo now.png ', 'Use the logo')).toBe('now.png ');
    expect(withoutSent('Something else', 'Use the logo')).toBe('Something else');
  });
});
