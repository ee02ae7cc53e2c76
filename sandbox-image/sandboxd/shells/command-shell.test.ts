import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteForBash } from './command-shell.ts';

const parts = fc.oneof(fc.constantFrom("'", '\\', '\n', '\r', '\u0007', '\u0085', '$', '`', '"', '7', 'é', '😀'), fc.string());

describe('quoteForBash', () => {
  it('T2: quotes any command as one line', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (array) => {
        const quoted = quoteForBash(array.join(''));
        expect(quoted).not.toMatch(/[\p{Cc}]/u);
        // Every backslash escapes a character, and every quote is escaped.
        expect(quoted.slice(2, -1)).toMatch(/^([^\\']|\\.)*$/su);
      }),
    );
    expect(quoteForBash("it's\n\\1\t\u0007" + '7é😀')).toBe("$'it\\'s\\012\\\\1\\011\\0077é😀'");
  });
});
