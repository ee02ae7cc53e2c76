import { looksIn } from './looks.ts';
import type { Mark, Span } from './reading.ts';

const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** Turns marks, of which a later one may lie over an earlier one, into marks in order that cover every letter and digit once. */
export function coveringMarks(text: string, marks: readonly Mark[]): Mark[] {
  const ordered = painted(text.length, marks);
  const covered: Mark[] = [];
  let from = 0;
  for (const mark of [...ordered, null]) {
    const end = mark?.start ?? text.length;
    const gap = trimmed(text, { start: from, end });
    if (gap !== null) covered.push(gapMark(text, gap, covered.at(-1), mark));
    if (mark !== null) covered.push(...(mark.state === 'instruction' ? withChips(text, mark) : withHexes(text, mark)));
    from = Math.max(from, mark?.end ?? from);
  }
  return covered.filter(({ start, end }) => hasWords(text.slice(start, end)) || /\S/u.test(text.slice(start, end)));
}

/** Returns the visible parts of marks in order. A later mark hides what it lies over. */
function painted(length: number, marks: readonly Mark[]): Mark[] {
  const owners = new Int32Array(length).fill(-1);
  for (const [index, { start, end }] of marks.entries()) owners.fill(index, start, end);
  const parts: Mark[] = [];
  let start = 0;
  for (let at = 1; at <= length; at++) {
    if (at < length && owners[at] === owners[start]) continue;
    const mark = marks[owners[start] ?? -1];
    if (mark !== undefined) parts.push({ ...mark, start, end: at });
    start = at;
  }
  return parts;
}

/** Removes white space and punctuation around words. Returns `null` if there are no letters and digits. */
function trimmed(text: string, { start, end }: Span): Span | null {
  const source = text.slice(start, end);
  const first = source.search(/[\p{L}\p{N}]/u);
  if (first === -1) return null;
  const tail = /[^\p{L}\p{N}]*$/u.exec(source)?.index ?? source.length;
  return { start: start + first, end: start + tail };
}

/** Words that no rule marked, such as the number of a list entry, belong to what follows on their line. */
function gapMark(text: string, gap: Span, before: Mark | undefined, after: Mark | null): Mark {
  const isNear = (from: number, to: number) => !text.slice(from, to).includes('\n');
  const other = after !== null && isNear(gap.end, after.start) ? after : before;
  const isPart = other !== undefined && (other === after || isNear(other.end, gap.start));
  if (isPart) return { ...gap, state: other.state, role: other.role, rule: other.rule, sets: null };
  return { ...gap, state: 'instruction', role: null, rule: 12, sets: null };
}

const ruleOf = (look: NonNullable<Mark['sets']>['look']) => (look === 'format' ? 8 : 9);

/** Splits an instruction so that each look has a mark of its own. */
function withChips(text: string, mark: Mark): Mark[] {
  const parts: Mark[] = [];
  let from = mark.start;
  const rest = (to: number) => {
    const span = trimmed(text, { start: from, end: to });
    if (span !== null) parts.push({ ...mark, ...span });
  };
  for (const { start, end, look, value } of looksIn(text, mark)) {
    rest(start);
    parts.push({ ...mark, start, end, rule: mark.rule === null ? null : ruleOf(look), sets: { look, value } });
    from = end;
  }
  rest(mark.end);
  return parts;
}

/** A hex value is a colour even in a text that is shown. */
function withHexes(text: string, mark: Mark): Mark[] {
  if (mark.state !== 'shown' || mark.role === 'entry') return [mark];
  const found = [...text.slice(mark.start, mark.end).matchAll(/#[0-9a-f]{6}(?![0-9a-z])/giu)];
  if (found.length === 0) return [mark];
  const parts: Mark[] = [];
  let from = mark.start;
  for (const { 0: hex, index } of found) {
    const start = mark.start + index;
    if (start > from) parts.push({ ...mark, start: from, end: start });
    parts.push({ ...mark, start, end: start + hex.length, sets: { look: 'accent', value: hex.toLowerCase() } });
    from = start + hex.length;
  }
  if (from < mark.end) parts.push({ ...mark, start: from });
  return parts;
}
