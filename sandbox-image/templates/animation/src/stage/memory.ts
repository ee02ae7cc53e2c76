/**
 * What the page remembers while it is reloaded. Browsers that keep nothing for pages inside other pages throw
 * already when they are asked for their storage: there, nothing is remembered, and the film plays all the same.
 */
export function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Null forgets. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // See above; a storage that is full is no reason to stop either.
  }
}
