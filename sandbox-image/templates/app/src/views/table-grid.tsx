// biome-ignore-all lint/a11y/useSemanticElements: a grid that draws only the rows on the screen is no table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell.
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight, PanelRightOpen } from 'lucide-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Field } from '../../model/document.ts';
import type { AppRecord, Value } from '../../model/record.ts';
import { groupRecords, type RecordGroup, type Total } from '../../model/rows.ts';
import { showValue } from '../../model/values.ts';
import data from '../data/use-data.ts';
import { valueIn } from '../fields/computed.ts';
import { type Done, FieldEditor } from '../fields/edit.tsx';
import { FieldValue } from '../fields/show.tsx';
import { changeName, titleIn } from '../fields/titles.ts';
import { openRecord, useQuery } from '../shell/address.ts';
import { isField } from '../shell/keys.tsx';
import { todayIso } from '../shell/screen.ts';
import { Icon } from '../ui/icon.tsx';
import { CheckMark } from '../ui/tag.tsx';
import { announce, toast } from '../ui/toast.tsx';
import { type Cursor, cursorAt, moved, pasteChanges, type Range, rangeOf, rangeText, tabbed } from './grid-cursor.ts';
import { readTable, useIdOf } from './import-table.tsx';
import { isNumeric, useColumns } from './table-columns.ts';
import { TableHead } from './table-head.tsx';
import { shownTotal } from './totals.ts';
import type { Rows } from './use-rows.ts';

interface TableGridProps {
  readonly rows: Rows;
  readonly totals: Readonly<Record<string, Total>> | undefined;
  readonly edit: 'cell' | 'sheet' | 'off';
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (ticked: ReadonlySet<string>) => void;
  readonly viewId: string;
}

type Line =
  | { readonly kind: 'group'; readonly group: RecordGroup; readonly name: string; readonly isOpen: boolean }
  | { readonly kind: 'record'; readonly record: AppRecord; readonly row: number };

interface Editing {
  readonly row: number;
  readonly column: number;
  readonly startText: string | undefined;
  /** The value that the user has seen. Someone else may change it during the edit. */
  readonly was: Value;
}

const rowHeight = 40;
const groupHeight = 38;
const noRange: Range = { top: -1, bottom: -1, first: -1, last: -1 };
const isEditable = ({ type }: Field) => type !== 'computed';

