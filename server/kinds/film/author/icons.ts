import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { likeness } from '../../../lib/likeness.ts';
import { icon } from '../formats/define-format.ts';
import { emojiIconIn } from './read/icons.ts';

export interface Icon {
  readonly viewBox: string;
  readonly body: string;
}

const sets = {
  lucide: { name: 'lucide', viewBox: '0 0 24 24' },
  fluent: { name: 'fluent-emoji-flat', viewBox: '0 0 32 32' },
} as const;

/** Byte offsets of the entries in an icon set's JSON file. A file can be 9 MB, and a film needs only a few entries. */
interface Index {
  readonly path: string;
  readonly entries: ReadonlyMap<string, readonly [start: number, end: number]>;
}
const indexes = new Map<string, Index>();
const entryStart = '\n\t\t"';

function indexOf(set: string): Index {
  const known = indexes.get(set);
  if (known !== undefined) return known;
  const path = createRequire(import.meta.url).resolve(`@iconify-json/${set}/icons.json`);
  const file = readFileSync(path);
  const entries = new Map<string, readonly [number, number]>();
  for (let at = file.indexOf(entryStart); at >= 0; ) {
    const name = at + entryStart.length;
    const next = file.indexOf(entryStart, name);
    const key = file.toString('latin1', name, file.indexOf('"', name));
    // Aliases and categories repeat the names later in the file, so only the first occurrence counts.
    if (!entries.has(key)) entries.set(key, [at, next < 0 ? file.length : next]);
    at = next;
  }
  const index = { path, entries };
  indexes.set(set, index);
  return index;
}

function entryOf({ path, entries }: Index, name: string): string {
  const [start, end] = entries.get(name) ?? [0, 0];
  const bytes = Buffer.alloc(end - start);
  const file = openSync(path, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, start));
  } finally {
    closeSync(file);
  }
}

/** Returns the drawing for a name such as `lucide:coffee`, or `null` if there is none. */
export function iconOf(name: string): Icon | null {
  if (!icon.safeParse(name).success) return null;
  const [prefix = '', own = ''] = name.split(':');
  const set = sets[prefix as keyof typeof sets];
  const index = indexOf(set.name);
  const entry = entryOf(index, own);
  const parent = /"parent": "([a-z0-9-]+)"/.exec(entry)?.[1];
  const body = /"body": ("(?:[^"\\]|\\.)*")/.exec(parent === undefined ? entry : entryOf(index, parent))?.[1];
  if (body === undefined) return null;
  const drawing = JSON.parse(body) as string;
  const flipped = `<g transform="matrix(-1 0 0 1 ${set.viewBox.split(' ')[2]} 0)">${drawing}</g>`;
  return { viewBox: set.viewBox, body: entry.includes('"hFlip": true') ? flipped : drawing };
}

export function knownIcon(name: string): boolean {
  return iconOf(name) !== null;
}

/** Returns the unique icon names in props, sorted, including unknown ones. */
export function iconsIn(value: unknown): string[] {
  const names = new Set<string>();
  const visit = (one: unknown): void => {
    if (typeof one === 'string' && icon.safeParse(one).success) names.add(one);
    else if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) visit(inner);
  };
  visit(value);
  return [...names].sort();
}

/** Returns the drawings of all icons that a value names. */
export function iconsOf(value: unknown): Record<string, Icon> {
  const icons = iconsIn(value).map((name) => [name, iconOf(name)] as const);
  return Object.fromEntries(icons.flatMap(([name, drawing]) => (drawing === null ? [] : [[name, drawing]])));
}

/** Removes unknown icons from props: fields become `null`, list entries are dropped. */
export function withKnownIcons(value: unknown): unknown {
  const isUnknown = (one: unknown) => typeof one === 'string' && icon.safeParse(one).success && !knownIcon(one);
  if (Array.isArray(value)) return value.filter((one) => !isUnknown(one)).map(withKnownIcons);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withKnownIcons(inner)]));
  return isUnknown(value) ? null : value;
}

/** A close name replaces an unknown one from here, on a scale from 0 to 1: one of two words is the same, or a letter in six differs. */
const closeEnough = 0.6;
const worthSuggesting = 0.3;
const maxNameLength = 60;

/** Returns the existing icon with the closest name, or `null` if none is close. Accepts an emoji, and a name without its set. */
export function nearestIcon(name: string): string | null {
  const drawn = emojiIconIn(name);
  if (drawn !== null && knownIcon(drawn)) return drawn;
  const [best] = rankedIcons(name, closeEnough);
  return best ?? null;
}

/** Returns up to five existing icons whose names resemble an unknown one, best first. */
export function similarIcons(name: string): string[] {
  return rankedIcons(name, worthSuggesting);
}

function rankedIcons(name: string, atLeast: number): string[] {
  const [own = '', set = ''] = name.toLowerCase().split(':').reverse();
  const words = own.split(/[^a-z0-9]+/u).filter(Boolean);
  if (words.length === 0 || own.length > maxNameLength) return [];
  const candidates = Object.entries(sets).flatMap(([prefix, { name: file }]) =>
    [...indexOf(file).entries.keys()].flatMap((key) => {
      const score = likeness(words, key.split('-')) + (prefix === set ? 0.01 : 0);
      return score < atLeast ? [] : [{ icon: `${prefix}:${key}`, score }];
    }),
  );
  const ranked = candidates.toSorted(
    (one, other) => other.score - one.score || one.icon.length - other.icon.length || (one.icon < other.icon ? -1 : 1),
  );
  // The icon files also contain metadata.
  return ranked
    .slice(0, 20)
    .map(({ icon: found }) => found)
    .filter(knownIcon)
    .slice(0, 5);
}
