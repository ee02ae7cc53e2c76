import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { toOklch } from './color.ts';

/** SVG without its outer element, on a square of 32 by 32 (24 by 24 where it is a silhouette). */
export interface Drawing {
  readonly svg: string;
  /** The colour that it has by nature: what another colour takes the place of. */
  readonly color: string;
}

/** Silhouettes of Material Design Icons have this in front of their name; all others are Fluent Emoji (flat). */
const silhouette = 'mdi-';
export const isSilhouette = (name: string): boolean => name.startsWith(silhouette);
/** Any grey: a silhouette has no colour by nature. */
const silhouetteColor = '#808080';
/** A package's text is not kept: it has up to 9 MB, and a film needs a few drawings. */
const known = new Map<string, Drawing>();
const maxKnown = 200;

/** Where each drawing of a package begins in its file, in bytes. */
const indexes = new Map<string, { readonly path: string; readonly starts: ReadonlyMap<string, number> }>();
const entryHead = /^\t\t"([a-z0-9-]+)": \{$/gm;
/** Longer than the longest entry. */
const entryBytes = 60_000;

/** The lines of a package's file that describe a drawing; none when it has no such drawing. */
function entryOf(set: string, icon: string): string {
  let index = indexes.get(set);
  if (index === undefined) {
    const path = createRequire(import.meta.url).resolve(`@iconify-json/${set}/icons.json`);
    // The file is ASCII: an index of characters is one of bytes.
    const starts = new Map([...readFileSync(path, 'latin1').matchAll(entryHead)].map(({ 1: name = '', index }) => [name, index]));
    index = { path, starts };
    indexes.set(set, index);
  }
  const start = index.starts.get(icon);
  if (start === undefined) return '';
  const bytes = Buffer.alloc(entryBytes);
  const file = openSync(index.path, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, entryBytes, start));
  } finally {
    closeSync(file);
  }
}

/** Throws when there is no drawing of that name. */
export function drawingOf(name: string): Drawing {
  const before = known.get(name);
  if (before !== undefined) return before;
  const [set, icon] = isSilhouette(name) ? ['mdi', name.slice(silhouette.length)] : ['fluent-emoji-flat', name];
  const body = /"body": ("(?:[^"\\]|\\.)*")/.exec(entryOf(set, icon));
  if (body?.[1] === undefined) throw new RangeError(`There is no drawing “${name}”.`);
  const svg = (JSON.parse(body[1]) as string).replaceAll('currentColor', silhouetteColor);
  const drawing = { svg, color: mainColor(svg) };
  if (known.size >= maxKnown) known.clear();
  known.set(name, drawing);
  return drawing;
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
