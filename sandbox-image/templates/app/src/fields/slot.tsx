import { Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Field, List } from '../../model/document.ts';
import type { AppRecord, Value } from '../../model/record.ts';
import { isEmpty } from '../../model/values.ts';
import data from '../data/use-data.ts';
import { IconButton } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { useComputed, valueIn } from './computed.ts';
import { FieldEditor } from './edit.tsx';
import { FieldValue } from './show.tsx';
import { changeName } from './titles.ts';

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
  // What the user has seen when the edit began. Someone else may change it meanwhile.
  const [seen, setSeen] = useState<{ readonly value: Value } | null>(null);
  const editing = seen !== null;
  const button = useRef<HTMLButtonElement>(null);
  const computed = useComputed(list.id);
  const value = valueIn(record, field, computed);
  function store(next: Value) {
    const name = changeName(list, record, field, next);
    const was = { [field.id]: seen === null ? value : seen.value };
    const isStored = data.change(name, [{ op: 'put', list: list.id, id: record.id, values: { [field.id]: next }, was }]);
    setSeen((now) => now && { value: next });
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
            setSeen(null);
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
          onClick={() => setSeen({ value })}
        />
      </span>
    );
  }
  return (
    <button ref={button} type="button" className="slot" onClick={() => setSeen({ value })}>
      <span className="sr-only">{field.name}: </span>
      {shown}
    </button>
  );
}
