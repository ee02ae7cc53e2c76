import { useMemo } from 'react';
import type { DataView, Field, Filter, List } from '../../model/document.ts';
import type { AppRecord } from '../../model/record.ts';
import {
  type Computed,
  filterRecords,
  filtersFromQuery,
  filtersToQuery,
  type Sort,
  sortRecords,
  type TitleOf,
} from '../../model/rows.ts';
import data from '../data/use-data.ts';
import { useComputed } from '../fields/computed.ts';
import { useTitleOf } from '../fields/titles.ts';
import { changeQuery, useQuery } from '../shell/address.ts';
import { todayIso } from '../shell/screen.ts';
import { useShowing } from '../shell/shown.ts';

export interface Rows {
  readonly list: List;
  /** Shown fields in order. */
  readonly fields: readonly Field[];
  readonly all: readonly AppRecord[];
  /** The records that pass search and filters, sorted. */
  readonly records: readonly AppRecord[];
  readonly search: string;
  readonly filters: readonly Filter[];
  readonly sorts: readonly Sort[];
  readonly group: string | null;
  readonly computed: Computed;
  readonly titleOf: TitleOf;
}

/** What a view of records shows. Search, filters, sort and group come from the address, or else from the view. */
export function useRows(view: DataView): Rows {
  const query = useQuery();
  const list = data.listOf(view.list);
  const all = data.useRecords(view.list);
  const computed = useComputed(view.list);
  const titleOf = useTitleOf(list);
  const search = query.get('q') ?? '';
  const text = query.toString();
  const filters = useMemo(
    () => (new URLSearchParams(text).has('filter') ? filtersFromQuery(text, list) : (view.filter ?? [])),
    [text, list, view.filter],
  );
  const sorts = useMemo(() => sortsFrom(new URLSearchParams(text).get('sort')) ?? view.sort ?? [], [text, view.sort]);
  const viewGroup = view.view === 'table' ? (view.group ?? null) : null;
  const group = query.get('group') ?? viewGroup;
  const records = useMemo(() => {
    const found = filterRecords(all, { list, filters, search, computed, titleOf, todayIso: todayIso() });
    return sorts.length === 0 ? found : sortRecords(found, sorts, list, computed, titleOf);
  }, [all, list, filters, search, sorts, computed, titleOf]);
  useShowing(
    view.list,
    useMemo(() => records.map(({ id }) => id), [records]),
  );
  const fields = useMemo(() => fieldsOf(list, view.fields), [list, view.fields]);
  return { list, fields, all, records, search, filters, sorts, group: group === '' ? null : group, computed, titleOf };
}

/** The named fields of a list in this order, or all. */
export function fieldsOf(list: List, ids: readonly string[] | undefined): readonly Field[] {
  return ids === undefined ? list.fields : ids.flatMap((id) => list.fields.find((field) => field.id === id) ?? []);
}

/** `-due,name`: descending by due, then by name. */
function sortsFrom(text: string | null): Sort[] | null {
  if (text === null) return null;
  return text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('-') ? { field: part.slice(1), descending: true } : { field: part }));
}

export function setSearch(search: string): void {
  changeQuery((query) => (search === '' ? query.delete('q') : query.set('q', search)));
}

/** An empty filter stays in the address, because without one the view's own filters apply. */
export function setFilters(filters: readonly Filter[]): void {
  changeQuery((query) => {
    query.delete('filter');
    for (const filter of new URLSearchParams(filtersToQuery(filters)).getAll('filter')) query.append('filter', filter);
    if (filters.length === 0) query.set('filter', '');
  });
}

export function setSorts(sorts: readonly Sort[]): void {
  const text = sorts.map(({ field, descending }) => (descending === true ? `-${field}` : field)).join(',');
  changeQuery((query) => query.set('sort', text));
}

export function setGroup(field: string | null): void {
  changeQuery((query) => query.set('group', field ?? ''));
}
