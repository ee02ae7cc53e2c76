import {
  AlignLeft,
  AtSign,
  Banknote,
  CalendarDays,
  ChartColumn,
  Clock,
  Code,
  FileText,
  FunctionSquare,
  Hash,
  Image,
  LayoutGrid,
  Link,
  Link2,
  ListChecks,
  type LucideIcon,
  PanelLeft,
  Phone,
  SquarePen,
  SquareKanban,
  Star,
  Table2,
  Tag,
  ToggleRight,
  Type,
} from 'lucide-react';
import type { AppDocument, FieldType, ThemeId, ViewType } from '../../../../../sandbox-image/templates/app/model/document.ts';

interface Named {
  readonly name: string;
  readonly icon: LucideIcon;
}

/** Views of the catalogue, the most common first. `code` is not among them: it is written, not chosen. */
export const viewTypes = ['table', 'board', 'calendar', 'dashboard', 'form', 'cards', 'detail', 'sheet'] as const satisfies readonly ViewType[];

export const views: Readonly<Record<ViewType, Named>> = {
  table: { name: 'Table', icon: Table2 },
  board: { name: 'Board', icon: SquareKanban },
  calendar: { name: 'Calendar', icon: CalendarDays },
  cards: { name: 'Cards', icon: LayoutGrid },
  detail: { name: 'List with detail', icon: PanelLeft },
  sheet: { name: 'Sheet', icon: FileText },
  form: { name: 'Public form', icon: SquarePen },
  dashboard: { name: 'Dashboard', icon: ChartColumn },
  code: { name: 'Written in code', icon: Code },
};

export const fieldTypes: Readonly<Record<FieldType, Named>> = {
  text: { name: 'Text', icon: Type },
  longtext: { name: 'Long text', icon: AlignLeft },
  number: { name: 'Number', icon: Hash },
  money: { name: 'Money', icon: Banknote },
  date: { name: 'Date', icon: CalendarDays },
  time: { name: 'Time', icon: Clock },
  choice: { name: 'Choice', icon: Tag },
  choices: { name: 'Multi-choice', icon: ListChecks },
  rating: { name: 'Rating', icon: Star },
  yesno: { name: 'Yes or no', icon: ToggleRight },
  image: { name: 'Image', icon: Image },
  link: { name: 'Link', icon: Link },
  email: { name: 'E-mail', icon: AtSign },
  phone: { name: 'Phone', icon: Phone },
  relation: { name: 'Relation', icon: Link2 },
  computed: { name: 'Computed', icon: FunctionSquare },
};

/** Colours of a theme, as the app's own style sheet has them. */
export interface ThemeColours {
  readonly ground: string;
  readonly panel: string;
  readonly line: string;
  readonly ink: string;
  readonly muted: string;
  readonly accent: string;
  readonly soft: string;
  readonly helper: string;
  readonly scene: string;
}

const colours = (text: string): ThemeColours => {
  const [ground = '', panel = '', line = '', ink = '', muted = '', accent = '', soft = '', helper = '', scene = ''] = text.split(' ');
  return { ground, panel, line, ink, muted, accent, soft, helper, scene };
};

interface Theme {
  readonly name: string;
  readonly light: ThemeColours;
  readonly dark: ThemeColours;
}

export const themes: Readonly<Record<ThemeId, Theme>> = {
  studio: {
    name: 'Studio',
    light: colours('#f3f5fa #ffffff #e3e7ef #10131a #858ea2 #2f4ff0 #e9edfe #08724f #dfe5fb'),
    dark: colours('#0c0e13 #14171e #272c38 #eef1f7 #6d778d #8298ff #1d2547 #5fc79e #1b2138'),
  },
  paper: {
    name: 'Paper',
    light: colours('#f6f1e7 #fffdf9 #e7decf #1d1b18 #91866f #b8303f #f9e6e4 #2a665d #e6d6bd'),
    dark: colours('#161310 #1f1b17 #352e26 #f4ede2 #80745f #ef7f86 #401f22 #7cc4b6 #2b241c'),
  },
  forest: {
    name: 'Forest',
    light: colours('#edf1e6 #fdfefb #dce4d3 #17321f #7b8d7c #2a7046 #e0efe2 #7a5d0c #d0ddbc'),
    dark: colours('#0e1611 #152019 #283a2d #eaf3e8 #647a69 #6cc58b #183524 #d9b85c #1e3024'),
  },
  blush: {
    name: 'Blush',
    light: colours('#fdf0ea #fffcfa #f1ddd3 #3b1d1d #a3807a #b02f47 #fbe3e3 #7a5d30 #fbdfd9'),
    dark: colours('#1a1112 #24191b #3e2b2d #fbeae5 #8a6d69 #f2879a #47202a #d8b783 #3a2427'),
  },
  candy: {
    name: 'Candy',
    light: colours('#f9effd #ffffff #ecdcf5 #2b1055 #9a82bd #c2185b #fde4ef #1668b8 #ffd9ea'),
    dark: colours('#150b24 #1f1233 #38264f #f6ecff #7d689c #ff7fb2 #4a1836 #7fbcff #3a1d3c'),
  },
  midnight: {
    name: 'Midnight',
    light: colours('#eff1fa #ffffff #dfe3f2 #10142a #7d87ab #4456d8 #e6e9fc #8a5300 #dfe3f5'),
    dark: colours('#0b1020 #131936 #262e54 #f4f6ff #69739f #8fa8ff #202a5c #ffb86b #1a2145'),
  },
};

/** The colours of an app's pictures. Midnight is made for the dark; the others are light unless the person says otherwise. */
export function coloursOf({ theme, mode }: Pick<AppDocument, 'theme' | 'mode'>): ThemeColours {
  const isDark = mode === 'dark' || (mode === 'system' && theme === 'midnight');
  return themes[theme][isDark ? 'dark' : 'light'];
}
