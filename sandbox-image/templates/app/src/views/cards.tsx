import { useMemo } from 'react';
import type { Field, ViewOf } from '../../model/document.ts';
import type { AppRecord, Value } from '../../model/record.ts';
import { filterRecords } from '../../model/rows.ts';
import { isEmpty } from '../../model/values.ts';
import data from '../data/use-data.ts';
import { valueOf } from '../fields/computed.ts';
import { fieldIcon } from '../fields/field-icon.ts';
import { FieldValue, Picture, Placeholder } from '../fields/show.tsx';
import { titleIn } from '../fields/titles.ts';
import { openRecord } from '../shell/address.ts';
import { useViewMark } from '../shell/page-frame.tsx';
import { todayIso } from '../shell/screen.ts';
import { Icon } from '../ui/icon.tsx';
import { NothingFound, Skeleton } from '../ui/states.tsx';
import { EmptyList } from './empty-list.tsx';
import { nothingText } from './filter-words.ts';
import { Toolbar } from './toolbar.tsx';
import { type Rows, setFilters, setSearch, useRows } from './use-rows.ts';

/** To choose by eye. */
export function Cards(view: ViewOf<'cards'>) {
  const rows = useRows(view);
  const { loaded } = data.useStatus();
  const mark = useViewMark(view.id);
  if (!loaded) return <Skeleton rows={4} height={120} />;
  if (rows.all.length === 0) return <EmptyList list={rows.list} empty={view.empty} mark={mark} />;
  return (
    <section className="view" aria-label={rows.list.name} {...mark}>
      <Toolbar rows={rows} search={view.search} />
      {view.quick !== undefined && <QuickFilters rows={rows} fieldId={view.quick} />}
      {rows.records.length === 0 ? (
        <NothingFound
          text={nothingText(rows.list.one, rows.search, rows.filters.length)}
          onClear={() => {
            setFilters([]);
            setSearch('');
          }}
        />
      ) : (
        <ul className="cards" data-size={view.size ?? 'm'}>
          {rows.records.map((record) => (
            <li key={record.id}>
              <Card view={view} rows={rows} record={record} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** A pill for each choice, with how many records it has among those that pass the other filters. */
function QuickFilters({ rows, fieldId }: { rows: Rows; fieldId: string }) {
  const { list, all, filters, search, computed, titleOf } = rows;
  const field = list.fields.find(({ id }) => id === fieldId);
  const others = useMemo(() => filters.filter((filter) => filter.field !== fieldId), [filters, fieldId]);
  const among = useMemo(
    () => filterRecords(all, { list, filters: others, search, computed, titleOf, todayIso: todayIso() }),
    [all, list, others, search, computed, titleOf],
  );
  if (field?.type !== 'choice' && field?.type !== 'choices') return null;
  const is = field.type === 'choices' ? ('has' as const) : ('is' as const);
  const chosen = filters.find((filter) => filter.field === fieldId && filter.is === is)?.value;
  const has = (value: Value | undefined, id: string) => (Array.isArray(value) ? value.includes(id) : value === id);
  return (
    <fieldset className="pills">
      <legend className="sr-only">{field.name}</legend>
      <button type="button" className="pill" aria-pressed={chosen === undefined} onClick={() => setFilters(others)}>
        All <span>{among.length}</span>
      </button>
      {field.choices.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className="pill"
          aria-pressed={chosen === id}
          onClick={() => setFilters(chosen === id ? others : [...others, { field: fieldId, is, value: id }])}
        >
          {name} <span>{among.filter(({ values }) => has(values[fieldId], id)).length}</span>
        </button>
      ))}
    </fieldset>
  );
}

function Card({ view, rows, record }: { view: ViewOf<'cards'>; rows: Rows; record: AppRecord }) {
  const { list, computed } = rows;
  const title = titleIn(list, record);
  const fieldOf = (id: string | undefined): Field | undefined => list.fields.find((field) => field.id === id);
  const image = fieldOf(view.image);
  const badge = fieldOf(view.badge);
  const rating = fieldOf(view.rating);
  const tags = fieldOf(view.tags);
  const filled = (field: Field | undefined): field is Field => field !== undefined && !isEmpty(valueOf(record, field, computed));
  const meta = (view.meta ?? []).map(fieldOf).filter(filled);
  const picture = image ? record.values[image.id] : null;
  const show = (field: Field) => (
    <FieldValue field={field} value={valueOf(record, field, computed)} record={record} size="card" />
  );
  return (
    <button type="button" className="card" onClick={() => openRecord(list.id, record.id)}>
      {typeof picture === 'string' && picture !== '' ? (
        <Picture id={picture} label="" className="card-picture" />
      ) : (
        <Placeholder title={title} className="card-picture" />
      )}
      {filled(badge) && <span className="card-badge">{show(badge)}</span>}
      <span className="card-text">
        <span className="card-title">{title}</span>
        {(meta.length > 0 || filled(rating)) && (
          <span className="card-meta">
            {meta.map((field) => (
              <span key={field.id} title={field.name}>
                {field.type !== 'choice' && field.type !== 'choices' && <Icon of={fieldIcon(field)} size={14} />}
                {show(field)}
              </span>
            ))}
            {filled(rating) && <span className="ms-auto">{show(rating)}</span>}
          </span>
        )}
        {filled(tags) && <span className="card-tags">{show(tags)}</span>}
      </span>
    </button>
  );
}
