import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt } from './search.ts';

describe('excerpt', () => {
  it('T3: shows the match, wherever it is and whatever precedes it', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 2000 }).map((text) => text.replace(/[\r\n]/g, ' '));
    fc.assert(
      fc.property(words, words, (before, after) => {
        const shown = excerpt(`${before}needle${after}\n`, Buffer.byteLength(before));
        expect(shown).toContain('needle');
        expect(shown.length).toBeLessThanOrEqual(302 + 'needle'.length);
      }),
    );
  });

  it('T3: leaves short lines unchanged', () => {
    expect(excerpt('  a line\r\n', 2)).toBe('  a line');
  });
});
