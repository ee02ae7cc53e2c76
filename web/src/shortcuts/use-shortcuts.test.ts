import { expect, it } from 'vitest';
import { keyName } from './use-shortcuts.ts';

const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

it('names keys with their modifiers, and characters by themselves', () => {
  expect(keyName({ ...none, key: ' ' })).toBe(' ');
  expect(keyName({ ...none, key: '?', shiftKey: true })).toBe('?');
  expect(keyName({ ...none, key: 'ArrowLeft', shiftKey: true })).toBe('Shift+ArrowLeft');
  expect(keyName({ ...none, key: 's', ctrlKey: true })).toBe('Mod+s');
  expect(keyName({ ...none, key: 'S', metaKey: true, shiftKey: true })).toBe('Mod+s');
});
