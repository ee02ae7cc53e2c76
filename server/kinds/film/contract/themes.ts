import type { ThemeName } from './film.ts';

/** A theme's colours. Ink, accent and helper have a contrast of at least 4.5 with both ends of the background. */
export interface ThemeColors {
  readonly top: string;
  readonly bottom: string;
  readonly ink: string;
  readonly accent: string;
  readonly helper: string;
}

const colors = (top: string, bottom: string, ink: string, accent: string, helper: string): ThemeColors => ({
  top,
  bottom,
  ink,
  accent,
  helper,
});

/** The template's themes have the same names (`sandbox-image/templates/film/src/themes`). */
export const themes: Readonly<Record<ThemeName, ThemeColors>> = {
  paper: colors('#faf7f2', '#f1ebe0', '#1d1b18', '#b8303f', '#2a665d'),
  studio: colors('#ffffff', '#f3f5fa', '#0b0d12', '#2f4ff0', '#08724f'),
  midnight: colors('#0b1020', '#17203f', '#f4f6ff', '#8fa8ff', '#ffb86b'),
  bold: colors('#ffd60a', '#ffc300', '#0a0a0a', '#a30f19', '#1d3557'),
  blush: colors('#fff4ef', '#ffe5dc', '#3b1d1d', '#b02f47', '#7a5d30'),
  forest: colors('#f3f5ef', '#e4ebdd', '#17321f', '#2a7046', '#7a5d0c'),
  neon: colors('#07070a', '#12121a', '#f5f5f7', '#39ff14', '#ff4fdb'),
  chalk: colors('#1f2a24', '#27362e', '#f2f0e6', '#ffd166', '#8ecae6'),
  terminal: colors('#0d1117', '#161b22', '#e6edf3', '#3fb950', '#d29922'),
  candy: colors('#fdf0ff', '#ffe3f1', '#2b1055', '#c2185b', '#1668b8'),
  luxe: colors('#0e0c0a', '#1b1712', '#f3ead7', '#d4af55', '#a68f6a'),
  news: colors('#f5f6f8', '#e8ebf0', '#101418', '#b00f1b', '#003a5d'),
};

/** What each theme looks like, for language models: ground, typeface of its titles, mood. */
export const themeLooks: Readonly<Record<ThemeName, string>> = {
  paper: 'light cream, elegant serif; calm, editorial',
  studio: 'white, tight sans serif; clean, product',
  midnight: 'dark blue, geometric sans serif; modern, tech',
  bold: 'bright yellow, huge condensed capitals; loud',
  blush: 'light pink, soft serif, petals; tender',
  forest: 'light green, warm sans serif; natural',
  neon: 'near black, glowing wide sans serif; club, games',
  chalk: 'dark green board, handwriting in chalk; school',
  terminal: 'near black, monospace; developers',
  candy: 'light pink, round letters, stickers; playful',
  luxe: 'near black and gold, fine serif; luxury',
  news: 'light grey, heavy sans serif and serif; newsroom',
};

export const darkThemes: ReadonlySet<ThemeName> = new Set(['midnight', 'neon', 'chalk', 'terminal', 'luxe']);
