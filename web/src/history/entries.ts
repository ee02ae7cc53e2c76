import type { CheckpointEntry, DiffResponse, FileDiff } from '#contract/history.ts';
import type { Asset } from '#contract/project.ts';

export interface CheckpointPage {
  readonly items: CheckpointEntry[];
  readonly nextCursor: string | null;
}

/** Pages as an infinite query stores them, newest first; `pageParams` are their cursors. */
export interface CheckpointPages {
  readonly pages: CheckpointPage[];
  readonly pageParams: (string | null)[];
}

/**
 * Replaces the newest known page with a fresh copy. Drops all known pages if the two do not overlap; scrolling fetches them
 * again.
 */
export function withNewest(known: CheckpointPages, newest: CheckpointPage): CheckpointPages {
  const fresh = new Map(newest.items.map((entry) => [entry.id, entry]));
  const meets = newest.nextCursor === null || known.pages.some(({ items }) => items.some(({ id }) => fresh.has(id)));
  const [first, ...others] = known.pages;
  if (!meets || first === undefined) return { pages: [newest], pageParams: [null] };
  const rest = first.items.filter(({ id }) => !fresh.has(id));
  const older = others.map((page) => ({ ...page, items: page.items.filter(({ id }) => !fresh.has(id)) }));
  return { pages: [{ ...first, items: [...newest.items, ...rest] }, ...older], pageParams: known.pageParams };
}

type HistoryRow =
  | { readonly kind: 'day'; readonly key: string; readonly label: string }
  | { readonly kind: 'entry'; readonly key: string; readonly entry: CheckpointEntry; readonly index: number };

/** Of the checkpoints that follow each other because data changed, one in this time is shown. */
const dataEveryMs = 10 * 60_000;

/** Groups checkpoints by day in the user's time zone, newest first. `nowMs` as from `Date.now()`. */
export function historyRows(entries: readonly CheckpointEntry[], nowMs: number): HistoryRow[] {
  const rows: HistoryRow[] = [];
  let last = '';
  let dataAtMs = Number.POSITIVE_INFINITY;
  for (const [index, entry] of entries.entries()) {
    const atMs = Date.parse(entry.at);
    const isData = entry.trigger === 'data';
    if (isData && dataAtMs - atMs < dataEveryMs) continue;
    dataAtMs = isData ? atMs : Number.POSITIVE_INFINITY;
    const day = new Date(entry.at).toDateString();
    if (day !== last) rows.push({ kind: 'day', key: day, label: dayLabel(new Date(entry.at), new Date(nowMs)) });
    last = day;
    rows.push({ kind: 'entry', key: entry.id, entry, index });
  }
  return rows;
}

/** Formats a day as `Today`, `Yesterday` or `Mon, Nov 16`, with the year if it is not the current one. */
export function dayLabel(day: Date, now: Date): string {
  if (day.toDateString() === now.toDateString()) return 'Today';
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (day.toDateString() === yesterday.toDateString()) return 'Yesterday';
  return (day.getFullYear() === now.getFullYear() ? formats.day : formats.dayAndYear).format(day);
}

export const timeOf = (entry: CheckpointEntry): string => formats.time.format(new Date(entry.at));

// Created once, because creating a formatter is far more expensive than using it.
const shortDay = { weekday: 'short', month: 'short', day: 'numeric' } as const;
const formats = {
  day: new Intl.DateTimeFormat('en', shortDay),
  dayAndYear: new Intl.DateTimeFormat('en', { ...shortDay, year: 'numeric' }),
  time: new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit' }),
};

export const countOf = (count: number, what: string) => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** Adds double quotes and turns quotes inside into single ones. */
export const quoted = (title: string) => `“${title.replaceAll('“', '‘').replaceAll('”', '’')}”`;

/** What to compare the chosen checkpoint with: its predecessor, the newest, or another one by id. */
export type CompareWith = 'before' | 'now' | { readonly id: string };

export interface Comparison {
  readonly checkpointId: string;
  /** The older side; `null` means the predecessor. */
  readonly against: string | null;
  readonly caption: string;
}

/** Returns the two checkpoints to compare, older to newer, so that “+” marks later additions. */
export function comparison(chosen: CheckpointEntry, compareWith: CompareWith, entries: readonly CheckpointEntry[]): Comparison {
  const [newest] = entries;
  if (compareWith === 'now' && newest && newest.id !== chosen.id) {
    return { checkpointId: newest.id, against: chosen.id, caption: 'Changes since then' };
  }
  if (typeof compareWith === 'object') {
    const at = entries.findIndex(({ id }) => id === compareWith.id);
    const other = entries[at];
    if (other && other.id !== chosen.id) {
      const chosenAt = entries.findIndex(({ id }) => id === chosen.id);
      const [older, newer] = at > chosenAt ? [other, chosen] : [chosen, other];
      return { checkpointId: newer.id, against: older.id, caption: `From ${quoted(older.title)} to ${quoted(newer.title)}` };
    }
  }
  return { checkpointId: chosen.id, against: null, caption: 'Changes in it' };
}

/** Returns what a restore would change in the current files. Uploads are kept, even later ones. */
export function restoredChanges(
  { changedFiles, files }: Pick<DiffResponse, 'changedFiles' | 'files'>,
  assets: readonly Asset[],
): { count: number; files: FileDiff[] } {
  const uploads = new Set(assets.map(({ path }) => path));
  const changed = files.filter(({ status, path }) => status !== 'deleted' || !uploads.has(path));
  return { count: changedFiles - (files.length - changed.length), files: changed };
}
