export type TokenKind = 'plain' | 'keyword' | 'string' | 'number' | 'comment' | 'name' | 'tag';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Column of the first character, from 0. */
  readonly column: number;
}

/** What a line leaves open for the next. */
export type LineState = 'code' | 'comment' | 'template';

const keywords = new Set(
  (
    'abstract as async await break case catch class const continue default delete do else export extends false finally for from ' +
    'function get if implements import in instanceof interface let new null of return satisfies set static super switch this throw ' +
    'true try type typeof undefined var void while yield'
  ).split(' '),
);

const tokenPattern =
  /(?<comment>\/\/.*|\/\*.*?(?:\*\/|$)|<!--.*?(?:-->|$))|(?<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`?)|(?<tag><\/?[A-Za-z][\w.-]*|\/>)|(?<number>#[\da-fA-F]{3,8}\b|\b0x[\da-fA-F]+\b|\b\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?(?:px|rem|em|ms|s|deg|vh|vw)?\b)|(?<word>[A-Za-z_$][\w$]*)/g;

/**
 * Colours for one line of TypeScript, JSX, CSS, JSON or HTML: enough to read along, no parser. Block comments
 * and template strings may go on over lines, so the state at the line's end is told.
 */
export function highlightLine(line: string, state: LineState): { tokens: Token[]; state: LineState } {
  const tokens: Token[] = [];
  let column = 0;
  if (state !== 'code') {
    const close = state === 'comment' ? '*/' : '`';
    const end = line.indexOf(close);
    const kind = state === 'comment' ? 'comment' : 'string';
    if (end === -1) return { tokens: line === '' ? [] : [{ kind, text: line, column: 0 }], state };
    column = end + close.length;
    tokens.push({ kind, text: line.slice(0, column), column: 0 });
  }
  let next: LineState = 'code';
  tokenPattern.lastIndex = column;
  for (let match = tokenPattern.exec(line); match; match = tokenPattern.exec(line)) {
    if (match.index > column) tokens.push({ kind: 'plain', text: line.slice(column, match.index), column });
    const text = match[0];
    tokens.push({ kind: kindOf(match), text, column: match.index });
    column = match.index + text.length;
    if (text.startsWith('/*') && !text.endsWith('*/')) next = 'comment';
    if (text.startsWith('`') && (text.length === 1 || !text.endsWith('`'))) next = 'template';
  }
  if (column < line.length) tokens.push({ kind: 'plain', text: line.slice(column), column });
  return { tokens, state: next };
}

function kindOf(match: RegExpExecArray): TokenKind {
  const { comment, string, tag, number, word } = match.groups ?? {};
  if (comment !== undefined) return 'comment';
  if (string !== undefined) return 'string';
  if (tag !== undefined) return 'tag';
  if (number !== undefined) return 'number';
  if (word !== undefined && keywords.has(word)) return 'keyword';
  return match.input[match.index + match[0].length] === '(' ? 'name' : 'plain';
}

/** Every line of a text with its tokens. */
export function highlight(text: string): Token[][] {
  let state: LineState = 'code';
  return text.split('\n').map((line) => {
    const result = highlightLine(line, state);
    state = result.state;
    return result.tokens;
  });
}
