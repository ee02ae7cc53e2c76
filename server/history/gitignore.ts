/** More than a project needs; every changed file is held against every pattern. */
const maxPatterns = 100;
const maxPatternCharacters = 300;

interface Pattern {
  readonly segments: readonly string[];
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

/** What a `.gitignore` in the root of a project leaves out, as gitignore(5) says. */
export interface IgnoreRules {
  /** Whether the file or link at this path of the project is left out, by itself or with a folder above it. */
  readonly ignores: (path: string) => boolean;
}

/**
 * The rules of a `.gitignore`. Its text is written by a model or brought by a guest, so there is no pattern that takes long
 * to match: the work is at most the length of a path times that of all patterns. Pure.
 */
export function ignoreRules(text: string): IgnoreRules {
  const patterns = bytesOf(text)
    .split('\n')
    .flatMap((line) => patternOf(line.replace(/\r$/, '')) ?? [])
    .slice(0, maxPatterns)
    .toReversed();
  const isIgnored = (segments: readonly string[], isFolder: boolean): boolean => {
    // The last pattern that fits decides.
    const found = patterns.find((pattern) => (isFolder || !pattern.isForFolders) && fits(pattern.segments, segments));
    return found !== undefined && !found.isNegated;
  };
  return {
    ignores(path) {
      if (patterns.length === 0) return false;
      const segments = bytesOf(path).split('/');
      // What lies in a folder that is left out cannot be taken back in.
      return segments.some((_, index) => isIgnored(segments.slice(0, index + 1), index < segments.length - 1));
    },
  };
}

/** One character for each byte: git compares bytes. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

function patternOf(line: string): Pattern | null {
  if (line.startsWith('#') || line.length > maxPatternCharacters) return null;
  const isNegated = line.startsWith('!');
  const plain = withoutEndSpaces(isNegated ? line.slice(1) : line);
  const isForFolders = plain.endsWith('/');
  const body = isForFolders ? plain.slice(0, -1) : plain;
  if (body === '') return null;
  // Without a slash before its end it fits in every folder.
  const isAnchored = body.includes('/');
  const segments = body.replace(/^\//, '').split('/');
  return { segments: isAnchored ? segments : ['**', ...segments], isNegated, isForFolders };
}

/** Spaces at the end count only behind a backslash. */
function withoutEndSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && !isEscaped(line, end - 1)) end -= 1;
  return line.slice(0, end);
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text[index - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** Whether the segments of a pattern fit those of a path; `**` stands for any number of folders, at the end for one or more names. */
function fits(pattern: readonly string[], path: readonly string[]): boolean {
  // Which beginnings of the path the pattern so far fits.
  let reached = [true, ...path.map(() => false)];
  for (const [index, segment] of pattern.entries()) {
    const next = reached.map(() => false);
    const isLast = index === pattern.length - 1;
    for (let at = 0; at < reached.length; at++) {
      if (segment === '**') next[at] = isLast ? reached.slice(0, at).includes(true) : reached.slice(0, at + 1).includes(true);
      else next[at] = at > 0 && reached[at - 1] === true && fitsName(segment, path[at - 1] ?? '');
    }
    reached = next;
  }
  return reached.at(-1) === true;
}

/** Whether a pattern fits the name of one file or folder: `*`, `?`, `[a-z]`, `\` before what stands for itself. */
function fitsName(pattern: string, name: string): boolean {
  let at = 0;
  let from = 0;
  let star: { readonly at: number; from: number } | null = null;
  while (from < name.length) {
    const piece = pieceOf(pattern, at);
    if (piece?.isStar) {
      star = { at: piece.end, from };
      at = piece.end;
    } else if (piece?.fits(name[from] ?? '')) {
      at = piece.end;
      from += 1;
    } else if (star !== null) {
      // The last star takes one character more; those before it have taken enough.
      star.from += 1;
      at = star.at;
      from = star.from;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

interface Piece {
  readonly end: number;
  readonly isStar: boolean;
  readonly fits: (character: string) => boolean;
}

function pieceOf(pattern: string, at: number): Piece | null {
  const character = pattern[at];
  if (character === undefined) return null;
  const one = (end: number, fits: Piece['fits']): Piece => ({ end, isStar: false, fits });
  if (character === '*') return { end: at + 1, isStar: true, fits: () => true };
  if (character === '?') return one(at + 1, () => true);
  if (character === '\\') return one(at + 2, (other) => other === pattern[at + 1]);
  const set = character === '[' ? setAt(pattern, at) : null;
  return set ?? (character === '[' ? one(pattern.length, () => false) : one(at + 1, (other) => other === character));
}

/** A set such as `[a-z]` or `[!0-9]`; null when it has no end. */
function setAt(pattern: string, start: number): Piece | null {
  const isNegated = pattern[start + 1] === '!' || pattern[start + 1] === '^';
  let at = start + (isNegated ? 2 : 1);
  const first = at;
  const ranges: (readonly [string, string])[] = [];
  const character = (): string => {
    if (pattern[at] === '\\') at += 1;
    at += 1;
    return pattern[at - 1] ?? '';
  };
  while (at < pattern.length && (pattern[at] !== ']' || at === first)) {
    const low = character();
    const isRange = pattern[at] === '-' && pattern[at + 1] !== undefined && pattern[at + 1] !== ']';
    if (isRange) at += 1;
    ranges.push([low, isRange ? character() : low]);
  }
  if (pattern[at] !== ']') return null;
  return {
    end: at + 1,
    isStar: false,
    // As in git, the beginning of a range counts also when the range is the wrong way round.
    fits: (other) => ranges.some(([low, high]) => other === low || (low <= other && other <= high)) !== isNegated,
  };
}
