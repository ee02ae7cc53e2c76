/** Property name that gives access to the prototype. */
export const forbiddenName = '__proto__';
/** A path cannot leave the data model. */
const forbiddenSteps = [forbiddenName, '..'];

/**
 * Returns a path's segments, or `null` if one is forbidden. A path without a leading slash is relative and has the same
 * segments.
 */
export function namesOf(path: string): readonly string[] | null {
  const inner = path.startsWith('/') ? path.slice(1) : path;
  if (inner === '') return [];
  const names = inner.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.some((name) => forbiddenSteps.includes(name)) ? null : names;
}

const isAbsolute = (path: string): boolean => path.startsWith('/');

/** Resolves a path relative to another one. An empty path resolves to `scope`. */
export function pathWithin(scope: string, path: string): string {
  if (isAbsolute(path) || scope === '') return path;
  return path === '' ? scope : `${scope === '/' ? '' : scope}/${path}`;
}

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

/** Limits the arrays that a path can create. */
const maxIndex = 9999;

/**
 * Returns a copy of the data with the value at a path replaced. Creates missing parents; `undefined` removes the value.
 * Everything outside the path keeps its identity.
 */
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
