import Papa from 'papaparse';
import { useEffect, useMemo, useState } from 'react';
import { create } from 'zustand';
import type { List } from '../../model/document.ts';
import data from '../data/use-data.ts';
import { useRelatedTitles } from '../fields/titles.ts';
import { isField } from '../shell/keys.tsx';
import { todayIso } from '../shell/screen.ts';
import { useShown } from '../shell/shown.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { type ImportOptions, type ImportPlan, importChanges, planImport, plannedColumn } from './import-plan.ts';

const maxRows = 10_000;
const maxColumns = 60;

interface Pasted {
  readonly list: string;
  readonly table: readonly (readonly string[])[];
}
const usePasted = create<{ pasted: Pasted | null }>(() => ({ pasted: null }));

/** Reads a table whose cells are apart by tabs, commas or semicolons. */
export function readTable(text: string): string[][] {
  const { data: rows } = Papa.parse<string[]>(text.trim(), { skipEmptyLines: 'greedy' });
  return rows;
}

/** Shows what of a table fits where, before anything is stored. */
export function importText(list: string, text: string): void {
  const table = readTable(text);
  if (table.length === 0) {
    toast('There is no table in it.', { problem: true });
  } else if (table.length > maxRows + 1 || (table[0]?.length ?? 0) > maxColumns) {
    toast(`A table has at most ${maxRows.toLocaleString('en-GB')} rows and ${maxColumns} columns. Import a part of it.`, {
      problem: true,
    });
  } else {
    usePasted.setState({ pasted: { list, table } });
  }
}

/** Lets the user choose a CSV file. */
export function importFile(list: string): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.csv,.tsv,.txt,text/csv,text/plain';
  input.onchange = async () => {
    const file = input.files?.[0];
    if (file) importText(list, await file.text());
  };
  input.click();
}

/** Downloads all records of a list as CSV. The file's name is set here, because a preview's responses name no files. */
export function exportFile(list: string): void {
  const link = document.createElement('a');
  link.href = `/api/lists/${list}/export.csv`;
  link.download = `${list}.csv`;
  link.click();
}

/** A table that is pasted outside a field goes into the list that the page shows. */
export function ImportTable() {
  const { pasted } = usePasted();
  useEffect(() => {
    function paste(event: ClipboardEvent) {
      const { list } = useShown.getState();
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (event.defaultPrevented || isField(event.target) || list === null || !/[\t\n]/.test(text.trim())) return;
      event.preventDefault();
      importText(list, text);
    }
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, []);
  return pasted && <ImportDialog key={pasted.list} {...pasted} />;
}

const close = () => usePasted.setState({ pasted: null });
const newId = () => crypto.randomUUID().replaceAll('-', '');

function ImportDialog({ list: listId, table }: Pasted) {
  const list = data.listOf(listId);
  const options: ImportOptions = { list, todayIso: todayIso(), idOf: useIdOf(list) };
  const [plan, setPlan] = useState<ImportPlan>(() => planImport(table, options));
  const { changes, incomplete } = importChanges(plan, options, newId);
  const noun = changes.length === 1 ? list.one : list.name.toLowerCase();
  function choose(index: number, fieldId: string) {
    const field = list.fields.find(({ id }) => id === fieldId) ?? null;
    const columns = plan.columns.map((column, at) => {
      if (at === index) return plannedColumn(column.name, field, plan.rows, index, options);
      const isTaken = field !== null && column.field?.id === field.id;
      return isTaken ? plannedColumn(column.name, null, plan.rows, at, options) : column;
    });
    setPlan({ ...plan, columns });
  }
  function store() {
    const name = `Added ${changes.length} ${noun}`;
    if (!data.change(name, changes)) toast('Some values are not allowed, so nothing was added.', { problem: true });
    close();
  }
  return (
    <Dialog
      wide
      title={`Import into ${list.name}`}
      text={`${plan.rows.length} rows, ${plan.columns.length} columns. Nothing is dropped: what fits no field becomes a note of its record.`}
      onClose={close}
    >
      <div className="-mx-6 overflow-auto border-line border-y px-6">
        <table className="w-full text-sm">
          <thead>
            <tr className="text-ink-3 text-xs">
              <th className="py-2 pe-4 text-start font-medium">Column</th>
              <th className="py-2 pe-4 text-start font-medium">Goes to</th>
              <th className="py-2 text-start font-medium">Fits</th>
            </tr>
          </thead>
          <tbody>
            {plan.columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their order, and may have equal names.
              <tr key={index} className="border-line border-t">
                <th scope="row" className="py-2 pe-4 text-start font-medium">
                  {column.name}
                </th>
                <td className="py-1 pe-4">
                  <select
                    className="select"
                    aria-label={`Field for ${column.name}`}
                    value={column.field?.id ?? ''}
                    onChange={(event) => choose(index, event.target.value)}
                  >
                    <option value="">Notes</option>
                    {list.fields
                      .filter(({ type }) => type !== 'computed' && type !== 'image')
                      .map(({ id, name }) => (
                        <option key={id} value={id}>
                          {name}
                        </option>
                      ))}
                  </select>
                </td>
                <td className={column.fits < column.filled ? 'py-2 text-warn' : 'py-2 text-ink-2'}>
                  {column.fits} of {column.filled}
                  {column.misfit !== null && `, “${column.misfit.slice(0, 40)}” becomes a note`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 text-ink-2 text-sm">
          {incomplete > 0 && `${incomplete} rows have no value for a needed field and are left out.`}
        </p>
        <Button kind="ghost" onClick={close}>
          Cancel
        </Button>
        <Button kind="primary" disabled={changes.length === 0} onClick={store}>
          Add {changes.length} {noun}
        </Button>
      </div>
    </Dialog>
  );
}

/** Finds records of related lists by their titles. */
export function useIdOf(list: List): ImportOptions['idOf'] {
  const related = useRelatedTitles(list);
  return useMemo(() => {
    const ids = new Map<string, string>();
    for (const [other, titles] of related) for (const [id, title] of titles) ids.set(`${other}/${title.toLowerCase()}`, id);
    return (other, title) => ids.get(`${other}/${title.toLowerCase()}`) ?? null;
  }, [related]);
}
