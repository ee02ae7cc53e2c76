import type { JsonLimits } from '#contract/sandbox/calls.ts';

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Returns what exceeds the limits in JSON that has not been parsed, or `null`. Takes a time that grows with the number of bytes alone,
 * whereas parsing takes up to a hundred times as long if they are mostly values.
 */
export function excessIn(bytes: Buffer, limits: JsonLimits): string | null {
  const outer: number[] = [];
  /** Number of commas in the current list or object. */
  let commas = 0;
  let structure = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const character = bytes[at];
    if (isText) {
      if (character === backslash) at++;
      else if (character === quote) isText = false;
      continue;
    }
    switch (character) {
      case quote:
        isText = true;
        break;
      case openBrace:
      case openBracket:
        structure++;
        outer.push(commas);
        commas = 0;
        if (outer.length > limits.depth) return 'too many levels';
        break;
      case closeBrace:
      case closeBracket:
        commas = outer.pop() ?? 0;
        break;
      case colon:
        structure++;
        break;
      case comma:
        structure++;
        commas++;
        break;
    }
    if (structure > limits.structure || commas >= limits.elements) return 'too many values';
  }
  return null;
}
