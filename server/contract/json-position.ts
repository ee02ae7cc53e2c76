/** Position in a text. Line and column count from 1. */
export interface TextPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

const blank = /[ \t\n\r]*/y;
const scalar =
  /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

/**
 * Returns the position at which a text stops being JSON, or `null` if it is JSON. `JSON.parse` reports it only for some errors.
 * Runs in linear time without recursion, because the text is untrusted.
 */
export function jsonFault(text: string): TextPosition | null {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let offset = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = offset;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) offset += found.length;
    return found;
  };
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma or end');
  for (;;) {
    take(blank);
    const char = text[offset];
    if (char === undefined) return expected === 'nothing' ? null : positionIn(text, offset);
    if (expected === 'colon' && char === ':') expected = 'value';
    else if (expected === 'comma or end' && char === ',') expected = open.at(-1) === '{' ? 'name' : 'value';
    else if (expected.endsWith('or end') && char === (open.at(-1) === '{' ? '}' : ']')) {
      open.pop();
      offset += 1;
      expected = afterValue();
      continue;
    } else if (expected.startsWith('value') && (char === '{' || char === '[')) {
      open.push(char);
      expected = char === '{' ? 'name or end' : 'value or end';
    } else if (expected.startsWith('value') || (expected.startsWith('name') && char === '"')) {
      const isName = expected.startsWith('name');
      if (take(scalar) === null) return positionIn(text, offset);
      expected = isName ? 'colon' : afterValue();
      continue;
    } else return positionIn(text, offset);
    offset += 1;
  }
}

function positionIn(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  return { offset, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
