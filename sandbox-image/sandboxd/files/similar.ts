/** Two paths are unrelated if their edit distance exceeds this fraction of the longer one. */
const maxDistanceShare = 0.5;

/** Returns up to `limit` similar paths: the same name in another folder first, then similar names, then similar paths. */
export function similarPaths(wanted: string, existing: readonly string[], limit: number): string[] {
  const wantedName = nameOf(wanted);
  const scored: { path: string; score: number }[] = [];
  for (const path of existing) {
    const byName = distanceShare(wantedName, nameOf(path));
    const byPath = distanceShare(wanted.toLowerCase(), path.toLowerCase());
    const score = Math.min(byName, byPath);
    // Breaks ties between equal names in favour of the nearer folder.
    if (score <= maxDistanceShare) scored.push({ path, score: score + byPath / 100 });
  }
  scored.sort((a, b) => a.score - b.score || (a.path < b.path ? -1 : 1));
  return scored.slice(0, limit).map(({ path }) => path);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

/** Returns the edit distance as a fraction of the longer string: 0 (equal) to 1 (nothing in common). */
export function distanceShare(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 0;
  // The difference in length is a cheap lower bound for the distance.
  if (Math.abs(a.length - b.length) / longer > maxDistanceShare) return 1;
  return levenshtein(a, b) / longer;
}

function levenshtein(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current[column] = Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
