import { expect, it } from 'vitest';
import { lastItems } from './timeline-window.ts';

it('A20: of a very long conversation the end is drawn, and it is told how much is before it', () => {
  const items = Array.from({ length: 2000 }, (_, index) => index);
  expect(lastItems(items, 120)).toEqual({ shown: items.slice(1880), earlier: 1880 });
  expect(lastItems(items, 5000)).toEqual({ shown: items, earlier: 0 });
});
