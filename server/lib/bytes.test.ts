import { expect, it } from 'vitest';
import { ByteCollector } from './bytes.ts';

it('concatenates chunks of any length', () => {
  const collector = new ByteCollector();
  expect(collector.whole()).toEqual(Buffer.alloc(0));
  const pieces = [1, 0, 20_000, 3, 100_000].map((length, index) => Buffer.alloc(length, index + 1));
  for (const piece of pieces) collector.add(piece);
  expect(collector.length).toBe(120_004);
  expect(collector.whole().equals(Buffer.concat(pieces))).toBe(true);
});

it('X3: stores a million single-byte chunks in little more than a million bytes', () => {
  const collector = new ByteCollector();
  const before = process.memoryUsage();
  for (let index = 0; index < 1_000_000; index++) collector.add(Buffer.of(index & 255));
  const after = process.memoryUsage();
  expect(collector.length).toBe(1_000_000);
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(64 * 1024 ** 2);
  expect(collector.whole().buffer.byteLength).toBeLessThan(2_100_000);
});
