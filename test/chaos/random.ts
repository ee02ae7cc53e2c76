/** Repeatable randomness: the same seed gives the same decisions, though not the same timing. */
export interface Random {
  fraction(): number;
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  /** Returns a key with a probability proportional to its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
  bytes(length: number): Buffer<ArrayBuffer>;
}

/** mulberry32, a 32-bit generator by Tommy Ettinger: small, and good enough for choosing times. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    fraction: next,
    below,
    pick<T>(choices: readonly T[]): T {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new Error('there is nothing to choose from');
      return choice;
    },
    weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
      const entries = Object.entries<number>(weights) as [K, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        left -= weight;
        if (left < 0) return key;
      }
      throw new Error('there is nothing to choose from');
    },
    bytes: (length) => Buffer.from(Uint8Array.from({ length }, () => below(256))),
  };
}
