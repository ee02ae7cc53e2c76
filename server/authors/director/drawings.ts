import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { toOklch } from './color.ts';

/** SVG without its outer element, on a square of 32 by 32 (24 by 24 where it is a silhouette). */
export interface Drawing {
  readonly svg: string;
  /** The colour that it has by nature: what another colour takes the place of. */
  readonly color: string;
}

/** Silhouettes of Material Design Icons have this in front of their name, the kit's own drawings that; all others are Fluent Emoji (flat). */
const silhouette = 'mdi-';
const own = 'kit-';
const ownFolder = `${import.meta.dirname}/drawings`;
export const isSilhouette = (name: string): boolean => name.startsWith(silhouette);
/** Any grey: a silhouette has no colour by nature. */
const silhouetteColor = '#808080';
/** A package's text is not kept: it has up to 9 MB, and a film needs a few drawings. */
const known = new Map<string, Drawing>();
const maxKnown = 200;

/** Where each drawing of a package begins in its file and where the next one does, in bytes. */
type Span = readonly [start: number, end: number];
const indexes = new Map<string, { readonly path: string; readonly spans: ReadonlyMap<string, Span> }>();
const entryHead = '\n\t\t"';

/** The lines of a package's file that describe a drawing; none when it has no such drawing. */
function entryOf(set: string, icon: string): string {
  let index = indexes.get(set);
  if (index === undefined) {
    const path = createRequire(import.meta.url).resolve(`@iconify-json/${set}/icons.json`);
    const file = readFileSync(path);
    const spans = new Map<string, Span>();
    for (let at = file.indexOf(entryHead); at >= 0; ) {
      const name = at + entryHead.length;
      const next = file.indexOf(entryHead, name);
      spans.set(file.toString('latin1', name, file.indexOf('"', name)), [at, next < 0 ? file.length : next]);
      at = next;
    }
    index = { path, spans };
    indexes.set(set, index);
  }
  const span = index.spans.get(icon);
  if (span === undefined) return '';
  const [start, end] = span;
  const bytes = Buffer.alloc(end - start);
  const file = openSync(index.path, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, start));
  } finally {
    closeSync(file);
  }
}

/** By name, without the prefix. */
let ownColors: Readonly<Record<string, { readonly color: string }>> | null = null;

function ownDrawing(name: string): Drawing {
  ownColors ??= JSON.parse(readFileSync(`${ownFolder}/names.json`, 'utf8')) as Record<string, { color: string }>;
  const color = ownColors[name]?.color;
  if (color === undefined) throw new RangeError(`There is no drawing “${own}${name}”.`);
  const svg = readFileSync(`${ownFolder}/${name}.svg`, 'utf8');
  return {
    svg: `<g fill="none">${svg.replace(/^<svg[^>]*>|<title>.*<\/title>|<\/svg>\s*$/g, '').replace(/\n\s*/g, '')}</g>`,
    color,
  };
}

/** Throws when there is no drawing of that name. */
export function drawingOf(name: string): Drawing {
  const before = known.get(name);
  if (before !== undefined) return before;
  const drawing = name.startsWith(own) ? ownDrawing(name.slice(own.length)) : packagedDrawing(name);
  if (known.size >= maxKnown) known.clear();
  known.set(name, drawing);
  return drawing;
}

function packagedDrawing(name: string): Drawing {
  const [set, icon] = isSilhouette(name) ? ['mdi', name.slice(silhouette.length)] : ['fluent-emoji-flat', name];
  const body = /"body": ("(?:[^"\\]|\\.)*")/.exec(entryOf(set, icon));
  if (body?.[1] === undefined) throw new RangeError(`There is no drawing “${name}”.`);
  const svg = (JSON.parse(body[1]) as string).replaceAll('currentColor', silhouetteColor);
  const drawing = heads.test(name) ? withBody(name, svg) : { svg, color: mainColor(svg) };
  if (known.size >= maxKnown) known.clear();
  known.set(name, drawing);
  return drawing;
}

/** People who are drawn as a head only; all that they do here is done by somebody with legs. */
const heads =
  /^(?:boy|girl|child|man|woman|person|older-person|old-(?:man|woman)|(?:man|woman|person)-(?:bald|beard|(?:blonde|curly|red|white)-hair))$/;
const shirts = ['#0074ba', '#f92f60', '#00a67d', '#8d65c5', '#e8590c', '#ca0b4a'] as const;

/** A head on a body with arms and legs; the colour of a person is the shirt's. */
function withBody(name: string, head: string): Drawing {
  const shirt = shirts[[...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % shirts.length] ?? shirts[0];
  const part = (fill: string, d: string) => `<path fill="${fill}" d="${d}"/>`;
  const svg = [
    part('#2f3a6b', 'M12.2 23h7.6v7.2h-3.2v-4.6h-1.2v4.6h-3.2z'),
    part('#321b41', 'M11 29.6h4.4v2H10.4c0-1.1.2-1.6.6-2m10 0h-4.4v2h5c0-1.1-.2-1.6-.6-2'),
    part('#ffc83d', 'M8.6 22.4a1.5 1.5 0 1 0 3 0a1.5 1.5 0 0 0-3 0m11.8 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 0 0-3 0'),
    part(shirt, 'M13 16h6c2.2 0 3.3 1 3.7 2.8l.8 3.4l-3 .6l-.5-2v3.4h-8v-3.4l-.5 2l-3-.6l.8-3.4C9.7 17 10.8 16 13 16'),
    part('#fdbb11', 'M14.3 15h3.4v1.8a1.7 1.7 0 0 1-3.4 0z'),
    `<g transform="translate(7.5 -.6) scale(.53)">${head}</g>`,
  ].join('');
  return { svg, color: shirt };
}

/** Less chroma than this is a grey. */
const greyChroma = 0.04;
const longHex = (fill: string): string =>
  fill.length === 4 ? `#${[...fill.slice(1)].map((digit) => digit + digit).join('')}` : fill;

/** The fill that most of the drawing's outlines have; black, white and greys count only where there is nothing else. */
function mainColor(svg: string): string {
  const weights = new Map<string, number>();
  for (const [, fill = '', path = ''] of svg.matchAll(/fill="(#[0-9a-f]{3,6})"(?: [a-z-]+="[^"]*")*? d="([^"]*)"/g)) {
    const color = longHex(fill);
    const grey = toOklch(color).c < greyChroma ? 0.05 : 1;
    weights.set(color, (weights.get(color) ?? 0) + Math.sqrt(path.length) * grey);
  }
  return [...weights].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? '#888888';
}
