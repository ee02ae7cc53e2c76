/**
 * Values that survive a page reload. Browsers that forbid storage in embedded pages throw on access; nothing is then stored,
 * and the film still plays.
 */
export function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // Storage may be forbidden (see above) or full. The film plays without it.
  }
}
