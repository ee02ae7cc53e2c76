import type { ITheme } from '@xterm/xterm';

/** The page's colours that the terminal uses. */
export const themeTokens = [
  '--panel',
  '--ink',
  '--ink-2',
  '--ink-3',
  '--line-strong',
  '--accent',
  '--bad',
  '--ok',
  '--warn',
  '--code-name',
  '--code-keyword',
] as const;
export type ThemeTokens = Readonly<Record<(typeof themeTokens)[number], Rgb>>;

/** 0…255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Parses `rgb(1, 2, 3)`, as browsers compute a colour; grey for anything else. */
export function parseRgb(computed: string): Rgb {
  const [red, green, blue] = /^rgba?\((\d+),\s*(\d+),\s*(\d+)/.exec(computed)?.slice(1).map(Number) ?? [];
  return red === undefined || green === undefined || blue === undefined ? [128, 128, 128] : [red, green, blue];
}

/** Mixes a share (0…1) of the second colour into the first. */
function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const [red, green, blue] = one.map((value, index) => Math.round(value + ((other[index] ?? value) - value) * share));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

const hex = (colour: Rgb) => `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

/** The terminal in the page's colours: bright ones are nearer to the ink, and what programs choose stays readable. */
export function terminalTheme(tokens: ThemeTokens): ITheme {
  const panel = tokens['--panel'];
  const ink = tokens['--ink'];
  // Between blue and green: the page has no cyan.
  const cyan = mix(tokens['--code-name'], tokens['--ok'], 0.5);
  const bright = (colour: Rgb) => hex(mix(colour, ink, 0.25));
  return {
    background: hex(panel),
    foreground: hex(ink),
    cursor: hex(tokens['--accent']),
    cursorAccent: hex(panel),
    selectionBackground: hex(mix(panel, tokens['--accent'], 0.28)),
    selectionInactiveBackground: hex(mix(panel, tokens['--ink-3'], 0.25)),
    scrollbarSliderBackground: hex(tokens['--line-strong']),
    scrollbarSliderHoverBackground: hex(tokens['--ink-3']),
    scrollbarSliderActiveBackground: hex(tokens['--ink-3']),
    black: hex(mix(panel, ink, 0.2)),
    red: hex(tokens['--bad']),
    green: hex(tokens['--ok']),
    yellow: hex(tokens['--warn']),
    blue: hex(tokens['--code-name']),
    magenta: hex(tokens['--code-keyword']),
    cyan: hex(cyan),
    white: hex(tokens['--ink-2']),
    brightBlack: hex(tokens['--ink-3']),
    brightRed: bright(tokens['--bad']),
    brightGreen: bright(tokens['--ok']),
    brightYellow: bright(tokens['--warn']),
    brightBlue: bright(tokens['--code-name']),
    brightMagenta: bright(tokens['--code-keyword']),
    brightCyan: bright(cyan),
    brightWhite: hex(ink),
  };
}
