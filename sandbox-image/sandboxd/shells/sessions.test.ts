import { describe, expect, it } from 'vitest';
import { type Candidate, evictionCandidate } from './sessions.ts';

const session = (name: string, usedAtMs: number, state: Partial<Candidate> = {}) => ({
  name,
  usedAtMs,
  ended: false,
  running: false,
  watched: false,
  ...state,
});

describe('evictionCandidate', () => {
  it.each([
    ['picks the least recently used session', [session('new', 3), session('old', 1), session('middle', 2)], 'old'],
    [
      'prefers an idle session to one with a running command',
      [session('server', 1, { running: true }), session('idle', 9)],
      'idle',
    ],
    ['prefers an ended session to all others', [session('idle', 1), session('over', 9, { ended: true })], 'over'],
    ['prefers an unwatched session', [session('seen', 1, { watched: true }), session('server', 9, { running: true })], 'server'],
    [
      'picks the least recently used session if all are running',
      [session('a', 5, { running: true }), session('b', 4, { running: true })],
      'b',
    ],
  ])('T2: %s', (_what, sessions, expected) => {
    expect(evictionCandidate(sessions)?.name).toBe(expected);
  });

  it('returns undefined without sessions', () => {
    expect(evictionCandidate([])).toBeUndefined();
  });
});