/** The rows of a table: only those on the screen are drawn, and the arrows move through all of them. */
export function TableGrid({ rows, totals, edit, ticked, onTick, viewId }: TableGridProps) {
  const { list, computed, titleOf } = rows;
  const scroller = useRef<HTMLDivElement>(null);
  const ticks = edit !== 'off';
  const columns = useColumns(viewId, rows.fields, ticks);
  const { fields } = columns;
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const { lines, records } = useLines(rows, closed);
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const idOf = useIdOf(list);
  const open = useQuery().get('open');

  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === 'group' ? groupHeight : rowHeight),
    overscan: 6,
    scrollPaddingStart: 36,
    scrollPaddingEnd: 48,
  });

  const lineOfRow = useMemo(() => {
    const found: number[] = [];
    for (const [index, line] of lines.entries()) if (line.kind === 'record') found[line.row] = index;
    return found;
  }, [lines]);

  function show(next: Cursor) {
    setCursor(next);
    virtual.scrollToIndex(lineOfRow[next.row] ?? 0);
  }

  function startEditing(row: number, column: number, startText?: string) {
    const record = records[row];
    const field = fields[column];
    if (record === undefined || field === undefined || edit === 'off') return;
    if (edit === 'sheet') openRecord(list.id, record.id);
    else if (field.type === 'yesno') store(record, field, record.values[field.id] !== true);
    else if (isEditable(field)) setEditing({ row, column, startText, was: record.values[field.id] ?? null });
  }

  function store(record: AppRecord, field: Field, value: Value, was = record.values[field.id] ?? null) {
    const name = changeName(list, record, field, value);
    const isStored = data.change(name, [
      { op: 'put', list: list.id, id: record.id, values: { [field.id]: value }, was: { [field.id]: was } },
    ]);
    // Several choices are stored one after the other during the same edit.
    setEditing((now) => now && { ...now, was: value });
    if (!isStored) toast(`${field.name} does not allow this value.`, { problem: true });
  }

  function finish(how: Done) {
    if (editing === null) return;
    setEditing(null);
    if (how === 'blur') return;
    const at = cursorAt(editing.row, editing.column);
    const size = { rows: records.length, columns: fields.length, page: 1 };
    const down = how === 'enter' ? moved(at, { key: 'ArrowDown', shiftKey: false, ctrlKey: false }, size) : at;
    const next = how === 'tab' || how === 'back' ? tabbed(at, how === 'back', size) : down;
    if (next !== null) show(next);
    scroller.current?.focus();
  }

  function tick(id: string) {
    const next = new Set(ticked);
    if (!next.delete(id)) next.add(id);
    onTick(next);
  }

  function act(key: string, { row, column }: Cursor, ctrl: boolean): boolean {
    const record = records[row];
    const field = fields[column];
    if (record === undefined || field === undefined) return false;
    const canEdit = edit === 'cell';
    switch (key) {
      case 'Escape':
        setCursor(null);
        return true;
      case 'Enter':
      case 'F2':
        if (ctrl || !canEdit) openRecord(list.id, record.id);
        else startEditing(row, column);
        return true;
      case ' ':
        if (ticks && !(canEdit && field.type === 'yesno')) tick(record.id);
        else startEditing(row, column);
        return true;
      case 'Delete':
      case 'Backspace':
        if (canEdit) clear();
        return canEdit;
      default:
        return false;
    }
  }

  /** What a key does to a cell: it moves the cursor, acts, or begins to edit. Returns whether it did something. */
  function handle(event: KeyboardEvent, at: Cursor): boolean {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 2);
    const size = { rows: records.length, columns: fields.length, page };
    const ctrlKey = event.ctrlKey || event.metaKey;
    const isTab = event.key === 'Tab' && cursor !== null;
    const next = isTab
      ? tabbed(at, event.shiftKey, size)
      : moved(at, { key: event.key, shiftKey: event.shiftKey, ctrlKey }, size);
    if (next !== null) show(cursor === null ? at : next);
    if (next !== null || cursor === null) return next !== null;
    if (act(event.key, at, ctrlKey)) return true;
    const isLetter = event.key.length === 1 && !ctrlKey && !event.altKey && !' /?'.includes(event.key);
    const begins = isLetter && edit === 'cell' && takesText(fields[at.column]);
    if (begins) startEditing(at.row, at.column, event.key);
    return begins;
  }

  /** Alt, Shift and an arrow move the column of the cursor. */
  function moveColumn(event: KeyboardEvent, { row, column }: Cursor): boolean {
    const field = fields[column];
    if (field === undefined || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return false;
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl';
    const to = column + ((event.key === 'ArrowRight') === isMirrored ? -1 : 1);
    if (columns.move(field.id, to)) {
      setCursor(cursorAt(row, to));
      announce(`${field.name} is now column ${to + 1} of ${fields.length}`);
    }
    return true;
  }

  function press(event: KeyboardEvent) {
    if (editing !== null || event.target !== scroller.current) return;
    const at = cursor ?? cursorAt(0, 0);
    const isDone = event.altKey && event.shiftKey ? moveColumn(event, at) : handle(event, at);
    if (isDone) event.preventDefault();
  }

  function clear() {
    const range = cursor ? rangeOf(cursor) : noRange;
    const { changes } = pasteChanges([['']], { list: list.id, records, fields, range, todayIso: todayIso(), idOf });
    if (changes.length > 0) data.change('Emptied cells', changes);
  }

  function copy(event: ClipboardEvent) {
    if (cursor === null || isField(event.target)) return;
    const { top, bottom, first, last } = rangeOf(cursor);
    const cells = records
      .slice(top, bottom + 1)
      .map((record) =>
        fields.slice(first, last + 1).map((field) => showValue(field, valueIn(record, field, computed), { long: true, titleOf })),
      );
    event.clipboardData.setData('text/plain', rangeText(cells));
    event.preventDefault();
  }

  function paste(event: ClipboardEvent) {
    if (cursor === null || edit !== 'cell' || isField(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    const table = readTable(event.clipboardData.getData('text/plain'));
    if (table.length === 0) return;
    const range = rangeOf(cursor);
    const { changes, misfits } = pasteChanges(table, { list: list.id, records, fields, range, todayIso: todayIso(), idOf });
    if (changes.length > 0) data.change(`Pasted into ${changes.length === 1 ? '1 row' : `${changes.length} rows`}`, changes);
    if (misfits > 0)
      toast(`${misfits === 1 ? '1 cell does' : `${misfits} cells do`} not fit and kept the value.`, { problem: true });
  }

  /** Where a pointer is: the row and column of its cell. */
  function cellAt(event: MouseEvent): { row: number; column: number; record: AppRecord } | null {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-cell]') : null;
    const [row = -1, column = -1] = (cell?.dataset['cell'] ?? '').split(':').map(Number);
    const record = records[row];
    return record === undefined ? null : { row, column, record };
  }

  function point(event: MouseEvent) {
    const at = cellAt(event);
    if (at === null || editing !== null || (event.target instanceof Element && event.target.closest('a, button'))) return;
    if (at.column < 0) {
      tick(at.record.id);
    } else if (edit !== 'cell') {
      openRecord(list.id, at.record.id);
    } else {
      const isAgain = cursor?.row === at.row && cursor.column === at.column && !event.shiftKey;
      const isTick = fields[at.column]?.type === 'yesno';
      setCursor(event.shiftKey && cursor ? { ...cursor, row: at.row, column: at.column } : cursorAt(at.row, at.column));
      if (isAgain || (isTick && event.detail === 1)) startEditing(at.row, at.column);
    }
  }

  const range = cursor === null ? noRange : rangeOf(cursor);
  const allTicked = ticked.size > 0 && ticked.size >= records.length;
  return (
    <div
      ref={scroller}
      className="grid-view"
      role="grid"
      aria-label={list.name}
      aria-rowcount={records.length + 1}
      aria-colcount={fields.length + (ticks ? 1 : 0)}
      aria-readonly={edit === 'off'}
      aria-multiselectable={ticks || undefined}
      aria-activedescendant={cursor && editing === null ? `cell-${cursor.row}-${cursor.column}` : undefined}
      tabIndex={0}
      style={{ '--cols': columns.template, '--width': `${columns.width}px` } as React.CSSProperties}
      onKeyDown={press}
      onClick={point}
      onDoubleClick={(event) => {
        const at = cellAt(event);
        if (at && at.column >= 0 && editing === null) startEditing(at.row, at.column);
      }}
      onCopy={copy}
      onPaste={paste}
    >
      <div className="grid-row grid-head" role="row" aria-rowindex={1}>
        {ticks && (
          <div role="columnheader" className="mid">
            <button
              type="button"
              role="checkbox"
              aria-checked={allTicked}
              aria-label="Tick all rows"
              onClick={() => onTick(allTicked ? new Set() : new Set(records.map(({ id }) => id)))}
            >
              <CheckMark on={allTicked} />
            </button>
          </div>
        )}
        {fields.map((field) => (
          <TableHead key={field.id} field={field} sorts={rows.sorts} columns={columns} />
        ))}
      </div>
      <div role="presentation" className="grid-body" style={{ blockSize: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          if (line.kind === 'group') {
            return (
              <GroupLine
                key={`group-${String(line.group.key)}`}
                line={line}
                start={start}
                rows={rows}
                totals={totals}
                onToggle={() => {
                  const next = new Set(closed);
                  const key = String(line.group.key);
                  if (!next.delete(key)) next.add(key);
                  setClosed(next);
                }}
              />
            );
          }
          const { row, record } = line;
          const isIn = row >= range.top && row <= range.bottom;
          return (
            <Row
              key={`${record.id}-${row}`}
              record={record}
              row={row}
              start={start}
              fields={fields}
              rows={rows}
              ticks={ticks}
              isTicked={ticked.has(record.id)}
              isOpen={open === `${list.id}/${record.id}`}
              first={isIn ? range.first : -1}
              last={isIn ? range.last : -1}
              cursorColumn={cursor?.row === row ? cursor.column : -1}
              editing={editing?.row === row ? editing : null}
              onStore={store}
              onDone={finish}
            />
          );
        })}
      </div>
      <Foot rows={rows} fields={fields} totals={totals} ticks={ticks} />
    </div>
  );
}

