import { describe, expect, it } from 'vitest';
import { nextCard } from './project-grid.tsx';

// 0 1 2 3
// 4 5 6 7
// 8 9
const grid = { count: 10, columns: 4 };

describe('keys in a grid of cards', () => {
  it.each([
    ['ArrowRight', 0, 1],
    ['ArrowRight', 3, 4],
    ['ArrowRight', 9, null],
    ['ArrowLeft', 0, null],
    ['ArrowLeft', 4, 3],
    ['ArrowDown', 1, 5],
    ['ArrowDown', 5, 9],
    ['ArrowDown', 7, 9],
    ['ArrowDown', 8, null],
    ['ArrowUp', 2, null],
    ['ArrowUp', 9, 5],
    ['Home', 6, 0],
    ['Home', 0, null],
    ['End', 6, 9],
    ['Enter', 6, null],
  ])('%s on card %i leads to %s', (key, at, next) => {
    expect(nextCard(key, at, grid)).toBe(next);
  });
});
