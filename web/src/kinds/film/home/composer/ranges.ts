/** Some of a text's characters, as UTF-16 offsets. `end` is after the last one. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The one place where two texts differ: `removed` characters at `at` became `added` ones. */
export interface TextEdit {
  readonly at: number;
  readonly removed: number;
  readonly added: string;
}

/** Returns the smallest edit that turns one text into the other, or `null` if they are equal. */
export function editBetween(before: string, after: string): TextEdit | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at += 1;
  let same = 0;
  while (same < shorter - at && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return { at, removed: before.length - at - same, added: after.slice(at, after.length - same) };
}

const wordStart = /^[\p{L}\p{N}]+/u;
const wordEnd = /[\p{L}\p{N}]$/u;

/**
 * Returns where a range is after an edit, as the range of a comment: edits before it move it, deletions shrink it and typing in
 * it widens it, also typing that continues its last word. Returns `null` if all its characters are gone.
 */
export function movedRange({ start, end }: TextRange, { at, removed, added }: TextEdit, before: string): TextRange | null {
  const removedEnd = at + removed;
  const by = added.length - removed;
  if (at === end && removed === 0 && wordEnd.test(before.slice(start, end)))
    return { start, end: end + (wordStart.exec(added)?.[0].length ?? 0) };
  if (at >= end) return { start, end };
  if (removedEnd <= start) return { start: start + by, end: end + by };
  if (at <= start && removedEnd >= end) return null;
  if (at < start) return { start: at + added.length, end: end + by };
  return removedEnd <= end ? { start, end: end + by } : { start, end: at };
}

/** Returns where a position is after an edit. A position in deleted characters moves to the edit. */
export function movedPosition(position: number, { at, removed, added }: TextEdit): number {
  if (position < at) return position;
  return position < at + removed ? at : position + added.length - removed;
}
