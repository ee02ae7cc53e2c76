import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

const { signal } = new AbortController();

describe('semaphore', () => {
  it('M11: admits as many as it has slots, the others in order of arrival', async () => {
    const semaphore = new Semaphore(2);
    const order: string[] = [];
    const enter = async (name: string) => {
      const slot = await semaphore.enter(signal);
      order.push(name);
      return slot;
    };
    const [first] = [await enter('a'), await enter('b')];
    const [third, fourth] = [enter('c'), enter('d')];
    await Promise.resolve();
    expect(order).toEqual(['a', 'b']);
    await first[Symbol.asyncDispose]();
    const slot = await third;
    expect(order).toEqual(['a', 'b', 'c']);
    await slot[Symbol.asyncDispose]();
    await fourth;
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  it('M11: a cancelled wait takes no slot', async () => {
    const semaphore = new Semaphore(1);
    const first = await semaphore.enter(signal);
    const stop = new AbortController();
    const cancelled = semaphore.enter(stop.signal);
    const next = semaphore.enter(signal);
    stop.abort();
    await (await cancelled)[Symbol.asyncDispose]();
    let isAdmitted = false;
    void next.then(() => {
      isAdmitted = true;
    });
    await new Promise(setImmediate);
    expect(isAdmitted).toBe(false);
    await first[Symbol.asyncDispose]();
    await next;
  });
});
