/** JSON pointers (RFC 6901) into plain data: only what the data itself has is followed. */

/** A name that could reach a prototype. */
export const forbiddenName = '__proto__';

/** The names on a path; null for one that no data may have. A path without a leading slash is relative, and has the same names. */
export function namesOf(path: string): readonly string[] | null {
  const inner = path.startsWith('/') ? path.slice(1) : path;
  if (inner === '') return [];
  const names = inner.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.includes(forbiddenName) ? null : names;
}

/** Whether a path begins at the root of the data. */
const isAbsolute = (path: string): boolean => path.startsWith('/');

/** A path relative to another one; an empty one is that itself. */
export function pathWithin(scope: string, path: string): string {
  if (isAbsolute(path) || scope === '') return path;
  return path === '' ? scope : `${scope === '/' ? '' : scope}/${path}`;
}

/** The value at a path; undefined when there is none. */
export function valueAt(data: unknown, path: string): unknown {
  const names = namesOf(path);
  if (names === null) return undefined;
  let value = data;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** The longest list that a path makes. */
const maxIndex = 9999;

/** Data with another value at a path, what is missing on the way made; `undefined` removes it. What is not on the path stays the same object. */
export function withValueAt(data: unknown, path: string, value: unknown): unknown {
  const names = namesOf(path);
  return names === null ? data : replaced(data, names, value);
}

function replaced(data: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const inner = typeof data === 'object' && data !== null && Object.hasOwn(data, name) ? Reflect.get(data, name) : undefined;
  const next = replaced(inner, rest, value);
  if (Array.isArray(data)) {
    const index = name === '-' ? data.length : Number(name);
    if (!/^(\d+|-)$/.test(name) || index > data.length || index > maxIndex) return data;
    return next === undefined ? data.toSpliced(index, 1) : data.toSpliced(index, 1, next);
  }
  const object = typeof data === 'object' && data !== null ? data : {};
  const { [name]: _, ...others } = object as Record<string, unknown>;
  return next === undefined ? others : { ...object, [name]: next };
}
