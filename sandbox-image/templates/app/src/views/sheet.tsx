import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ViewOf } from '../../model/document.ts';
import data from '../data/use-data.ts';
import { changeQuery, useQuery } from '../shell/address.ts';
import { Tools, useViewMark } from '../shell/page-frame.tsx';
import { IconButton } from '../ui/button.tsx';
import { Skeleton } from '../ui/states.tsx';
import { EmptyList } from './empty-list.tsx';
import { RecordBody } from './record-body.tsx';
import { useRows } from './use-rows.ts';

/** One record as a page of its own. The address says which; without one it is the first. */
export function Sheet(view: ViewOf<'sheet'>) {
  const rows = useRows(view);
  const { loaded } = data.useStatus();
  const mark = useViewMark(view.id);
  const wanted = useQuery().get('record');
  const { records, list } = rows;
  const index = Math.max(
    0,
    records.findIndex(({ id }) => id === wanted),
  );
  const record = records[index];
  if (!loaded) return <Skeleton />;
  if (record === undefined) return <EmptyList list={list} empty={view.empty} mark={mark} />;
  function go(by: number) {
    const next = records[index + by];
    if (next !== undefined) changeQuery((query) => query.set('record', next.id));
  }
  return (
    <section className="sheet-page" aria-label={list.one} {...mark}>
      <Tools>
        <span className="text-ink-3 text-xs tabular-nums">
          {index + 1} of {records.length}
        </span>
        <IconButton label={`${list.one} before`} icon={ChevronUp} disabled={index === 0} onClick={() => go(-1)} />
        <IconButton
          label={`${list.one} after`}
          icon={ChevronDown}
          disabled={index === records.length - 1}
          onClick={() => go(1)}
        />
      </Tools>
      <div className="sheet-paper" key={record.id}>
        <RecordBody list={list} record={record} readOnly={false} />
      </div>
    </section>
  );
}
