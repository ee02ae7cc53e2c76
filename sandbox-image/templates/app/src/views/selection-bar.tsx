import { Download, Pencil, Trash2, X } from 'lucide-react';
import Papa from 'papaparse';
import { useState } from 'react';
import type { Field } from '../../model/document.ts';
import { printTable } from '../../model/print-table.ts';
import type { AppRecord, Value } from '../../model/record.ts';
import { showValue } from '../../model/values.ts';
import data from '../data/use-data.ts';
import { valueIn } from '../fields/computed.ts';
import { FieldEditor } from '../fields/edit.tsx';
import { fieldIcon } from '../fields/field-icon.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Popover } from '../ui/menu.tsx';
import { toast } from '../ui/toast.tsx';
import type { Rows } from './use-rows.ts';

interface SelectionBarProps {
  readonly rows: Rows;
  readonly records: readonly AppRecord[];
  readonly onClear: () => void;
  readonly editable: boolean;
}

/** Takes the place of the tools while rows are ticked. */
export function SelectionBar({ rows, records, onClear, editable }: SelectionBarProps) {
  const { list } = rows;
  function remove() {
    data.remove(
      list.id,
      records.map(({ id }) => id),
    );
    onClear();
  }
  return (
    <div className="selection">
      <span className="font-medium tabular-nums">{records.length} selected</span>
      {editable && <ChangeAll rows={rows} records={records} />}
      <Button kind="ghost" icon={Download} onClick={() => download(rows, records)}>
        Export
      </Button>
      {editable && (
        <Button kind="ghost" icon={Trash2} onClick={remove}>
          Delete
        </Button>
      )}
      <span className="flex-1" />
      <IconButton label="Untick all" icon={X} onClick={onClear} />
    </div>
  );
}

function ChangeAll({ rows, records }: { rows: Rows; records: readonly AppRecord[] }) {
  const { list } = rows;
  const [open, setOpen] = useState(false);
  const [field, setField] = useState<Field | null>(null);
  function show(next: boolean) {
    setOpen(next);
    setField(null);
  }
  function store(chosen: Field, value: Value) {
    const count = records.length === 1 ? `1 ${list.one}` : `${records.length} ${list.name.toLowerCase()}`;
    const name = `${chosen.name} of ${count} is now ${showValue(chosen, value, rows) || 'empty'}`;
    const changes = records.map(({ id }) => ({ op: 'put' as const, list: list.id, id, values: { [chosen.id]: value } }));
    if (!data.change(name, changes)) toast(`${chosen.name} does not allow this value for all of them.`, { problem: true });
    show(false);
  }
  return (
    <Popover
      label="Change"
      open={open}
      onOpenChange={show}
      trigger={
        <Button kind="ghost" icon={Pencil}>
          Change
        </Button>
      }
    >
      {field === null ? (
        list.fields
          .filter(({ type }) => type !== 'computed' && type !== 'image')
          .map((entry) => (
            <button key={entry.id} type="button" className="menu-item" onClick={() => setField(entry)}>
              <Icon of={fieldIcon(entry)} />
              {entry.name}
            </button>
          ))
      ) : (
        <div className="grid gap-2 p-2">
          <span className="font-medium">{field.name}</span>
          <FieldEditor
            variant="form"
            autoFocus={field.type !== 'choices'}
            field={field}
            value={null}
            onChange={(value) => store(field, value)}
          />
        </div>
      )}
    </Popover>
  );
}

/** Saves records as CSV. */
export function download({ list, computed, titleOf }: Rows, records: readonly AppRecord[]): void {
  const shown = (record: AppRecord, field: Field) => showValue(field, valueIn(record, field, computed), { long: true, titleOf });
  // A cell that begins like a formula is quoted, so that no spreadsheet runs it.
  const csv = Papa.unparse(printTable(list.fields, records, shown), { escapeFormulae: true });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  link.download = `${list.id}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
