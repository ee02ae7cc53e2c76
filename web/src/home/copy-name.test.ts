import { describe, expect, it } from 'vitest';
import { copyName } from './copy-name.ts';

describe('the name of a copy', () => {
  it.each([
    ['Ball', 'Ball copy'],
    ['Ball copy', 'Ball copy 2'],
    ['Ball copy 2', 'Ball copy 3'],
    ['Ball copy 99', 'Ball copy 100'],
    ['A photocopy', 'A photocopy copy'],
    ['copy', 'copy copy'],
    ['x'.repeat(80), `${'x'.repeat(75)} copy`],
    [`${'x'.repeat(75)} copy`, `${'x'.repeat(73)} copy 2`],
  ])('“%s” becomes “%s”', (name, expected) => {
    expect(copyName(name)).toBe(expected);
    expect(copyName(name).length).toBeLessThanOrEqual(80);
  });
});
