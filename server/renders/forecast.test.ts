import { describe, expect, it } from 'vitest';
import { forecast, type QueueState } from './forecast.ts';
import type { AtWork, Waiting } from './queue-policy.ts';

let arrivals = 0;
const waits = (id: string, projectId: string, preview = false): Waiting => ({
  ...{ id, projectId, preview, yielded: false, arrival: arrivals++ },
});
const works = (id: string, projectId: string, preview = false): AtWork => ({ id, projectId, preview });
const state = (waiting: Waiting[], atWork: AtWork[] = [], heavy = 1): QueueState => ({
  waiting,
  atWork,
  lanes: { heavy, preview: 1 },
  lastServed: new Map(),
});
const tenSeconds = () => 10;

describe('turns of the queue', () => {
  it('A18: one after the other, each with what is before it', () => {
    expect(forecast(state([waits('b', 'p'), waits('c', 'q')], [works('a', 'p')]), (id) => (id === 'a' ? 4 : 10))).toEqual([
      // Project p was served longest ago as far as is known, and came first.
      { id: 'b', position: 1, ahead: 1, startsInSeconds: 4 },
      { id: 'c', position: 2, ahead: 2, startsInSeconds: 14 },
    ]);
  });

  it('A18: with a free slot it begins at once', () => {
    expect(forecast(state([waits('a', 'p')], []), tenSeconds)).toEqual([{ id: 'a', position: 1, ahead: 0, startsInSeconds: 0 }]);
    expect(forecast(state([waits('b', 'q')], [works('a', 'p')], 2), tenSeconds)).toMatchObject([
      { ahead: 0, startsInSeconds: 0 },
    ]);
    // But one project renders one at a time.
    expect(forecast(state([waits('b', 'p')], [works('a', 'p')], 2), tenSeconds)).toMatchObject([
      { ahead: 1, startsInSeconds: 10 },
    ]);
  });

  it('A18: previews have a lane of their own, and the final of their project makes way', () => {
    expect(forecast(state([waits('b', 'q', true)], [works('a', 'p')]), tenSeconds)).toMatchObject([{ startsInSeconds: 0 }]);
    const turns = forecast(state([waits('c', 'p'), waits('b', 'p', true)], [works('a', 'p')]), tenSeconds);
    expect(turns).toMatchObject([
      { id: 'b', position: 1, startsInSeconds: 0 },
      // The final that made way goes on before it.
      { id: 'c', position: 2, startsInSeconds: 20 },
    ]);
  });

  it('A18: after work of unknown length, nobody knows', () => {
    const turns = forecast(state([waits('b', 'p'), waits('c', 'q')], [works('a', 'r')]), (id) => (id === 'a' ? 5 : null));
    expect(turns.map(({ startsInSeconds }) => startsInSeconds)).toEqual([5, null]);
    expect(turns.map(({ position }) => position)).toEqual([1, 2]);
  });

  it('A18: the queue itself is left as it was', () => {
    const before = state([waits('b', 'p')], [works('a', 'p')]);
    forecast(before, tenSeconds);
    expect([before.waiting.length, before.atWork.length, before.lastServed.size]).toEqual([1, 1, 0]);
  });
});
