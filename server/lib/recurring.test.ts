import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { startRecurring } from './recurring.ts';

const log = pino({ level: 'silent' });
const options = { name: 'the test', intervalMs: 5, timeoutMs: 1000, log };

describe('startRecurring', () => {
  it('A24: runs at startup and periodically until stopped, even after a failed pass', async () => {
    const work = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('the engine restarts'));
    const recurring = startRecurring({ ...options, work });
    expect(work).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(work.mock.calls.length).toBeGreaterThan(2));
    await recurring.stop();
    const calls = work.mock.calls.length;
    await sleep(20);
    expect(work.mock.calls.length).toBe(calls);
  });

  it('A24: never overlaps, and stopping aborts the running pass', async () => {
    let atWork = 0;
    const work = vi.fn(async (signal: AbortSignal) => {
      atWork++;
      expect(atWork).toBe(1);
      await sleep(60_000, null, { signal }).finally(() => atWork--);
    });
    const recurring = startRecurring({ ...options, work });
    await sleep(30);
    expect(work).toHaveBeenCalledTimes(1);
    await recurring.stop();
    expect(atWork).toBe(0);
  });
});
