import { expect, it } from 'vitest';
import { conversationColumn, conversationWidth, fittingWidth, readWidth, setConversationWidth } from './pane-divider.tsx';

it('leaves space for both sides of the page', () => {
  expect([100, 512.4, 5000].map((wanted) => fittingWidth(wanted, 1440))).toEqual([300, 512, 920]);
  // If the page is too narrow for both, the conversation stays usable.
  expect(fittingWidth(400, 700)).toBe(300);
});

it('reads valid widths only', () => {
  expect(['480', '12', 'wide', '', 'Infinity', null].map(readWidth)).toEqual([480, null, null, null, null, null]);
});

it('stores the width and removes it', () => {
  const kept: (string | null)[] = [];
  const storage = { write: (_name: string, text: string | null) => kept.push(text) };
  setConversationWidth(480, storage);
  expect(conversationColumn(conversationWidth.getState().width)).toContain('480px');
  setConversationWidth(null, storage);
  expect(conversationColumn(conversationWidth.getState().width)).toBeUndefined();
  expect(kept).toEqual(['480', null]);
});
