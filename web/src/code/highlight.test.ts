import { describe, expect, it } from 'vitest';
import { highlight, highlightLine } from './highlight.ts';

const kinds = (line: string) =>
  highlightLine(line, 'code')
    .tokens.filter((token) => token.text.trim() !== '')
    .map((token) => [token.kind, token.text]);

describe('colours of code', () => {
  it('A7: know keywords, names that are called, strings, numbers and comments', () => {
    expect(kinds("const x = run('a', 1.5); // why")).toEqual([
      ['keyword', 'const'],
      ['plain', 'x'],
      ['plain', ' = '],
      ['name', 'run'],
      ['plain', '('],
      ['string', "'a'"],
      ['plain', ', '],
      ['number', '1.5'],
      ['plain', '); '],
      ['comment', '// why'],
    ]);
  });

  it('A7: know tags and hex colours', () => {
    expect(kinds('<mesh color="#c8202f" />').map(([kind]) => kind)).toEqual(['tag', 'plain', 'plain', 'string', 'tag']);
    expect(kinds('color: #c8202f;')).toContainEqual(['number', '#c8202f']);
  });

  it('A7: lose not one character, whatever the text, also while it is half written', () => {
    const text = 'const a = `one\ntwo $x\n`;\n/* c\nc */ f("un\n\n  return <A b={1}';
    const lines = highlight(text).map((tokens) => tokens.map((token) => token.text).join(''));
    expect(lines.join('\n')).toBe(text);
  });

  it('A7: carry block comments and template strings over lines', () => {
    const [, second, third] = highlight('/* a\nconst b\n*/ const c');
    expect(second).toEqual([{ kind: 'comment', text: 'const b', column: 0 }]);
    expect(third?.[0]).toEqual({ kind: 'comment', text: '*/', column: 0 });
    expect(third?.some((token) => token.kind === 'keyword')).toBe(true);
  });
});
