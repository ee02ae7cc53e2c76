import type { Reading, ReadingSpan } from '#kinds/film/contract/reading.ts';
import { filmText, type SeenFilm } from './film-time.ts';
import { lookNames, roleNames, swatchOf } from './names.ts';
import type { TextRange } from './ranges.ts';

export interface ReadingRow {
  readonly key: string;
  readonly name: string;
  /** The words as they stand in the text, without the quotation marks around them. */
  readonly words: string;
  readonly state: ReadingSpan['state'];
  readonly isData: boolean;
  readonly spans: readonly ReadingSpan[];
  readonly scene: number | null;
  readonly swatch: string | null;
}

const plurals: Readonly<Record<string, string>> = { Entry: 'Entries' };
const pluralOf = (name: string) => plurals[name] ?? `${name}s`;

const quoted = /^["'“”„‟«»‹›‘’「『]+([\s\S]+?)["'“”„‟«»‹›‘’」』]+$/u;
const oneLine = (text: string) => (quoted.exec(text.trim())?.[1] ?? text.trim()).replace(/\s+/gu, ' ');

/** Returns whether an instruction only says what the words beside it are, as in: title “Open day”, navy background. */
function isLabelWord({ state, sets, start, end }: ReadingSpan, text: string): boolean {
  return state === 'instruction' && sets === null && text.slice(start, end).trim().split(/\s+/u).length <= 3;
}

/** Lists how the text is read, in its order. The cells of a block are joined by what they are. */
export function rowsOf(
  text: string,
  spans: readonly ReadingSpan[],
  blocks: Reading['blocks'],
  formatOfScene: (scene: number) => string,
): readonly ReadingRow[] {
  const rows: { block: number; span: ReadingSpan; spans: ReadingSpan[] }[] = [];
  for (const span of spans) {
    if (isLabelWord(span, text)) continue;
    const block = blocks.findIndex(({ start, end }) => start <= span.start && span.end <= end);
    const isJoined = block >= 0 && span.state === 'shown';
    const row = isJoined
      ? rows.find(
          (one) =>
            one.block === block && one.span.state === 'shown' && one.span.role === span.role && one.span.scene === span.scene,
        )
      : undefined;
    if (row === undefined) rows.push({ block, span, spans: [span] });
    else row.spans.push(span);
  }
  return rows.map(({ block, span, spans: own }) => ({
    key: String(span.start),
    name: nameOf(span, own.length > 1, formatOfScene),
    words: own.map(({ start, end }) => oneLine(text.slice(start, end))).join(', '),
    state: span.state,
    isData: block >= 0,
    spans: own,
    scene: span.scene,
    swatch: swatchOf(span),
  }));
}

function nameOf({ state, role, sets, scene }: ReadingSpan, isPlural: boolean, formatOfScene: (scene: number) => string): string {
  if (state === 'question') return 'For Koda?';
  if (state === 'needs-drawing') return 'Drawing';
  if (state === 'left-out') return 'Left out';
  if (state === 'instruction') return lookNames[sets?.look ?? 'other'];
  if (role === null || role === 'text') return (scene === null ? '' : formatOfScene(scene)) || roleNames.text;
  const name = roleNames[role];
  return isPlural ? pluralOf(name) : name;
}

/** Returns the row of the words at a position, or the nearest one before it. */
export function rowAt(rows: readonly ReadingRow[], position: number): number {
  const inside = rows.findIndex(({ spans }) => spans.some(({ start, end }) => start <= position && position <= end));
  if (inside >= 0) return inside;
  const before = rows.findLastIndex(({ spans }) => spans.some(({ end }) => end <= position));
  return Math.max(before, 0);
}

export const rangesOf = ({ spans }: ReadingRow): readonly TextRange[] => spans.map(({ start, end }) => ({ start, end }));

/** Returns what is true of the whole reading in one sentence. */
export function summaryOf(rows: readonly ReadingRow[]): string {
  const count = rows.filter(({ state }) => state === 'left-out').length;
  if (rows.some(({ state }) => state === 'needs-drawing')) return 'Some words need a drawing.';
  if (count > 0) return `${count === 1 ? 'One part is' : `${count} parts are`} left out. Everything else is used.`;
  return 'Every word is used. Nothing is left out.';
}

export const isOnScreen = ({ state }: Pick<ReadingRow, 'state'>): boolean => state === 'shown' || state === 'question';

/** Sums up a reading for those who cannot see its marks. */
export function describeReading(rows: readonly ReadingRow[], seen: SeenFilm | null, isLengthChosen: boolean): string {
  if (seen === null) return rows.length === 0 ? '' : 'The text makes no scene yet.';
  const count = (...states: readonly ReadingRow['state'][]) => rows.filter(({ state }) => states.includes(state)).length;
  const shown = count('shown', 'question');
  const followed = count('instruction');
  const left = count('left-out');
  const parts = [
    `${shown === 1 ? '1 text' : `${shown} texts`} shown`,
    `${followed === 1 ? '1 instruction' : `${followed} instructions`}`,
    left === 0 ? 'nothing left out' : `${left} left out`,
  ];
  return `${filmText(seen.scenes.length, seen.seconds, isLengthChosen)}. ${parts.join(', ')}.`;
}
