import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/fixtures/cpu-time.ts';
import { type Token, tokenize } from './tokens.ts';

const show = (token: Token): string => {
  switch (token.type) {
    case 'word':
      return token.key;
    case 'number':
      return `${token.prefix}${token.value}${token.suffix}#`;
    case 'quote':
      return `"${token.text}"`;
    case 'color':
      return token.hex;
    case 'ratio':
      return `${token.width}:${token.height}`;
    case 'clock':
      return `${token.seconds}s`;
    case 'upload':
      return `@${token.name}`;
    case 'mark':
      return `<${token.mark}>`;
  }
};
const read = (text: string): string => tokenize(text).map(show).join(' ');

describe('tokens', () => {
  it.each([
    ['8 seconds, 1.5s 500ms', '8# seconds <comma> 1.5# s 500# ms'],
    ['10 000 and 10,000 and 1,000,000', '10000# and 10000# and 1000000#'],
    ['10, 40, 80', '10# <comma> 40# <comma> 80#'],
    ['1,5 Sekunden', '1.5# sekunden'],
    ['$1.2M 85% 40k 3x', '$1.2M# 85%# 40k# 3# times'],
    ['16:9 9:16 4:5 0:12 1:30', '16:9 9:16 4:5 12s 90s'],
    ['1080x1920', '1080:1920'],
    ['#F80 #ff8800 #nothex', '#ff8800 #ff8800 nothex'],
    [`"a" “b” „c“ «d» « e » 'f' ‘g’ »h«`, '"a" "b" "c" "d" "e" "f" "g" "h"'],
    [`don't say 'don't panic'`, `don't say "don't panic"`],
    ["the balls' colour", 'the balls colour'],
    ['Größe ß œ É', 'groesse ss oe e'],
    ['🔴🎉', '<bracket> red ball <bracket> <bracket> confetti <bracket>'],
    ['a\n- b\n2. c', 'a <item> b <item> c'],
    ['1. one 2. two', '<item> one <item> two'],
    ['bounces 3. Then', 'bounces 3# <stop> then'],
  ])('X1: %j', (text, tokens) => {
    expect(read(text)).toBe(tokens);
  });

  it('X1: is linear in hostile text', () => {
    const spentMs = cpuMs(() => {
      for (const piece of ['"', "'a ", '1 ', '1', '«', '🎉', 'a1', '#', '1,', '$']) tokenize(piece.repeat(10_000 / piece.length));
    });
    expect(spentMs).toBeLessThan(2000);
  });
});
