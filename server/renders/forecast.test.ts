import { describe, expect, it } from 'vitest';
import { forecast, type QueueState } from './forecast.ts';
import type { RunningRender, Waiting } from './queue-policy.ts';

let arrivals = 0;
const waits = (id: string, projectId: string, preview = false): Waiting => ({
  ...{ id, projectId, preview, wasPreempted: false, arrival: arrivals++ },
});
const running = (id: string, projectId: string, preview = false): RunningRender => ({ id, projectId, preview });
const state = (waiting: Waiting[], running: RunningRender[] = [], heavy = 1): QueueState => ({
  waiting,
  running,
  slots: { heavy, preview: 1 },
  lastServed: new Map(),
  sandboxOf: () => 'running',
});
const tenSeconds = () => 10;

describe('forecast', () => {
  it('A18: lists renders in order, each with the number ahead of it', () => {
    expect(forecast(state([waits('b', 'p'), waits('c', 'q')], [running('a', 'p')]), (id) => (id === 'a' ? 4 : 10))).toEqual([
      // Neither project was served before, and p was queued first.
      { id: 'b', position: 1, ahead: 1, startsInSeconds: 4 },
      { id: 'c', position: 2, ahead: 2, startsInSeconds: 14 },
    ]);
  });

  it('A18: starts at once if a slot is free', () => {
    expect(forecast(state([waits('a', 'p')], []), tenSeconds)).toEqual([{ id: 'a', position: 1, ahead: 0, startsInSeconds: 0 }]);
    expect(forecast(state([waits('b', 'q')], [running('a', 'p')], 2), tenSeconds)).toMatchObject([
      { ahead: 0, startsInSeconds: 0 },
    ]);
    // A project renders only one video at a time.
    expect(forecast(state([waits('b', 'p')], [running('a', 'p')], 2), tenSeconds)).toMatchObject([
      { ahead: 1, startsInSeconds: 10 },
    ]);
  });

  it('A18: previews have their own slot and preempt the final of their project', () => {
    expect(forecast(state([waits('b', 'q', true)], [running('a', 'p')]), tenSeconds)).toMatchObject([{ startsInSeconds: 0 }]);
    const turns = forecast(state([waits('c', 'p'), waits('b', 'p', true)], [running('a', 'p')]), tenSeconds);
    expect(turns).toMatchObject([
      { id: 'b', position: 1, startsInSeconds: 0 },
      // The preempted final resumes first.
      { id: 'c', position: 2, startsInSeconds: 20 },
    ]);
  });

  it('A18: the start time is unknown after a render of unknown length', () => {
    const turns = forecast(state([waits('b', 'p'), waits('c', 'q')], [running('a', 'r')]), (id) => (id === 'a' ? 5 : null));
    expect(turns.map(({ startsInSeconds }) => startsInSeconds)).toEqual([5, null]);
    expect(turns.map(({ position }) => position)).toEqual([1, 2]);
  });

  it('A18: does not change the queue', () => {
    const before = state([waits('b', 'p')], [running('a', 'p')]);
    forecast(before, tenSeconds);
    expect([before.waiting.length, before.running.length, before.lastServed.size]).toEqual([1, 1, 0]);
  });
});
