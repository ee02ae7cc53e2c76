import { useMemo } from 'react';
import type { List } from '../../model/document.ts';
import type { AppRecord } from '../../model/record.ts';
import type { TitleOf } from '../../model/rows.ts';
import { showValue } from '../../model/values.ts';
import data from '../data/use-data.ts';

/** What a record is called: its first field, or what it is. */
export function titleIn(list: List, record: AppRecord): string {
  const [first] = list.fields;
  const title = first === undefined ? '' : showValue(first, record.values[first.id] ?? null);
  return title === '' ? `Untitled ${list.one}` : title;
}

const titlesByRecords = new WeakMap<readonly AppRecord[], Map<string, string>>();

function titlesOf(list: List, records: readonly AppRecord[]): Map<string, string> {
  let titles = titlesByRecords.get(records);
  if (titles === undefined) {
    titles = new Map(records.map((record) => [record.id, titleIn(list, record)]));
    titlesByRecords.set(records, titles);
  }
  return titles;
}

/** Titles of the records of one list, by id. */
export function useTitles(listId: string): ReadonlyMap<string, string> {
  // biome-ignore lint/correctness/useHookAtTopLevel: see `useRelatedTitles`, which calls this for the relations of a list.
  return titlesOf(data.listOf(listId), data.useRecords(listId));
}

/** Titles of the records of all lists that a list's relations name, by list and id. */
export function useRelatedTitles(list: List): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const related = [...new Set(list.fields.flatMap((field) => (field.type === 'relation' ? [field.list] : [])))];
  // biome-ignore lint/correctness/useHookAtTopLevel: a list's relations do not change while the page runs, so the order stays.
  const titles = related.map((id) => useTitles(id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the maps are all that changes.
  return useMemo(() => new Map(related.flatMap((id, at) => (titles[at] ? [[id, titles[at]] as const] : []))), titles);
}

export function useTitleOf(list: List): TitleOf {
  const titles = useRelatedTitles(list);
  return useMemo(() => (listId, recordId) => titles.get(listId)?.get(recordId) ?? null, [titles]);
}
