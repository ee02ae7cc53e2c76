import { useMemo, useState } from 'react';
import type { ViewOf } from '../../model/document.ts';
import data from '../data/use-data.ts';
import { Tools, useViewMark } from '../shell/page-frame.tsx';
import { useIsPhone } from '../shell/screen.ts';
import { NothingFound, Skeleton } from '../ui/states.tsx';
import { EmptyList } from './empty-list.tsx';
import { nothingText } from './filter-words.ts';
import { PhoneList } from './phone-list.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { TableGrid } from './table-grid.tsx';
import { Toolbar } from './toolbar.tsx';
import { setFilters, setSearch, useRows } from './use-rows.ts';

/** To find, compare and change. On a phone it becomes a list. */
export function Table(view: ViewOf<'table'>) {
  const rows = useRows(view);
  const { loaded } = data.useStatus();
  const isPhone = useIsPhone();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const chosen = useMemo(() => rows.records.filter(({ id }) => ticked.has(id)), [rows.records, ticked]);
  const mark = useViewMark(view.id);
  if (!loaded) return <Skeleton />;
  if (rows.all.length === 0) return <EmptyList list={rows.list} empty={view.empty} mark={mark} />;
  return (
    <section className="view" aria-label={rows.list.name} {...mark}>
      {chosen.length > 0 ? (
        <Tools>
          <SelectionBar rows={rows} records={chosen} onClear={() => setTicked(new Set())} editable={view.edit !== 'off'} />
        </Tools>
      ) : (
        <Toolbar rows={rows} search={view.search} grouping />
      )}
      {rows.records.length === 0 && (
        <NothingFound
          text={nothingText(rows.list.one, rows.search, rows.filters.length)}
          onClear={() => {
            setFilters([]);
            setSearch('');
          }}
        />
      )}
      {rows.records.length > 0 && isPhone && <PhoneList rows={rows} totals={view.totals} ticked={ticked} onTick={setTicked} />}
      {rows.records.length > 0 && !isPhone && (
        <TableGrid
          rows={rows}
          totals={view.totals}
          edit={view.edit ?? 'cell'}
          ticked={ticked}
          onTick={setTicked}
          viewId={view.id}
        />
      )}
    </section>
  );
}
