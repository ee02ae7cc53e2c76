/** Farther apart than this share of the longer text, two paths have nothing to do with each other. */
const maxDistanceShare = 0.5;

/**
 * Up to `limit` of the existing paths that look most like the wanted one, the likeliest first: the same
 * name in another folder before a name that is a few letters off before a path that is.
 */
export function similarPaths(wanted: string, existing: readonly string[], limit: number): string[] {
  const wantedName = nameOf(wanted);
  const scored: { path: string; score: number }[] = [];
  for (const path of existing) {
    const byName = distanceShare(wantedName, nameOf(path));
    const byPath = distanceShare(wanted.toLowerCase(), path.toLowerCase());
    const score = Math.min(byName, byPath);
    // The path breaks ties between equal names: the nearer folder wins.
    if (score <= maxDistanceShare) scored.push({ path, score: score + byPath / 100 });
  }
  scored.sort((a, b) => a.score - b.score || (a.path < b.path ? -1 : 1));
  return scored.slice(0, limit).map(({ path }) => path);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

/** Edit distance as a share of the longer text: 0 = equal, 1 = nothing in common. */
export function distanceShare(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 0;
  // The difference in length is a lower bound of the distance: most pairs end here.
  if (Math.abs(a.length - b.length) / longer > maxDistanceShare) return 1;
  return levenshtein(a, b) / longer;
}

/** Levenshtein's edit distance, by the usual dynamic programme over two rows. */
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
