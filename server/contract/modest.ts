/** How much a value from outside may be. */
export interface Modesty {
  /** Values in it at most, at all levels together, itself too. */
  readonly values: number;
  /** Levels below itself. */
  readonly depth: number;
  /** Of all texts in it together, names of fields too. */
  readonly characters: number;
}

/**
 * Whether a value is small enough to be looked at. A schema looks at every element of a list before it counts them, and
 * notes what is wrong with each: millions of them keep everybody waiting, or use up the memory. This stops at the limit.
 * Only plain data counts as modest: no buffers, maps, dates or what else a page may post.
 */
export function isModest(value: unknown, limits: Modesty): boolean {
  let values = 0;
  let characters = 0;
  const visit = (current: unknown, depth: number): boolean => {
    values += 1;
    if (values > limits.values) return false;
    if (typeof current === 'string') {
      characters += current.length;
      return characters <= limits.characters;
    }
    if (typeof current !== 'object' || current === null) return true;
    if (depth === limits.depth) return false;
    if (Array.isArray(current)) {
      // Counted before it is walked: a list may say to be long without having any elements.
      return current.length <= limits.values - values && current.every((element) => visit(element, depth + 1));
    }
    const prototype: unknown = Object.getPrototypeOf(current);
    if (prototype !== Object.prototype && prototype !== null) return false;
    for (const name in current) {
      characters += name.length;
      if (characters > limits.characters || !visit(Reflect.get(current, name), depth + 1)) return false;
    }
    return true;
  };
  return visit(value, 0);
}
