import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { merge } from './merge.ts';

async function* counting(name: string, count: number, delayMs: number): AsyncGenerator<string> {
  for (let value = 1; value <= count; value++) {
    if (delayMs > 0) await sleep(delayMs);
    yield `${name}${value}`;
  }
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of source) values.push(value);
  return values;
}

it('A20: yields every value of every source once, in the order of its source', async () => {
  const values = await all(merge([counting('a', 40, 0), counting('b', 40, 0), counting('c', 3, 5)]));
  for (const [name, count] of [
    ['a', 40],
    ['b', 40],
    ['c', 3],
  ] as const) {
    const own = values.filter((value) => value.startsWith(name));
    expect(own).toEqual(Array.from({ length: count }, (_, index) => `${name}${index + 1}`));
  }
});

it('A20: a source that is always ready does not starve the others', async () => {
  const values = await all(merge([counting('a', 200, 0), counting('b', 20, 0)]));
  expect(values.indexOf('b20')).toBeLessThan(60);
});

it('A20: reads a source only as fast as the reader consumes', async () => {
  let given = 0;
  async function* endless() {
    for (;;) yield ++given;
  }
  const reader = merge([endless()]);
  await reader.next();
  await reader.next();
  await sleep(20);
  expect(given).toBeLessThanOrEqual(3);
  await reader.return();
});

it('A20: an error of one source ends the merge and closes the others', async () => {
  let told = false;
  async function* failing() {
    yield 1;
    throw new Error('broken');
  }
  async function* patient() {
    try {
      for (;;) {
        await sleep(1);
        yield 2;
      }
    } finally {
      told = true;
    }
  }
  await expect(all(merge([patient(), failing()]))).rejects.toThrow('broken');
  await sleep(20);
  expect(told).toBe(true);
});

it('A20: ends at once without sources', async () => {
  expect(await all(merge([]))).toEqual([]);
});
