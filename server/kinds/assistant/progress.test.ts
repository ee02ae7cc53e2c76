import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSurface } from '#contract/surface/messages.ts';
import { Progress } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);

async function shownProgress(count: number) {
  const shown: Record<string, unknown>[] = [];
  const items = Array.from({ length: count }, (_, index) => ({ id: `rnd_${index}`, label: `Row ${index}` }));
  const context = {
    async showSurface(content: string, messages: Record<string, unknown>[]) {
      shown.push(...messages);
      return { ok: true, value: content } as const;
    },
  };
  const progress = new Progress(items, { atOnce: 2, secondsEach: 60, context });
  await progress.show();
  const data = () => {
    const read = readSurface(shown);
    if (!read.ok) throw new Error(read.issue.message);
    return read.value.data as { now: string; videos: { state: string }[] };
  };
  return { progress, now: () => data().now, waits: (index: number) => data().videos[index]?.state };
}

const done = { size_bytes: 1, error: null };

describe('the estimate of several videos', () => {
  it('V7: counts down between the ends of videos, and takes the pace of the running ones into account', async () => {
    const { progress, now, waits } = await shownProgress(3);
    for (const index of [0, 1]) await progress.of(index).started(60, 0);
    expect(now()).toBe('0 done, 3 to go, about 2 min left');
    expect(waits(2)).toBe('Waits for the 2 videos before it, about 60 s');
    pass(40);
    await progress.of(0).percent(1);
    expect(now()).toBe('0 done, 3 to go, about 80 s left');
    expect(waits(2)).toBe('Waits for the 2 videos before it, about 20 s');
    // Half of it took 40 s.
    await progress.of(0).percent(50);
    await progress.of(1).percent(50);
    expect(waits(2)).toBe('Waits for the 2 videos before it, about 40 s');
    expect(now()).toBe('0 done, 3 to go, about 2 min left');
    pass(40);
    for (const index of [0, 1]) await progress.of(index).ended(done);
    await progress.of(2).started(60, 0);
    expect(now()).toBe('2 done, 1 to go, about 80 s left');
    pass(60);
    await progress.of(2).percent(5);
    expect(now()).toBe('2 done, 1 to go, about 20 s left');
  });

  it('V7: does not promise the end of a video that takes longer than the others', async () => {
    const { progress, now } = await shownProgress(1);
    await progress.of(0).started(60, 0);
    pass(300);
    await progress.of(0).percent(2);
    expect(now()).toBe('0 done, 1 to go, about 30 s left');
  });

  it('V7: does not count the time in which a video waits for other renders', async () => {
    const { progress, now } = await shownProgress(1);
    await progress.of(0).started(60, 0);
    pass(50);
    await progress.of(0).queued({ renderId: 'rnd_0', position: 2, ahead: 1, startsInSeconds: 20 });
    expect(now()).toBe('0 done, 1 to go, about 80 s left');
  });

  it('V7: goes by the pace since a restart, because a render goes on where it was', async () => {
    const { progress, now } = await shownProgress(1);
    await progress.of(0).started(60, 50);
    expect(now()).toBe('0 done, 1 to go, about 30 s left');
    pass(10);
    await progress.of(0).percent(60);
    expect(now()).toBe('0 done, 1 to go, about 40 s left');
  });

  it('V7: counts down where there are too many videos to show each', async () => {
    const { progress, now } = await shownProgress(60);
    for (const index of [0, 1]) await progress.of(index).started(60, 0);
    expect(now()).toBe('0 done, 60 to go, about 30 min left');
    pass(50);
    await progress.of(0).percent(1);
    expect(now()).toBe('0 done, 60 to go, about 29 min left');
  });
});
