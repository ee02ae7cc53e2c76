import { describe, expect, it } from 'vitest';
import { corrected } from './spelling.ts';
import { tokenize } from './tokens.ts';

const keys = (text: string) => corrected(tokenize(text, [])).flatMap((token) => (token.type === 'word' ? [token.key] : []));

describe('typing errors', () => {
  it.each([
    ['a dinosor', 'dinosaur'],
    ['a roket', 'rocket'],
    ['the frog cacthes', 'catches'],
    ['balls wiht', 'with'],
    ['circleing', 'circling'],
    ['confeti', 'confetti'],
    ['a buterfly', 'butterfly'],
  ])('A4: “%s” has “%s”', (text, word) => {
    expect(keys(text)).toContain(word);
  });

  it.each([
    'an icy hill',
    'works offline',
    'what do you think',
    'waving',
    'a logo for Zorblax',
    'they stopped',
    'xqzzvk',
    'dziewczynka puszcza latawiec na plazy',
  ])('A4: “%s” stays as it is', (text) => {
    expect(keys(text)).toEqual(text.toLowerCase().split(' '));
  });

  it('A4: the text stays as it was typed', () => {
    const [, token] = corrected(tokenize('a roket', []));
    expect(token).toEqual({ type: 'word', text: 'roket', key: 'rocket' });
  });
});
