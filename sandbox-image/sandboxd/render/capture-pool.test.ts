import { describe, expect, it } from 'vitest';
import { FrameReorderBuffer } from './capture-pool.ts';

describe('FrameReorderBuffer', () => {
  it('A19: returns frames in order, whatever the order of arrival', async () => {
    const buffer = new FrameReorderBuffer<string>(10, 4);
    buffer.put(12, 'c');
    buffer.put(10, 'a');
    buffer.put(11, 'b');
    expect([await buffer.take(), await buffer.take(), await buffer.take()]).toEqual(['a', 'b', 'c']);
  });

  it('A18: limits how far a worker runs ahead', async () => {
    const buffer = new FrameReorderBuffer<number>(0, 2);
    await buffer.waitForSlot(1);
    let granted = false;
    const waiting = buffer.waitForSlot(2).then(() => {
      granted = true;
    });
    buffer.put(1, 1);
    await new Promise(setImmediate);
    expect(granted).toBe(false);
    buffer.put(0, 0);
    await buffer.take();
    await waiting;
    expect(granted).toBe(true);
  });

  it('A18: rejects every wait with the first error', async () => {
    const buffer = new FrameReorderBuffer<number>(0, 1);
    const waits = [buffer.take(), buffer.waitForSlot(5)];
    buffer.fail(new Error('first'));
    buffer.fail(new Error('second'));
    for (const wait of waits) await expect(wait).rejects.toThrow('first');
    await expect(buffer.waitForSlot(0)).rejects.toThrow('first');
  });
});
