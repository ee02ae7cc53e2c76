import { type ReactNode, useMemo } from 'react';
import type { List, DataView as RecordsView } from '../../model/document.ts';
import type { AppRecord } from '../../model/record.ts';
import { filterRecords, filtersFromQuery, sortRecords } from '../../model/rows.ts';
import { changeQuery, useQuery } from '../shell/address.ts';
import { todayIso } from '../shell/screen.ts';
import { useShowing } from '../shell/shown.ts';
import { SearchField } from '../ui/search-field.tsx';
import { NothingFound } from '../ui/states.tsx';
import type { Lookups } from './lookups.ts';

/**
 * Records of a view in its order that pass its filters, and the search and filters of the address. `search` is the field for the view's
 * tools, and `nothing` what to show instead of the records when the search and filters match none.
 */
export function useFound(
  view: Pick<RecordsView, 'list' | 'filter' | 'sort' | 'search'>,
  list: List,
  { recordsOf, computedOf, titleOf }: Lookups,
): { readonly shown: readonly AppRecord[]; readonly search: ReactNode; readonly nothing: ReactNode } {
  const query = useQuery();
  const words = query.get('search') ?? '';
  const added = filtersFromQuery(query.toString(), list);
  const all = recordsOf(list.id);
  const computed = computedOf(list.id);
  const filters = [...(view.filter ?? []), ...added];
  const found = filterRecords(all, { list, filters, search: words, computed, titleOf, todayIso: todayIso() });
  const shown = sortRecords(found, view.sort ?? [], list, computed, titleOf);
  const idsText = shown.map(({ id }) => id).join(' ');
  const ids = useMemo(() => (idsText === '' ? [] : idsText.split(' ')), [idsText]);
  useShowing(list.id, ids);
  const clear = () =>
    changeQuery((next) => {
      next.delete('search');
      next.delete('filter');
    });
  const isNarrowed = words !== '' || added.length > 0;
  const filtered = added.length === 1 ? ' with 1 filter' : ` with ${added.length} filters`;
  const text = `No ${list.one} matches${words === '' ? '' : ` “${words}”`}${added.length === 0 ? '' : filtered}.`;
  return {
    shown,
    search: view.search !== false && (
      <SearchField
        className="w-full min-w-0 phone:w-52"
        label={`Search ${list.name.toLowerCase()}`}
        value={words}
        onChange={(value) => changeQuery((next) => (value === '' ? next.delete('search') : next.set('search', value)))}
      />
    ),
    nothing: isNarrowed && shown.length === 0 ? <NothingFound text={text} onClear={clear} /> : null,
  };
}
