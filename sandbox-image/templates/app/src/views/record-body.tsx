import { StickyNote } from 'lucide-react';
import type { Field, List, ViewOf } from '../../model/document.ts';
import type { AppRecord } from '../../model/record.ts';
import data from '../data/use-data.ts';
import { fieldIcon } from '../fields/field-icon.ts';
import { Picture } from '../fields/show.tsx';
import { FieldSlot } from '../fields/slot.tsx';
import { titleIn } from '../fields/titles.ts';
import { Icon } from '../ui/icon.tsx';
import { Related, relationsTo } from './related.tsx';
import { fieldsOf } from './use-rows.ts';

type SheetView = ViewOf<'sheet'>;

/** How the sheets of a list look, if the document says so. */
export function sheetOf(listId: string): SheetView | undefined {
  const views = data.document.pages.flatMap((page) => page.views);
  return views.find((view): view is SheetView => view.view === 'sheet' && view.list === listId);
}

interface Section {
  readonly title: string | null;
  readonly fields: readonly Field[];
}

/** States first, then the rest, then long texts. */
const order = (field: Field) => {
  if (field.type === 'choice') return 0;
  return field.type === 'longtext' ? 2 : 1;
};

export function sectionsOf(list: List, sheet: SheetView | undefined): readonly Section[] {
  if (sheet?.sections) return sheet.sections.map(({ title, fields }) => ({ title, fields: fieldsOf(list, fields) }));
  const fields = sheet?.fields ? fieldsOf(list, sheet.fields) : list.fields.toSorted((a, b) => order(a) - order(b));
  return [{ title: null, fields }];
}

interface RecordBodyProps {
  readonly list: List;
  readonly record: AppRecord;
  readonly readOnly: boolean;
}

/** All of a record: picture, title, fields, notes and what is related to it. */
export function RecordBody({ list, record, readOnly }: RecordBodyProps) {
  const sheet = sheetOf(list.id);
  const [title] = list.fields;
  const head = list.fields.find(({ id, type }) => type === 'image' && (sheet?.head === undefined || id === sheet.head));
  const picture = head ? record.values[head.id] : null;
  const hasPicture = typeof picture === 'string' && picture !== '';
  return (
    <>
      {head && hasPicture && <Picture id={picture} label={titleIn(list, record)} className="record-picture" />}
      <h2 className="record-title">
        {title && title.type === 'text' ? (
          <FieldSlot list={list} record={record} field={title} readOnly={readOnly} />
        ) : (
          titleIn(list, record)
        )}
      </h2>
      {sectionsOf(list, sheet).map(({ title: name, fields }) => (
        <section key={name ?? ''}>
          {name !== null && <h3 className="record-section">{name}</h3>}
          <dl className="properties">
            {fields
              .filter((field) => field !== title || title.type !== 'text')
              .map((field) => (
                <div key={field.id} data-long={field.type === 'longtext' || undefined}>
                  <dt>
                    <Icon of={fieldIcon(field)} />
                    <span className="ellipsis">{field.name}</span>
                  </dt>
                  <dd>
                    <FieldSlot list={list} record={record} field={field} readOnly={readOnly} />
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      {record.notes && Object.keys(record.notes).length > 0 && (
        <section className="notes">
          <h3>
            <Icon of={StickyNote} />
            From the import
          </h3>
          <dl>
            {Object.entries(record.notes).map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {relationsTo(list.id, sheet?.related).map((relation) => (
        <Related key={`${relation.list.id}.${relation.field.id}`} relation={relation} record={record} readOnly={readOnly} />
      ))}
    </>
  );
}