/** Types that begin to be edited with the letter that is typed. */
const takesText = (field: Field | undefined) =>
  field !== undefined && !['choice', 'choices', 'relation', 'rating', 'yesno', 'image', 'computed'].includes(field.type);

/** The lines of the table, and the records in the order in which the arrows pass them. */
function useLines(rows: Rows, closed: ReadonlySet<string>): { lines: readonly Line[]; records: readonly AppRecord[] } {
  const { records, group, list, computed, titleOf } = rows;
  return useMemo(() => {
    const field = list.fields.find(({ id }) => id === group);
    if (field === undefined) return { lines: records.map((record, row) => ({ kind: 'record', record, row })), records };
    const lines: Line[] = [];
    const shown: AppRecord[] = [];
    for (const entry of groupRecords(records, field.id, list, computed)) {
      if (entry.records.length === 0) continue;
      const isOpen = !closed.has(String(entry.key));
      const name = entry.key === null ? `No ${field.name.toLowerCase()}` : showValue(field, entry.key, { titleOf });
      lines.push({ kind: 'group', group: entry, name, isOpen });
      if (!isOpen) continue;
      for (const record of entry.records) lines.push({ kind: 'record', record, row: shown.push(record) - 1 });
    }
    return { lines, records: shown };
  }, [records, group, list, computed, titleOf, closed]);
}

