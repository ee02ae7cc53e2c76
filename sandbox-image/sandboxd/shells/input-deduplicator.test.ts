import { expect, it } from 'vitest';
import { InputDeduplicator } from './input-deduplicator.ts';

it('T2: treats repeated and older numbers of a writer as duplicates', () => {
  const deduplicator = new InputDeduplicator();
  expect(deduplicator.isDuplicate({ writer: 'a', number: 1 })).toBe(false);
  deduplicator.record({ writer: 'a', number: 1 });
  deduplicator.record({ writer: 'a', number: 2 });
  expect(deduplicator.isDuplicate({ writer: 'a', number: 1 })).toBe(true);
  expect(deduplicator.isDuplicate({ writer: 'a', number: 2 })).toBe(true);
  expect(deduplicator.isDuplicate({ writer: 'a', number: 3 })).toBe(false);
  expect(deduplicator.isDuplicate({ writer: 'b', number: 1 })).toBe(false);
});

it('T2: evicts the least recently active writer', () => {
  const deduplicator = new InputDeduplicator();
  for (let index = 0; index < 32; index++) deduplicator.record({ writer: `w${index}`, number: 5 });
  deduplicator.record({ writer: 'w0', number: 6 });
  deduplicator.record({ writer: 'late', number: 1 });
  expect(deduplicator.isDuplicate({ writer: 'w0', number: 6 })).toBe(true);
  expect(deduplicator.isDuplicate({ writer: 'w1', number: 5 })).toBe(false);
});
