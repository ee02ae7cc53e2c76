import { create } from 'zustand';
import type { AppDocument } from '../../model/document.ts';
import { readable, soft } from './colours.ts';

type Mode = AppDocument['mode'];
const key = 'koda-mode';

function storedMode(): Mode | null {
  const mode = localStorage.getItem(key);
  return mode === 'light' || mode === 'dark' || mode === 'system' ? mode : null;
}

/** The user's choice of light or dark, which goes before the document's. */
export const useMode = create<{ mode: Mode | null }>(() => ({ mode: storedMode() }));

export function chooseMode(mode: Mode): void {
  localStorage.setItem(key, mode);
  useMode.setState({ mode });
}

/** Panels of the themes are within this of white and of the lightest dark panel. */
const grounds = { light: '#fcf3ee', dark: '#24191b' };

/** Puts the theme, the mode and the user's colours on the page. */
export function applyTheme({ theme, mode, colours }: AppDocument, chosen: Mode | null): void {
  const root = document.documentElement;
  root.dataset['theme'] = theme;
  root.dataset['mode'] = chosen ?? mode;
  for (const part of ['accent', 'helper'] as const) {
    const colour = colours?.[part];
    const names = [`--${part}`, `--${part}-soft`, `--${part}-text`, `--${part}-ink`];
    if (colour === undefined) {
      for (const name of names) root.style.removeProperty(name);
      continue;
    }
    const [lightSoft, darkSoft] = [soft(colour, false), soft(colour, true)];
    const values = [
      `light-dark(${readable(colour, grounds.light)}, ${readable(colour, grounds.dark)})`,
      `light-dark(${lightSoft}, ${darkSoft})`,
      `light-dark(${readable(colour, lightSoft)}, ${readable(colour, darkSoft)})`,
      'light-dark(#ffffff, #0b0d12)',
    ];
    for (const [index, name] of names.entries()) root.style.setProperty(name, values[index] ?? '');
  }
}
