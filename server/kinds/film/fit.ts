import type { Format } from './define-format.ts';
import { shorten } from './define-format.ts';

type Path = readonly PropertyKey[];

/** Each attempt makes something smaller, so a few are enough. */
const maxAttempts = 24;

/**
 * Makes fields fit a format: truncates texts to the limits of their fields, and continues long lists in further scenes. Returns
 * the fields of one or more scenes, or an empty array if the fields have the wrong structure.
 */
export function fitScenes(format: Format, props: unknown): unknown[] {
  let current = props;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const parsed = format.props.safeParse(current);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    if (issue === undefined) return [];
    const value = at(current, issue.path);
    if (typeof value === 'string' && issue.code === 'too_big') {
      current = replaced(current, issue.path, shorten(value, Number(issue.maximum)));
    } else if (issue.code === 'too_big' || issue.code === 'custom') {
      const halves = halved(current);
      if (halves !== null) return halves.flatMap((half) => fitScenes(format, half));
      const longest = longestText(value);
      if (longest === null) return [];
      const path = [...issue.path, ...longest.path];
      current = replaced(current, path, shorten(longest.text, Math.max(8, Math.floor(longest.text.length * 0.8))));
    } else return [];
  }
  return [];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

function replaced(value: unknown, [key, ...rest]: Path, next: unknown): unknown {
  if (key === undefined) return next;
  if (Array.isArray(value)) return value.map((item, index) => (index === Number(key) ? replaced(item, rest, next) : item));
  return {
    ...(value as Record<PropertyKey, unknown>),
    [key]: replaced((value as Record<PropertyKey, unknown>)[key], rest, next),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Minimum number of items for a separate scene. */
const leastItems = 2;

/**
 * Splits the fields into two scenes, each with half of the longest list. Lists of equal length, such as the points of the two
 * sides of a comparison, are split at the same index. Returns `null` if no list is long enough.
 */
function halved(props: unknown): [unknown, unknown] | null {
  const lists = listsIn(props, []);
  const length = Math.max(0, ...lists.map(({ items }) => items.length));
  if (length < leastItems * 2) return null;
  const middle = Math.ceil(length / 2);
  const part = (from: number, until: number) =>
    lists.reduce<unknown>(
      (all, { path, items }) => (items.length >= leastItems * 2 ? replaced(all, path, items.slice(from, until)) : all),
      props,
    );
  const { start, highlight } = props as { readonly start?: unknown; readonly highlight?: unknown };
  const { first, second } = highlightsOf(highlight, middle);
  const fields = (half: unknown, own: Fields) => ({ ...(half as object), ...own });
  return [
    fields(part(0, middle), first),
    // The numbering of the second half continues that of the first.
    fields(part(middle, length), { ...second, ...(typeof start === 'number' ? { start: start + middle } : {}) }),
  ];
}

/** Returns the highlighted index for both halves of a list. Only the half with the highlighted item has one. */
function highlightsOf(highlight: unknown, middle: number): { first: Fields; second: Fields } {
  if (typeof highlight !== 'number') return { first: {}, second: {} };
  const isFirst = highlight < middle;
  return { first: { highlight: isFirst ? highlight : null }, second: { highlight: isFirst ? null : highlight - middle } };
}

/**
 * Returns the lists of objects or strings, such as items and points. Lists of emphasised phrases are skipped, because they
 * repeat other text.
 */
function listsIn(value: unknown, path: Path): { path: Path; items: readonly unknown[] }[] {
  if (Array.isArray(value)) return path.at(-1) === 'emphasis' || path.at(-1) === 'highlight' ? [] : [{ path, items: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => listsIn(inner, [...path, key]));
}

function longestText(value: unknown, path: Path = []): { path: Path; text: string } | null {
  if (typeof value === 'string') return { path, text: value };
  if (typeof value !== 'object' || value === null) return null;
  const entries: [PropertyKey, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return entries
    .map(([key, inner]) => longestText(inner, [...path, key]))
    .reduce<{ path: Path; text: string } | null>(
      (best, found) => ((found?.text.length ?? 0) > (best?.text.length ?? 0) ? found : best),
      null,
    );
}
