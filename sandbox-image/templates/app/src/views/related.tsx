import { Plus } from 'lucide-react';
import type { Field, List } from '../../model/document.ts';
import type { AppRecord } from '../../model/record.ts';
import data from '../data/use-data.ts';
import { useComputed, valueOf } from '../fields/computed.ts';
import { FieldValue } from '../fields/show.tsx';
import { titleIn } from '../fields/titles.ts';
import { openNew, openRecord } from '../shell/address.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

export interface Relation {
  readonly list: List;
  readonly field: Extract<Field, { type: 'relation' }>;
}

/** The relations of other lists to this one, all or those named as `list.field`. */
export function relationsTo(listId: string, named: readonly string[] | undefined): readonly Relation[] {
  const all = data.document.lists.flatMap((list) =>
    list.fields.flatMap((field) => (field.type === 'relation' && field.list === listId ? [{ list, field }] : [])),
  );
  if (named === undefined) return all;
  return named.flatMap((name) => all.find(({ list, field }) => `${list.id}.${field.id}` === name) ?? []);
}

/** The records of another list that name this one, and a way to add one. */
export function Related({ relation, record, readOnly }: { relation: Relation; record: AppRecord; readOnly: boolean }) {
  const { list, field } = relation;
  const records = data.useRecords(list.id).filter(({ values }) => {
    const value = values[field.id];
    return Array.isArray(value) ? value.includes(record.id) : value === record.id;
  });
  const page = data.document.pages.find(({ views }) => views.some((view) => 'list' in view && view.list === list.id));
  return (
    <section className="related">
      <h3>
        <Icon name={page?.icon ?? 'arrow-left-right'} />
        {list.name} <span className="text-ink-3">{records.length}</span>
        {!readOnly && (
          <Button
            kind="ghost"
            size="small"
            icon={Plus}
            className="ms-auto"
            onClick={() => openNew(list.id, { [field.id]: field.many === true ? [record.id] : record.id })}
          >
            Add {list.one}
          </Button>
        )}
      </h3>
      <ul>
        {records.slice(0, 50).map((other) => (
          <li key={other.id}>
            <RelatedRow list={list} skip={field.id} record={other} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RelatedRow({ list, skip, record }: { list: List; skip: string; record: AppRecord }) {
  const computed = useComputed(list.id);
  const [title, ...rest] = list.fields.filter(({ id, type }) => id !== skip && type !== 'image' && type !== 'longtext');
  const shown = rest.filter((field) => valueOf(record, field, computed) !== null).slice(0, 3);
  return (
    <button type="button" className="related-row" onClick={() => openRecord(list.id, record.id)}>
      <span className="related-title">
        {title ? <FieldValue field={title} value={valueOf(record, title, computed)} record={record} /> : titleIn(list, record)}
      </span>
      {shown.map((field) => (
        <span key={field.id} className="related-value">
          <FieldValue field={field} value={valueOf(record, field, computed)} record={record} />
        </span>
      ))}
    </button>
  );
}
