import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt } from './search.ts';

describe('excerpts of long lines', () => {
  it('T3: show the match, whatever its place and the letters before it', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 2000 }).map((text) => text.replace(/[\r\n]/g, ' '));
    fc.assert(
      fc.property(words, words, (before, after) => {
        const shown = excerpt(`${before}needle${after}\n`, Buffer.byteLength(before));
        expect(shown).toContain('needle');
        expect(shown.length).toBeLessThanOrEqual(302 + 'needle'.length);
      }),
    );
  });

  it('T3: leave short lines as they are', () => {
    expect(excerpt('  a line\r\n', 2)).toBe('  a line');
  });
});
