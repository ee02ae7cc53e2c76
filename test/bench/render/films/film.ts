/**
 * A film as data, so that its text, layout and timing are the same for every renderer. Each renderer draws it in its own way:
 * as React components (`peers/remotion-film.jsx`), with a GSAP timeline (`hyperframes.ts`) or as a plain page (`scenes/film.ts`).
 */
export interface FilmData {
  readonly fonts: readonly FontName[];
  readonly parts: readonly Part[];
}

export type Property = 'x' | 'y' | 'scale' | 'scaleX' | 'scaleY' | 'rotation' | 'opacity';
export type Ease = 'out' | 'inOut' | 'linear' | 'in' | 'spring';

/** Moves a property once. Before `at` it has the value `from`, and after `seconds` it keeps the value `to`. */
export interface Tween {
  readonly property: Property;
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly seconds: number;
  readonly ease: Ease;
}

/** Moves a property back and forth for the whole film: `centre + amplitude * sin(2π * seconds / period + phase)`. */
export interface Wave {
  readonly property: Property;
  readonly centre: number;
  readonly amplitude: number;
  readonly periodSeconds: number;
  readonly phase: number;
}

/** Counts up in the text of the part. */
export interface Count {
  readonly from: number;
  readonly to: number;
  readonly decimals: number;
  readonly at: number;
  readonly seconds: number;
}

/** An element with absolute position. */
export interface Part {
  /** Style in React's spelling. Numbers are pixels, except for unitless properties. */
  readonly style: Readonly<Record<string, string | number>>;
  readonly text?: string;
  /** Markup of the element instead of a text. */
  readonly html?: string;
  readonly count?: Count;
  readonly tweens?: readonly Tween[];
  readonly waves?: readonly Wave[];
  readonly children?: readonly Part[];
}

type Font = readonly [folder: string, file: string, weights: string, widths?: string];

/** Latin files of the product's fonts. */
const latinFonts = {
  'Space Grotesk': ['@fontsource-variable/space-grotesk', 'space-grotesk-latin-wght-normal', '300 700'],
  Inter: ['@fontsource-variable/inter', 'inter-latin-wght-normal', '100 900'],
  'Inter Tight': ['@fontsource-variable/inter-tight', 'inter-tight-latin-wght-normal', '100 900'],
  Archivo: ['@fontsource-variable/archivo', 'archivo-latin-wdth-normal', '100 900', '62% 125%'],
  'Source Serif 4': ['@fontsource-variable/source-serif-4', 'source-serif-4-latin-opsz-normal', '200 900'],
  'DM Serif Display': ['@fontsource/dm-serif-display', 'dm-serif-display-latin-400-normal', '400'],
  'DM Serif Italic': ['@fontsource/dm-serif-display', 'dm-serif-display-latin-400-italic', '400'],
  'DM Sans': ['@fontsource-variable/dm-sans', 'dm-sans-latin-wght-normal', '100 1000'],
  'Bricolage Grotesque': ['@fontsource-variable/bricolage-grotesque', 'bricolage-grotesque-latin-opsz-normal', '200 800'],
  'Source Sans 3': ['@fontsource-variable/source-sans-3', 'source-sans-3-latin-wght-normal', '200 900'],
  Anton: ['@fontsource/anton', 'anton-latin-400-normal', '400'],
} satisfies Record<string, Font>;
export type FontName = keyof typeof latinFonts;
export const fonts: Readonly<Record<FontName, Font>> = latinFonts;

export function fontFileOf(name: FontName): string {
  return `${fonts[name][1]}.woff2`;
}

/** Returns the `@font-face` rules of a film, with the addresses that `urlOf` returns for its files. */
export function fontFaces(film: FilmData, urlOf: (file: string) => string): string {
  return film.fonts
    .map((name) => {
      const [, , weight, stretch = 'normal'] = fonts[name];
      return `@font-face { font-family: "Film ${name}"; src: url("${urlOf(fontFileOf(name))}"); font-weight: ${weight}; font-stretch: ${stretch} }`;
    })
    .join('\n');
}

const unitless: ReadonlySet<string> = new Set(['fontWeight', 'opacity']);

/** Returns a style's value as CSS, with the unit that React adds. */
export function cssValue(property: string, value: string | number): string {
  return typeof value === 'number' && !unitless.has(property) ? `${value}px` : String(value);
}
