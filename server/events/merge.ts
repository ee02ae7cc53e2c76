/**
 * Merges several sources in order of arrival. Requests a source's next value only after the previous one was consumed, so
 * nothing accumulates for a slow reader, and no source starves another. Ends when the last source ends, and throws the first
 * error. Leaving the iteration early closes every source.
 */
export async function* merge<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T, void, void> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const ready: { readonly iterator: AsyncIterator<T>; readonly result: IteratorResult<T> }[] = [];
  let failure: { readonly error: unknown } | null = null;
  let wake: (() => void) | null = null;
  // `Promise.race` would add a reaction to each silent source for every value from the others.
  const ask = (iterator: AsyncIterator<T>) => {
    iterator
      .next()
      .then(
        (result) => ready.push({ iterator, result }),
        (error: unknown) => {
          failure ??= { error };
        },
      )
      .finally(() => wake?.());
  };
  const failed = () => failure;
  for (const iterator of iterators) ask(iterator);
  let open = iterators.length;
  try {
    while (open > 0) {
      const first = failed();
      if (first) throw first.error;
      const next = ready.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = null;
      } else if (next.result.done) {
        open -= 1;
      } else {
        yield next.result.value;
        ask(next.iterator);
      }
    }
  } finally {
    // Not awaited, because a source that waits for its next value ends through its own signal.
    for (const iterator of iterators) iterator.return?.()?.catch(() => undefined);
  }
}