interface GroupLineProps {
  readonly line: Extract<Line, { kind: 'group' }>;
  readonly start: number;
  readonly rows: Rows;
  readonly totals: Readonly<Record<string, Total>> | undefined;
  readonly onToggle: () => void;
}

function GroupLine({ line, start, rows, totals, onToggle }: GroupLineProps) {
  const field = rows.list.fields.find(({ id }) => id === rows.group);
  const shown = rows.fields.flatMap((column) => {
    const total = totals?.[column.id] ? shownTotal(column, totals[column.id], line.group.records, rows) : null;
    return total === null ? [] : [{ ...total, id: column.id }];
  });
  return (
    <div role="row" className="group-line" style={{ transform: `translateY(${start}px)` }}>
      <div role="gridcell" className="flex w-full items-center gap-2">
        <button type="button" tabIndex={-1} className="flex items-center gap-2" aria-expanded={line.isOpen} onClick={onToggle}>
          <Icon of={line.isOpen ? ChevronDown : ChevronRight} size={14} className="text-ink-3" />
          {field && line.group.key !== null ? (
            <FieldValue field={field} value={line.group.key} size="card" />
          ) : (
            <span className="text-ink-2">{line.name}</span>
          )}
          <span className="text-ink-3 tabular-nums">{line.group.records.length}</span>
        </button>
        <span className="flex-1" />
        {shown.map(({ id, label, text }) => (
          <span key={id} className="text-ink-2 tabular-nums">
            <small className="me-1 text-ink-3 text-xs">{label}</small>
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly record: AppRecord;
  readonly row: number;
  readonly start: number;
  readonly fields: readonly Field[];
  readonly rows: Rows;
  readonly ticks: boolean;
  readonly isTicked: boolean;
  readonly isOpen: boolean;
  /** Columns of the range in this row. */
  readonly first: number;
  readonly last: number;
  readonly cursorColumn: number;
  readonly editing: Editing | null;
  readonly onStore: (record: AppRecord, field: Field, value: Value, was: Value) => void;
  readonly onDone: (how: Done) => void;
}

const sameRow = (before: RowProps, after: RowProps) =>
  before.record === after.record &&
  before.row === after.row &&
  before.start === after.start &&
  before.fields === after.fields &&
  before.rows.computed === after.rows.computed &&
  before.isTicked === after.isTicked &&
  before.isOpen === after.isOpen &&
  before.first === after.first &&
  before.last === after.last &&
  before.cursorColumn === after.cursorColumn &&
  before.editing === after.editing &&
  after.editing === null;

const Row = memo(function Row(props: RowProps) {
  const { record, row, start, fields, rows, ticks, isTicked, isOpen, first, last, cursorColumn, editing, onStore, onDone } =
    props;
  const foreign = data.useForeign(rows.list.id, record.id);
  const title = titleIn(rows.list, record);
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={ticks ? isTicked : undefined}
      className="grid-row"
      data-on={isTicked || isOpen}
      data-editing={editing !== null || undefined}
      data-fresh={isFresh(record, foreign)}
      style={{ transform: `translateY(${start}px)` }}
    >
      {ticks && (
        <div role="gridcell" className="mid" data-cell={`${row}:-1`}>
          <span role="checkbox" aria-checked={isTicked} aria-label={`Tick ${title}`} tabIndex={-1}>
            <CheckMark on={isTicked} />
          </span>
        </div>
      )}
      {fields.map((field, column) => (
        <Cell
          key={field.id}
          id={`cell-${row}-${column}`}
          at={`${row}:${column}`}
          field={field}
          isTitle={column === 0}
          isCursor={column === cursorColumn}
          isEdited={editing?.column === column}
          isInRange={column >= first && column <= last && (first !== last || cursorColumn === -1)}
        >
          {editing?.column === column ? (
            <FieldEditor
              variant="cell"
              autoFocus
              field={field}
              value={record.values[field.id] ?? null}
              startText={editing.startText}
              onChange={(value) => onStore(record, field, value, editing.was)}
              onDone={onDone}
            />
          ) : (
            <CellValue field={field} record={record} rows={rows} isTitle={column === 0} title={title} />
          )}
        </Cell>
      ))}
    </div>
  );
}, sameRow);

/** New rows, and rows that someone else has changed, are tinted for a moment. */
function isFresh(record: AppRecord, foreignMs: number | null): boolean | undefined {
  const now = Date.now();
  return now - record.createdMs < 1500 || (foreignMs !== null && now - foreignMs < 1500) || undefined;
}

interface CellProps {
  readonly id: string;
  readonly at: string;
  readonly field: Field;
  readonly isTitle: boolean;
  readonly isCursor: boolean;
  readonly isEdited: boolean;
  readonly isInRange: boolean;
  readonly children: ReactNode;
}

function Cell({ id, at, field, isTitle, isCursor, isEdited, isInRange, children }: CellProps) {
  return (
    <div
      id={id}
      role={isTitle ? 'rowheader' : 'gridcell'}
      className={isNumeric(field) ? 'num' : undefined}
      data-cell={at}
      data-cursor={isCursor || undefined}
      data-editing={isEdited || undefined}
      data-range={isInRange || undefined}
      data-title={isTitle || undefined}
      data-type={field.type}
    >
      {children}
    </div>
  );
}

interface CellValueProps {
  readonly field: Field;
  readonly record: AppRecord;
  readonly rows: Rows;
  readonly isTitle: boolean;
  readonly title: string;
}

function CellValue({ field, record, rows, isTitle, title }: CellValueProps) {
  const value = valueIn(record, field, rows.computed);
  if (!isTitle) return <FieldValue field={field} value={value} record={record} />;
  return (
    <>
      <span className="ellipsis font-medium">
        {value === null ? <span className="text-ink-3">{title}</span> : showValue(field, value, rows)}
      </span>
      <button
        type="button"
        tabIndex={-1}
        className="open-row"
        aria-label={`Open ${title}`}
        title="Open (Ctrl Enter)"
        onClick={() => openRecord(rows.list.id, record.id)}
      >
        <Icon of={PanelRightOpen} size={14} />
      </button>
    </>
  );
}

interface FootProps {
  readonly rows: Rows;
  readonly fields: readonly Field[];
  readonly totals: Readonly<Record<string, Total>> | undefined;
  readonly ticks: boolean;
}

/** Totals of the filtered rows. The first one says how many there are of all. Scrolling does not count again. */
const Foot = memo(function Foot({ rows, fields, totals, ticks }: FootProps) {
  const { records, all, list } = rows;
  return (
    <div className="grid-row grid-foot" role="row">
      {ticks && <div role="gridcell" />}
      {fields.map((field, index) => {
        const total = shownTotal(field, totals?.[field.id], records, rows);
        return (
          <div key={field.id} role="gridcell" className={isNumeric(field) ? 'num' : ''}>
            {index === 0 && (
              <>
                <small>{list.name}</small>
                {records.length}
                {records.length !== all.length && <span className="font-normal text-ink-3">of {all.length}</span>}
              </>
            )}
            {index > 0 && total && (
              <>
                <small>{total.label}</small>
                <Counted text={total.text} bad={total.bad} />
              </>
            )}
          </div>
        );
      })}
    </div>
  );
});

/** A total that shows for a moment that it has changed. */
function Counted({ text, bad }: { text: string; bad: boolean }) {
  const before = useRef(text);
  const [isNew, setIsNew] = useState(false);
  useEffect(() => {
    setIsNew(before.current !== text);
    before.current = text;
  }, [text]);
  return (
    <span key={text} className={isNew ? 'counted' : ''} data-bad={bad}>
      {text}
    </span>
  );
}
