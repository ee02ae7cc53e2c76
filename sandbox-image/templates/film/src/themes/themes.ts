import { blush } from './blush.tsx';
import { bold } from './bold.tsx';
import { candy } from './candy.tsx';
import { chalk } from './chalk.tsx';
import { forest } from './forest.tsx';
import { luxe } from './luxe.tsx';
import { midnight } from './midnight.tsx';
import { neon } from './neon.tsx';
import { news } from './news.tsx';
import { paper } from './paper.tsx';
import { studio } from './studio.tsx';
import { terminal } from './terminal.tsx';
import type { ThemeDesign } from './theme.ts';
import './fonts.css';

const themes: Readonly<Record<string, ThemeDesign>> = {
  paper,
  studio,
  midnight,
  bold,
  blush,
  forest,
  neon,
  chalk,
  terminal,
  candy,
  luxe,
  news,
};

/** Returns the theme by name. An unknown name, as in a film from another version, returns `studio`. */
export function themeNamed(name: string): ThemeDesign {
  return themes[name] ?? studio;
}
