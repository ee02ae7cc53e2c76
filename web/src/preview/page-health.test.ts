import { describe, expect, it } from 'vitest';
import { freshStartInMs } from './page-health.ts';

const hung = { frame: 'shown', health: 'unresponsive', lastMessageMs: 1000, load: null, changesMs: [500, 9000] } as const;

it('A15: restarts an unresponsive page shortly after a code change', () => {
  expect(freshStartInMs(hung, 9000)).toBe(700);
  expect(freshStartInMs(hung, 9500)).toBe(200);
  expect(freshStartInMs(hung, 60_000)).toBe(0);
  for (const health of ['late', 'failed'] as const) expect(freshStartInMs({ ...hung, health }, 9000)).toBe(700);
  expect(freshStartInMs({ ...hung, frame: 'flooded', health: 'flooding' }, 9000)).toBe(700);
});

it('A15: restarts once per change, and not for a change that the page has survived', () => {
  expect(freshStartInMs({ ...hung, changesMs: [] }, 9000)).toBeNull();
  expect(freshStartInMs({ ...hung, lastMessageMs: 9100 }, 20_000)).toBeNull();
});

it('A15: leaves alone a page that responds, loads, or was stopped by the user', () => {
  for (const health of ['responsive', 'loading'] as const) expect(freshStartInMs({ ...hung, health }, 9000)).toBeNull();
  for (const frame of ['stopped', 'ending', 'asleep'] as const) expect(freshStartInMs({ ...hung, frame }, 9000)).toBeNull();
});

describe('A15: A15: a responsive page whose code changed while it was loading', () => {
  const lives = { frame: 'shown', health: 'responsive', lastMessageMs: 9000 } as const;
  const sent = { sinceMs: 1000, readyMs: 5000, byItself: false };

  it('restarts, because it may have fetched the old code', () => {
    expect(freshStartInMs({ ...lives, load: sent, changesMs: [500, 3000] }, 5000)).toBe(0);
    // Waits until changes stop arriving.
    expect(freshStartInMs({ ...lives, load: sent, changesMs: [3000, 4800] }, 5000)).toBe(500);
    // Changes are reported with a delay.
    expect(freshStartInMs({ ...lives, load: sent, changesMs: [5400] }, 5400)).toBe(700);
  });

  it('applies earlier and later changes itself', () => {
    expect(freshStartInMs({ ...lives, load: sent, changesMs: [500, 900] }, 5000)).toBeNull();
    expect(freshStartInMs({ ...lives, load: sent, changesMs: [500, 8000] }, 8000)).toBeNull();
  });

  it('has the change that it reloaded for, but may lack later ones', () => {
    const itself = { ...sent, byItself: true };
    expect(freshStartInMs({ ...lives, load: itself, changesMs: [1100] }, 5000)).toBeNull();
    expect(freshStartInMs({ ...lives, load: itself, changesMs: [1100, 1200] }, 5000)).toBeNull();
    expect(freshStartInMs({ ...lives, load: itself, changesMs: [1100, 2000] }, 5000)).toBe(0);
  });
});
