import { describe, expect, it } from 'vitest';
import { harmless } from './harmless.ts';

describe('what a terminal is shown', () => {
  it.each([
    ['writes to the clipboard', '\u001b]52;c;ZWNobyBvd25lZA==\u0007'],
    ['sets the title', '\u001b]0;root@host\u001b\\'],
    ['draws over the line before', '\u001b[1A\u001b[2K'],
    ['does so with one letter (C1)', '\u009b2J\u009d0;x\u009c'],
    ['begins the line anew', 'rm -rf ~\recho hello'],
    ['deletes what stands there', 'ab\b\b\u007f'],
    ['turns the direction', 'cod\u202Egnp.exe'],
  ])('A20: holds nothing that %s', (_what, text) => {
    expect(harmless(`a${text}b`)).not.toMatch(/[^\P{Cc}\n\t]|[\u202A-\u202E]/u);
  });

  it('A20: keeps lines, tabs and every script', () => {
    const text = 'Ünï 日本 עברית 🎈\n\t– done';
    expect(harmless(text)).toBe(text);
  });
});
