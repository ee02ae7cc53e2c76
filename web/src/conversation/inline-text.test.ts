import { expect, it } from 'vitest';
import { parseInline } from './inline-text.ts';

it('A9: bold and code are seen, all else stays as written', () => {
  expect(parseInline('a **red ball** in `src/App.tsx`.').map((part) => [part.kind, part.text])).toEqual([
    ['plain', 'a '],
    ['strong', 'red ball'],
    ['plain', ' in '],
    ['code', 'src/App.tsx'],
    ['plain', '.'],
  ]);
  for (const text of ['', '2 * 3 ** 4', '`open', '<b>no</b>']) {
    expect(parseInline(text).every((part) => part.kind === 'plain')).toBe(true);
    expect(
      parseInline(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  }
});
