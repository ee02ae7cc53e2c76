import { describe, expect, it } from 'vitest';
import { type Candidate, firstToGo } from './sessions.ts';

const session = (name: string, usedAtMs: number, state: Partial<Candidate> = {}) => ({
  name,
  usedAtMs,
  ended: false,
  running: false,
  watched: false,
  ...state,
});

describe('which session goes first', () => {
  it.each([
    ['the one idle longest', [session('new', 3), session('old', 1), session('middle', 2)], 'old'],
    ['not one in which something runs', [session('server', 1, { running: true }), session('idle', 9)], 'idle'],
    ['one that has ended before all others', [session('idle', 1), session('over', 9, { ended: true })], 'over'],
    ['one that nobody looks at', [session('seen', 1, { watched: true }), session('server', 9, { running: true })], 'server'],
    ['the oldest when all are at work', [session('a', 5, { running: true }), session('b', 4, { running: true })], 'b'],
  ])('T2: %s', (_what, sessions, expected) => {
    expect(firstToGo(sessions)?.name).toBe(expected);
  });

  it('is nobody when there is none', () => {
    expect(firstToGo([])).toBeUndefined();
  });
});
