import { expect, it } from 'vitest';
import { freshStartInMs } from './fresh-start.ts';

const hung = { frame: 'shown', health: 'silent', heardMs: 1000, changedMs: 9000 } as const;

it('A15: a page that does not answer is started anew a moment after its code changed', () => {
  expect(freshStartInMs(hung, 9000)).toBe(700);
  expect(freshStartInMs(hung, 9500)).toBe(200);
  expect(freshStartInMs(hung, 60_000)).toBe(0);
  for (const health of ['late', 'failed'] as const) expect(freshStartInMs({ ...hung, health }, 9000)).toBe(700);
  expect(freshStartInMs({ ...hung, frame: 'flooded', health: 'flooding' }, 9000)).toBe(700);
});

it('A15: once for a change, and not for one that it has lived through', () => {
  expect(freshStartInMs({ ...hung, changedMs: null }, 9000)).toBeNull();
  // It was begun, or said something, after the change.
  expect(freshStartInMs({ ...hung, heardMs: 9100 }, 20_000)).toBeNull();
});

it('A15: a page that lives or comes up is left alone, and so is one that the user took away', () => {
  for (const health of ['alive', 'loading'] as const) expect(freshStartInMs({ ...hung, health }, 9000)).toBeNull();
  for (const frame of ['stopped', 'ending'] as const) expect(freshStartInMs({ ...hung, frame }, 9000)).toBeNull();
});
