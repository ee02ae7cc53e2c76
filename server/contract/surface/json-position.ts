/** Position in a string. Lines and columns count from 1. */
export interface TextPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

const blank = /[ \t\n\r]*/y;
const scalar =
  /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

interface Scan {
  readonly text: string;
  readonly open: ('{' | '[')[];
  expected: Expected;
  offset: number;
}

/**
 * Returns the position of the first JSON syntax error, or `null` if the string is valid JSON. `JSON.parse` reports positions
 * only for some errors. Runs in linear time without recursion, because the input is untrusted.
 */
export function findJsonError(text: string): TextPosition | null {
  const scan: Scan = { text, open: [], expected: 'value', offset: 0 };
  for (;;) {
    consume(scan, blank);
    const char = text[scan.offset];
    if (char === undefined) return scan.expected === 'nothing' ? null : positionIn(text, scan.offset);
    if (!acceptToken(scan, char)) return positionIn(text, scan.offset);
  }
}

/** Consumes the next token, which starts with `char`. Returns false and leaves the offset unchanged if it is not expected. */
function acceptToken(scan: Scan, char: string): boolean {
  const { open, expected } = scan;
  const inObject = open.at(-1) === '{';
  if (expected === 'colon') return char === ':' && acceptCharacter(scan, 'value');
  if (expected === 'comma or end' && char === ',') return acceptCharacter(scan, inObject ? 'name' : 'value');
  if (expected.endsWith('or end') && char === (inObject ? '}' : ']')) {
    open.pop();
    return acceptCharacter(scan, afterValue(scan));
  }
  if (expected.startsWith('name')) return char === '"' && acceptScalar(scan, 'colon');
  if (!expected.startsWith('value')) return false;
  if (char !== '{' && char !== '[') return acceptScalar(scan, afterValue(scan));
  open.push(char);
  return acceptCharacter(scan, char === '{' ? 'name or end' : 'value or end');
}

function acceptCharacter(scan: Scan, next: Expected): true {
  scan.offset += 1;
  scan.expected = next;
  return true;
}

function acceptScalar(scan: Scan, next: Expected): boolean {
  if (!consume(scan, scalar)) return false;
  scan.expected = next;
  return true;
}

const afterValue = ({ open }: Scan): Expected => (open.length === 0 ? 'nothing' : 'comma or end');

function consume(scan: Scan, pattern: RegExp): boolean {
  pattern.lastIndex = scan.offset;
  const found = pattern.exec(scan.text)?.[0];
  scan.offset += found?.length ?? 0;
  return found !== undefined;
}

function positionIn(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  return { offset, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
