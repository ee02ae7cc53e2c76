import { expect, it } from 'vitest';
import { wipeAfterKey } from './wipe-handle.tsx';

it('A17: the edge between two versions is moved by keys, and stays within the frame', () => {
  const press = (share: number, key: string, shiftKey = false) => wipeAfterKey(share, { key, shiftKey });
  expect(press(0.5, 'ArrowLeft')).toBeCloseTo(0.49);
  expect(press(0.5, 'ArrowRight', true)).toBeCloseTo(0.6);
  expect(press(0.005, 'ArrowLeft')).toBe(0);
  expect(press(0.95, 'PageUp')).toBe(1);
  expect([press(0.5, 'Home'), press(0.5, 'End'), press(0.5, 'x')]).toEqual([0, 1, null]);
});
