import { Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Field, List } from '../../model/document.ts';
import type { AppRecord, Value } from '../../model/record.ts';
import { isEmpty, showValue } from '../../model/values.ts';
import data from '../data/use-data.ts';
import { IconButton } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { useComputed, valueOf } from './computed.ts';
import { FieldEditor } from './edit.tsx';
import { FieldValue } from './show.tsx';
import { titleIn, useTitleOf } from './titles.ts';

interface FieldSlotProps {
  readonly list: List;
  readonly record: AppRecord;
  readonly field: Field;
  readonly readOnly?: boolean;
}

/** Types whose editor looks like the value. */
const always: readonly Field['type'][] = ['choice', 'choices', 'relation', 'yesno', 'rating', 'image'];

/** A value that becomes a field on click, and is stored when the field is left. There is no Edit button. */
export function FieldSlot({ list, record, field, readOnly = false }: FieldSlotProps) {
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const computed = useComputed(list.id);
  const titleOf = useTitleOf(list);
  const value = valueOf(record, field, computed);
  function store(next: Value) {
    const name = `“${titleIn(list, record)}”: ${field.name} is now ${showValue(field, next, { titleOf }) || 'empty'}`;
    const isStored = data.change(name, [{ op: 'put', list: list.id, id: record.id, values: { [field.id]: next } }]);
    if (!isStored) toast(`${field.name} does not allow this value.`, { problem: true });
  }
  const shown = <FieldValue field={field} value={value} record={record} size="sheet" />;
  if (readOnly || field.type === 'computed') {
    return (
      <span className="slot" data-computed={field.type === 'computed'}>
        {shown}
      </span>
    );
  }
  if (editing || always.includes(field.type)) {
    return (
      <span className="slot-editor" data-quiet={!editing}>
        <FieldEditor
          variant="sheet"
          field={field}
          value={value}
          autoFocus={editing}
          onChange={store}
          onDone={(how) => {
            setEditing(false);
            if (how !== 'blur') setTimeout(() => button.current?.focus());
          }}
        />
      </span>
    );
  }
  if (!isEmpty(value) && (field.type === 'link' || field.type === 'email' || field.type === 'phone')) {
    return (
      <span className="slot" data-link="true">
        {shown}
        <IconButton
          label={`Change ${field.name}`}
          icon={Pencil}
          size="small"
          className="slot-pencil"
          onClick={() => setEditing(true)}
        />
      </span>
    );
  }
  return (
    <button ref={button} type="button" className="slot" onClick={() => setEditing(true)}>
      <span className="sr-only">{field.name}: </span>
      {shown}
    </button>
  );
}
