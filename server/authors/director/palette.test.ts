import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, distance, fromOklab, fromOklch, normalizeHex, shaded, toOklab, toOklch } from './color.ts';
import {
  choosePalette,
  festive,
  groundFrom,
  inkFor,
  minTextContrast,
  onGround,
  palettes,
  readableOn,
  visibleOn,
} from './palette.ts';

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

describe('shades', () => {
  it('A4: a dark colour is dark and quiet, not a neon of CSS', () => {
    for (const hex of ['#0000ff', '#008000', '#ff0000', '#800080', '#808080']) {
      const { l, c } = toOklch(shaded(hex, 'dark'));
      expect(l, hex).toBeGreaterThan(0.2);
      expect(l, hex).toBeLessThan(0.4);
      expect(c, hex).toBeLessThan(0.14);
    }
    expect(distance(shaded('#0000ff', 'dark'), '#0f1f4d')).toBeLessThan(0.03);
  });

  it('A4: light, deep and dark keep the hue and their order of lightness', () => {
    for (const hex of ['#0000ff', '#008000', '#ff0000', '#800080', '#ffa500', '#ffc0cb', '#008080', '#a52a2a']) {
      const [dark, deep, plain, light] = [shaded(hex, 'dark'), shaded(hex, 'deep'), hex, shaded(hex, 'light')].map(toOklch);
      for (const one of [dark, deep, light]) {
        const turn = Math.abs((one?.h ?? 0) - (plain?.h ?? 0));
        expect(Math.min(turn, 360 - turn), `${hex} hue`).toBeLessThan(12);
      }
      expect((dark?.l ?? 0) < (deep?.l ?? 0) && (deep?.l ?? 0) < (plain?.l ?? 0), `${hex} darker`).toBe(true);
      expect((light?.l ?? 0) > (plain?.l ?? 0), `${hex} lighter`).toBe(true);
    }
  });

  it('A4: what sRGB does not have loses chroma, not its hue', () => {
    const { l, c, h } = toOklch(fromOklch({ l: 0.7, c: 0.4, h: 145 }));
    expect(l).toBeCloseTo(0.7, 1);
    expect(h).toBeGreaterThan(140);
    expect(h).toBeLessThan(150);
    expect(c).toBeLessThan(0.3);
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

  const usersColors = {
    red: ['#ff0000'],
    pink: ['#ffc0cb'],
    yellow: ['#ffff00'],
    gold: ['#ffd700'],
    white: ['#ffffff'],
    black: ['#000000'],
    grey: ['#808080'],
    silver: ['#c0c0c0'],
    navy: ['#000080'],
    green: ['#008000'],
    brown: ['#a52a2a'],
    lime: ['#00ff00'],
    teal: ['#008080'],
    purple: ['#800080'],
    'sky blue': ['#87ceeb'],
    'green and pink': ['#008000', '#ffc0cb'],
    'red and blue': ['#ff0000', '#0000ff'],
    'white and red': ['#ffffff', '#ff0000'],
    'white and black': ['#ffffff', '#000000'],
    'yellow and navy': ['#ffff00', '#000080'],
    'gold and pink': ['#ffd700', '#ffc0cb'],
    'lime and purple': ['#00ff00', '#800080'],
    'teal and brown': ['#008080', '#a52a2a'],
  };
  /** Lightness that a ground of the style may have, and the least chroma of its bottom. */
  const bounds = {
    playful: { least: 0.75, most: 1, chroma: 0.03 },
    smooth: { least: 0.2, most: 1, chroma: 0 },
    cinematic: { least: 0.05, most: 0.5, chroma: 0 },
  };

  it.each(Object.entries(usersColors))('A3, A4: %s is seen on a ground that suits each style', (_name, colors) => {
    for (const style of ['playful', 'smooth', 'cinematic'] as const) {
      for (const seed of [0, 1, 2, 3, 4]) {
        const one = choosePalette(style, seed, { ...none, subjectColors: colors });
        const ground = { top: one.backgroundTop, bottom: one.backgroundBottom };
        for (const hex of colors) expect(visibleOn(hex, ground), `${style} ${hex} on ${ground.top}`).toBe(true);
        expect(readableOn(one.ink, ground), `${style} ink ${one.ink} on ${ground.top}`).toBe(true);
        const [top, bottom] = [toOklch(ground.top), toOklch(ground.bottom)];
        const { least, most, chroma } = bounds[style];
        for (const { l } of [top, bottom]) {
          expect(l, `${style} ${ground.top}`).toBeGreaterThanOrEqual(least);
          expect(l, `${style} ${ground.top}`).toBeLessThanOrEqual(most);
        }
        expect(bottom.c, `${style} ${ground.bottom}`).toBeGreaterThanOrEqual(chroma);
        if (style !== 'playful') expect(Math.max(top.c, bottom.c), `${style} ${ground.top}`).toBeLessThan(0.09);
      }
    }
  });

  it('A3: "on a dark background" makes playful dark, but not dull', () => {
    for (const seed of [0, 1, 2, 3, 4]) {
      const { backgroundTop, backgroundBottom } = choosePalette('playful', seed, { ...none, tone: 'dark' });
      for (const hex of [backgroundTop, backgroundBottom]) {
        expect(toOklch(hex).l).toBeLessThan(0.5);
        expect(toOklch(hex).c).toBeGreaterThan(0.06);
      }
    }
  });

  it('A3: the festive five are strong, of different hues, and seen on every ground', () => {
    for (const one of all) {
      const five = festive(one, one.accent);
      expect(five).toHaveLength(5);
      const ground = { top: one.backgroundTop, bottom: one.backgroundBottom };
      for (const hex of five) {
        expect(visibleOn(hex, ground), `${hex} on ${ground.top}`).toBe(true);
        const { l, c, h } = toOklch(hex);
        if (hex !== one.accent) expect(c, hex).toBeGreaterThanOrEqual(0.1);
        // Dark orange is brown.
        if (hex !== one.accent && h > 40 && h < 110) expect(l, hex).toBeGreaterThan(0.62);
      }
      for (const [i, hex] of five.entries())
        for (const other of five.slice(i + 1)) expect(distance(hex, other), `${hex} ${other}`).toBeGreaterThan(0.08);
    }
  });
});

const inkless = { backgroundTop: '#ffffff', backgroundBottom: '#ffffff', ink: '#000000', accent: '#ff0000', helper: '#0000ff' };
