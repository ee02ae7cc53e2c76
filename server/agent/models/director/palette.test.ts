import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, distance, fromOklab, normalizeHex, toOklab } from './color.ts';
import { choosePalette, groundFrom, inkFor, minTextContrast, onGround, palettes, readableOn, visibleOn } from './palette.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const none = { background: null, subjectColors: [], textColors: [], tone: null };

describe('colours', () => {
  it('A3: contrast and distance at the ends', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(distance('#000000', '#ffffff')).toBeCloseTo(1, 3);
    expect(normalizeHex(' #F80 ')).toBe('#ff8800');
    expect(normalizeHex('red')).toBeNull();
  });

  it('A3: OKLab and back is the same colour', () => {
    fc.assert(
      fc.property(color, (hex) => {
        expect(fromOklab(toOklab(hex))).toBe(hex);
      }),
    );
  });
});

describe('palettes', () => {
  const all = Object.values(palettes).flat();

  it('A3: ink reads on its ground, accent and helper stand out from it', () => {
    for (const one of all) {
      const ground = { top: one.backgroundTop, bottom: one.backgroundBottom };
      expect(readableOn(one.ink, ground), one.backgroundTop).toBe(true);
      expect(visibleOn(one.accent, ground), one.accent).toBe(true);
      expect(visibleOn(one.helper, ground), one.helper).toBe(true);
    }
  });

  it('A3: several palettes a style, picked by the seed', () => {
    const tops = new Set([0, 1, 2, 3, 4].map((seed) => choosePalette('playful', seed, none).backgroundTop));
    expect(tops.size).toBe(5);
  });

  it('A4: any ground has an ink that reads on it', () => {
    fc.assert(
      fc.property(color, (hex) => {
        const ground = groundFrom(hex);
        expect(ground.top).toBe(hex);
        expect(Math.min(contrast(inkFor(ground), ground.top), contrast(inkFor(ground), ground.bottom))).toBeGreaterThanOrEqual(
          minTextContrast,
        );
        expect(readableOn(onGround(palettes.smooth[0] ?? inkless, ground).ink, ground)).toBe(true);
      }),
    );
  });

  it('A4: what the user coloured is seen on the ground that is chosen for it', () => {
    fc.assert(
      fc.property(
        color,
        fc.constantFrom('playful' as const, 'smooth' as const, 'cinematic' as const),
        fc.nat(20),
        (hex, style, seed) => {
          const chosen = choosePalette(style, seed, { ...none, subjectColors: [hex] });
          expect(visibleOn(hex, { top: chosen.backgroundTop, bottom: chosen.backgroundBottom })).toBe(true);
        },
      ),
    );
  });

  it('A4: a yellow or white title gets a ground on which it reads', () => {
    for (const hex of ['#ffff00', '#ffffff', '#ffd700', '#000000', '#00008b']) {
      const chosen = choosePalette('playful', 1, { ...none, textColors: [hex] });
      expect(readableOn(hex, { top: chosen.backgroundTop, bottom: chosen.backgroundBottom }), hex).toBe(true);
    }
  });
});

const inkless = { backgroundTop: '#ffffff', backgroundBottom: '#ffffff', ink: '#000000', accent: '#ff0000', helper: '#0000ff' };
