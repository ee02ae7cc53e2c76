export interface PayloadLimits {
  /** Total number of values at all levels, including the root. */
  readonly values: number;
  /** Levels of nesting below the root. */
  readonly depth: number;
  /** Total length of all strings, including field names. */
  readonly characters: number;
}

/**
 * Returns whether an untrusted value is small enough to be validated. A schema checks every element of a list before counting
 * them, so millions of elements would block the process or exhaust its memory. This check stops at the limit. Rejects
 * buffers, maps, dates and other non-plain objects that a page can post.
 */
export function isWithinLimits(value: unknown, limits: PayloadLimits): boolean {
  let values = 0;
  let characters = 0;
  const addText = (text: string): boolean => {
    characters += text.length;
    return characters <= limits.characters;
  };
  const visit = (current: unknown, depth: number): boolean => {
    values += 1;
    if (values > limits.values) return false;
    if (typeof current === 'string') return addText(current);
    if (typeof current !== 'object' || current === null) return true;
    if (depth === limits.depth) return false;
    if (Array.isArray(current)) {
      // Checks the length before the traversal, because a sparse array can be long without having elements.
      return current.length <= limits.values - values && current.every((element) => visit(element, depth + 1));
    }
    if (!isPlainObject(current)) return false;
    for (const name in current) {
      if (!addText(name) || !visit(Reflect.get(current, name), depth + 1)) return false;
    }
    return true;
  };
  return visit(value, 0);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
