/** So many items of a conversation are drawn at first, and so many more whenever earlier ones are asked for. */
export const windowItems = 120;

/** The last `count` items, and how many there are before them. */
export function lastItems<T>(items: readonly T[], count: number): { shown: readonly T[]; earlier: number } {
  const earlier = Math.max(0, items.length - count);
  return { shown: earlier === 0 ? items : items.slice(earlier), earlier };
}
