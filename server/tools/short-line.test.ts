import { describe, expect, it } from 'vitest';
import { shortLine } from './apply.ts';

describe('a short line', () => {
  it('A6: keeps whole sentences', () => {
    expect(shortLine('A ball drops in. “Hello” pops in.', 40)).toBe('A ball drops in. “Hello” pops in.');
    expect(shortLine('A ball drops in. “Hello” pops in at the top.', 40)).toBe('A ball drops in.');
    expect(shortLine('It says “Hello.” Then it leaves.', 20)).toBe('It says “Hello.”');
  });

  it('A6: cuts after a whole word if no sentence fits', () => {
    expect(shortLine('A ball, which is red, drops in and bounces', 22)).toBe('A ball, which is red…');
    expect(shortLine('For 2.5 s a ball drops in and bounces', 20)).toBe('For 2.5 s a ball…');
  });

  it('A6: never exceeds the limit or splits a character', () => {
    for (const text of ['x'.repeat(200), '😀'.repeat(60), `${'word '.repeat(50)}`, 'a\n\nb'.repeat(40)]) {
      const line = shortLine(text, 51);
      expect(line.length).toBeLessThanOrEqual(51);
      expect(line.isWellFormed()).toBe(true);
      expect(line).not.toMatch(/\n/);
    }
  });
});
