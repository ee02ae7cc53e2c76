/**
 * What several sources give, as it comes. Each source is asked for its next value only after the one before was
 * taken, so nothing gathers here when the reader is slow, and no source starves another. Ends when all have ended;
 * an error of one is thrown. A reader that leaves early closes every source.
 */
export async function* merge<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T, void, void> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const ready: { readonly iterator: AsyncIterator<T>; readonly result: IteratorResult<T> }[] = [];
  let failure: { readonly error: unknown } | null = null;
  let wake: (() => void) | null = null;
  // Not `Promise.race`: it would hang one more reaction on each silent source at every value of the others.
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
    // Not awaited: a source that waits for its next value comes to its end by its own signal.
    for (const iterator of iterators) iterator.return?.()?.catch(() => undefined);
  }
}
