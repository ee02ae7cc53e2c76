import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { themeNames, themeSchema } from '#kinds/film/contract/film.ts';
import { darkThemes, themes } from '#kinds/film/contract/themes.ts';
import { dominantColors, minContrast, paletteOf } from './palette.ts';

const worstContrast = ({ backgroundTop, backgroundBottom, ink, accent, helper }: ReturnType<typeof paletteOf>) =>
  Math.min(...[ink, accent, helper].flatMap((color) => [backgroundTop, backgroundBottom].map((end) => wcagContrast(color, end))));

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const theme = fc.constantFrom(...themeNames);

describe('palettes', () => {
  it.each(themeSchema.options)('A32: %s is as designed, and can be read', (name) => {
    const { top, bottom, ink, accent, helper } = themes[name];
    const palette = paletteOf({ theme: name, colors: {} });
    expect(palette).toEqual({ backgroundTop: top, backgroundBottom: bottom, ink, accent, helper });
    expect(worstContrast(palette)).toBeGreaterThanOrEqual(minContrast);
    expect(wcagContrast(top, '#ffffff') > wcagContrast(top, '#000000')).toBe(darkThemes.has(name));
  });

  it.each(['ground', 'ink'] as const)('A32: keeps any %s that the user named exactly, and all can be read', (role) => {
    fc.assert(
      fc.property(theme, color, (name, named) => {
        const palette = paletteOf({ theme: name, colors: { [role]: named } });
        expect(role === 'ground' ? palette.backgroundTop : palette.ink).toBe(named);
        expect(worstContrast(palette)).toBeGreaterThanOrEqual(minContrast);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['accent', 'helper'] as const)('A32: keeps any %s that the user named exactly, and it shows on the ground', (role) => {
    fc.assert(
      fc.property(theme, color, (name, named) => {
        const palette = paletteOf({ theme: name, colors: { [role]: named } });
        expect(palette[role]).toBe(named);
        expect(wcagContrast(named, palette.backgroundTop)).toBeGreaterThanOrEqual(1.5);
        expect(wcagContrast(palette.ink, palette.backgroundTop)).toBeGreaterThanOrEqual(minContrast);
      }),
      { numRuns: 300 },
    );
  });

  it('A32: keeps the ground of a light theme for a gold that text could not have', () => {
    const { backgroundTop } = paletteOf({ theme: 'candy', colors: { accent: '#1d4ed8', helper: '#d4af37' } });
    expect(backgroundTop).toBe(themes.candy.top);
  });

  const isPale = (hex: string) => wcagContrast(hex, '#ffffff') < 1.35;

  it('A32: named colours dominate the film, and everything can be read', () => {
    fc.assert(
      fc.property(theme, color, fc.option(color, { nil: undefined }), (name, accent, helper) => {
        const named = dominantColors(name, { accent, ...(helper !== undefined && { helper }) });
        expect(named.ground).toBeDefined();
        const palette = paletteOf({ theme: name, colors: named });
        expect(wcagContrast(palette.ink, palette.backgroundTop)).toBeGreaterThanOrEqual(minContrast);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['studio', { accent: '#1f8a3b', helper: '#ffd60a' }, { ground: '#1f8a3b', accent: '#ffd60a' }],
    ['bold', { ground: '#000080', helper: '#ffffff' }, { ground: '#000080', ink: '#ffffff', accent: '#ffffff' }],
    ['midnight', { accent: '#0b3d20', ink: '#fff5dc' }, { ground: '#0b3d20', ink: '#fff5dc', accent: '#fff5dc' }],
    ['neon', { accent: '#000080' }, { ground: '#000080' }],
    ['studio', { ground: '#ffffff', accent: '#d4202a' }, { ground: '#ffffff', accent: '#d4202a' }],
  ] as const)('A32: in %s, %j become %j', (name, named, expected) => {
    expect(dominantColors(name, named)).toEqual(expected);
  });

  it('A32: one bright colour tints a light ground of another hue', () => {
    const { ground, accent } = dominantColors('bold', { accent: '#008080' });
    expect([isPale(ground ?? ''), accent]).toEqual([true, '#008080']);
  });

  it('A32: keeps two named colours exactly, and the ink can be read', () => {
    fc.assert(
      fc.property(theme, color, color, (name, ground, accent) => {
        const palette = paletteOf({ theme: name, colors: { ground, accent } });
        expect([palette.backgroundTop, palette.accent]).toEqual([ground, accent]);
        expect(wcagContrast(palette.ink, palette.backgroundTop)).toBeGreaterThanOrEqual(minContrast);
        expect(wcagContrast(palette.ink, palette.backgroundBottom)).toBeGreaterThanOrEqual(minContrast);
      }),
    );
  });
});
