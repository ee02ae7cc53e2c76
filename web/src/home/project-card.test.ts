import { describe, expect, it } from 'vitest';
import { timeLeft } from './project-card.tsx';

describe('remaining time', () => {
  const now = Date.parse('2026-01-01T00:00:00.000Z');
  it.each([
    ['2026-01-02T00:00:00.000Z', 'in 24 h'],
    ['2026-01-01T23:59:59.000Z', 'in 23 h'],
    ['2026-01-01T01:00:00.000Z', 'in 1 h'],
    ['2026-01-01T00:59:59.000Z', 'in 59 min'],
    ['2026-01-01T00:00:59.000Z', 'in a moment'],
    ['2025-12-31T00:00:00.000Z', 'in a moment'],
    ['', 'in a moment'],
  ])('until %s is “%s”', (until, words) => {
    expect(timeLeft(until, now)).toBe(words);
  });
});
