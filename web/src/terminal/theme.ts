import type { ITheme } from '@xterm/xterm';

const mix = (one: string, other: string, percent: number) => `color-mix(in srgb, ${one}, ${other} ${percent}%)`;
const bright = (colour: string) => mix(colour, 'var(--ink)', 25);
// The page has no cyan, so this mixes blue and green.
const cyan = mix('var(--code-name)', 'var(--ok)', 50);

/**
 * Terminal colours as CSS, derived from the page's; bright ones are closer to the ink. All are opaque, as xterm.js requires.
 */
export const terminalColours = {
  background: 'var(--panel)',
  foreground: 'var(--ink)',
  cursor: 'var(--accent)',
  cursorAccent: 'var(--panel)',
  selectionBackground: mix('var(--panel)', 'var(--accent)', 28),
  selectionInactiveBackground: mix('var(--panel)', 'var(--ink-3)', 25),
  scrollbarSliderBackground: 'var(--line-strong)',
  scrollbarSliderHoverBackground: 'var(--ink-3)',
  scrollbarSliderActiveBackground: 'var(--ink-3)',
  black: mix('var(--panel)', 'var(--ink)', 20),
  red: 'var(--bad)',
  green: 'var(--ok)',
  yellow: 'var(--warn)',
  blue: 'var(--code-name)',
  magenta: 'var(--code-keyword)',
  cyan,
  white: 'var(--ink-2)',
  brightBlack: 'var(--ink-3)',
  brightRed: bright('var(--bad)'),
  brightGreen: bright('var(--ok)'),
  brightYellow: bright('var(--warn)'),
  brightBlue: bright('var(--code-name)'),
  brightMagenta: bright('var(--code-keyword)'),
  brightCyan: bright(cyan),
  brightWhite: 'var(--ink)',
} as const satisfies ITheme;

/** Returns the current colours as computed for an element in `host`. */
export function readTheme(host: HTMLElement): ITheme {
  const probe = host.appendChild(document.createElement('span'));
  const computed = Object.entries(terminalColours).map(([name, css]) => {
    probe.style.color = css;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(computed);
}
