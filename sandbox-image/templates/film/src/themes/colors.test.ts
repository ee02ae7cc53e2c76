import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contrast } from '../kit/color.ts';
import { colorsOf } from './colors.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
/** Backgrounds with similar ends, as in palettes, and an ink that is readable on both. */
const palette = fc.record({ ground: color, accent: color, helper: color }).map(({ ground, accent, helper }) => ({
  backgroundTop: ground,
  backgroundBottom: ground,
  ink: contrast('#000000', ground) > contrast('#ffffff', ground) ? '#000000' : '#ffffff',
  accent,
  helper,
}));

it("A32: text can be read in every colour that it may have, whatever a brand's colours are", () => {
  fc.assert(
    fc.property(palette, (given) => {
      const { groundTop, accent, helper, muted, onAccent, onHelper, accentFill, helperFill } = colorsOf(given);
      for (const text of [accent, helper, muted]) expect(contrast(text, groundTop)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(onAccent, accentFill)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(onHelper, helperFill)).toBeGreaterThanOrEqual(4.5);
      expect([accentFill, helperFill]).toEqual([given.accent, given.helper]);
    }),
    { numRuns: 500 },
  );
});
