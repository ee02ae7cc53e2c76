/** How large a value from outside may be. */
export interface PayloadLimits {
  /** Most values in it, at all levels together, itself included. */
  readonly values: number;
  /** Levels below itself. */
  readonly depth: number;
  /** Of all texts in it together, names of fields included. */
  readonly characters: number;
}

/**
 * Whether a value is small enough to be validated. A schema checks every element of a list before it counts them, and
 * notes what is wrong with each: millions of them block the process, or use up its memory. This stops at the limit.
 * Only plain data is within limits: no buffers, maps, dates or whatever else a page may post.
 */
export function isWithinLimits(value: unknown, limits: PayloadLimits): boolean {
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
      // Compared before the walk: a list may claim to be long without having any elements.
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
