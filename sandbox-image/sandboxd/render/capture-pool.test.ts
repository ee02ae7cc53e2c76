import { describe, expect, it } from 'vitest';
import { FrameWindow } from './capture-pool.ts';

describe('frame window', () => {
  it('A19: gives frames in order, however they come', async () => {
    const window = new FrameWindow<string>(10, 4);
    window.put(12, 'c');
    window.put(10, 'a');
    window.put(11, 'b');
    expect([await window.take(), await window.take(), await window.take()]).toEqual(['a', 'b', 'c']);
  });

  it('A18: lets nobody run further ahead than its size, so memory is bounded', async () => {
    const window = new FrameWindow<number>(0, 2);
    await window.room(1);
    let admitted = false;
    const waiting = window.room(2).then(() => {
      admitted = true;
    });
    window.put(1, 1);
    await new Promise(setImmediate);
    expect(admitted).toBe(false);
    window.put(0, 0);
    await window.take();
    await waiting;
    expect(admitted).toBe(true);
  });

  it('A18: a failure ends every wait, the first one counts', async () => {
    const window = new FrameWindow<number>(0, 1);
    const waits = [window.take(), window.room(5)];
    window.fail(new Error('first'));
    window.fail(new Error('second'));
    for (const wait of waits) await expect(wait).rejects.toThrow('first');
    await expect(window.room(0)).rejects.toThrow('first');
  });
});
