import { expect, it } from 'vitest';
import { keyTarget, leavesNext } from './keys.ts';

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const typing = { leaving: false, hasSelection: false, readOnly: false };

it('Tab is for the program, and leaves after Escape', () => {
  const tab = { ...none, key: 'Tab' };
  expect(keyTarget(tab, typing)).toBe('program');
  const leave = { ...none, key: 'Escape' };
  expect(keyTarget(leave, typing)).toBe('program');
  expect(leavesNext(leave, false)).toBe(true);
  expect(keyTarget(tab, { ...typing, leaving: true })).toBe('browser');
  expect(leavesNext({ ...none, key: 'Shift', shiftKey: true }, true)).toBe(true);
  expect(keyTarget({ ...tab, shiftKey: true }, { ...typing, leaving: true })).toBe('browser');
  expect(leavesNext({ ...none, key: 'a' }, true)).toBe(false);
  expect(leavesNext({ ...leave, altKey: true }, false)).toBe(false);
});

it('a shell that can only be watched never holds the focus, and scrolls', () => {
  const watching = { ...typing, readOnly: true };
  expect(keyTarget({ ...none, key: 'Tab' }, watching)).toBe('browser');
  expect(keyTarget({ ...none, key: 'PageUp' }, watching)).toBe('page-up');
  expect(keyTarget({ ...none, key: 'PageUp' }, typing)).toBe('program');
});

it('Ctrl-C interrupts, and copies what is selected; pasting is left to the browser', () => {
  const interrupt = { ...none, key: 'c', ctrlKey: true };
  expect(keyTarget(interrupt, typing)).toBe('program');
  expect(keyTarget(interrupt, { ...typing, hasSelection: true })).toBe('copy');
  expect(keyTarget({ ...interrupt, key: 'C', shiftKey: true }, typing)).toBe('copy');
  expect(keyTarget({ ...none, key: 'c', metaKey: true }, { ...typing, hasSelection: true })).toBe('copy');
  expect(keyTarget({ ...none, key: 'v', ctrlKey: true }, typing)).toBe('browser');
  expect(keyTarget({ ...none, key: 'F5' }, typing)).toBe('browser');
});
