import { setImmediate as otherWork } from 'node:timers/promises';

const sliceSize = 50;

/**
 * Yields all items, and lets the thread do other work after every 50. Reads of the database are synchronous, so a loop over all
 * projects would otherwise block requests even if it awaits each one.
 */
export async function* inSlices<T>(items: readonly T[]): AsyncGenerator<T, void, void> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % sliceSize === 0) await otherWork();
    yield item;
  }
}
