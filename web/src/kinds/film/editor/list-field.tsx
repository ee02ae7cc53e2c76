import { ChevronDown, ClipboardPaste, GripVertical, Plus, X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { cx, IconButton } from '../../../ui/elements.tsx';
import { toast } from '../../../ui/toasts.tsx';
import {
  type Binding,
  ChoiceInput,
  ColorInput,
  IconInput,
  NumberInput,
  SelectInput,
  SwitchInput,
  TextInput,
} from './field-inputs.tsx';
import { blankOf, type Field, isValid, type ListKind, pastedRows, rowOf } from './field-schema.ts';

interface ListFieldProps {
  field: ListKind;
  rows: readonly unknown[];
  /** Whether the format sorts the rows by value, so that their order here does not matter. */
  sorted: boolean;
  palette: readonly string[];
  /** Binds a field within the list. The path starts at the row. */
  bind: (path: readonly (string | number)[]) => Binding;
  /** Replaces the rows. `moved` maps each old index to the new one, or to `null` if the row was removed. */
  onRows: (rows: readonly unknown[], moved: (index: number) => number | null) => void;
  announce: (text: string) => void;
}

/** A row without its required texts, which is therefore not part of the film yet. */
interface Blank {
  readonly at: number;
  readonly value: unknown;
}

/** Edits a list of strings or objects as rows that can be added, removed, dragged and pasted. */
export function ListField({ field, rows, sorted, palette, bind, onRows, announce }: ListFieldProps) {
  const { item, label, min, max } = field;
  const [blank, setBlank] = useState<Blank | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const focusRow = useRef<number | null>(null);
  const shown = blank === null ? rows : rows.toSpliced(blank.at, 0, blank.value);
  const canAdd = rows.length < max && blank === null;

  useEffect(() => {
    if (focusRow.current === null) return;
    const row = root.current?.querySelectorAll('[data-row]')[focusRow.current];
    const input = row?.querySelector<HTMLElement>('input, textarea') ?? row?.querySelector('button');
    focusRow.current = null;
    input?.focus();
  });

  const nameOf = (index: number) => textOf(shown[index]) || `${item.label} ${index + 1}`;
  const add = (at: number) => {
    if (!canAdd) return;
    const [like] = rows;
    // A table's row has as many cells as the others.
    setBlank({ at, value: Array.isArray(like) ? like.map(() => '') : blankOf(item) });
    focusRow.current = at;
  };
  const remove = (index: number) => {
    focusRow.current = Math.max(0, index - 1);
    if (blank?.at === index) {
      setBlank(null);
      return;
    }
    if (rows.length <= min) {
      toast(`This format needs at least ${min} ${min === 1 ? 'row' : 'rows'}.`);
      return;
    }
    onRows(rows.toSpliced(index, 1), (old) => (old === index ? null : old - (old > index ? 1 : 0)));
    announce(`${nameOf(index)} is removed`);
  };
  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= rows.length || blank !== null) return;
    const moved = rows.toSpliced(from, 1).toSpliced(to, 0, rows[from]);
    onRows(moved, (old) => movedIndex(old, from, to));
    announce(`${nameOf(from)} is now ${to + 1} of ${rows.length}`);
    focusRow.current = to;
  };
  const paste = (text: string, at: number): boolean => {
    const pasted = pastedRows(text);
    if (pasted.length < 2 && !(pasted[0] && pasted[0].length > 1)) return false;
    const made = pasted.map((cells) => rowOf(item, cells)).filter((row) => isValid(item, row));
    const replaces = blank?.at === at ? 0 : Number(textOf(rows[at]) === '');
    const next = rows.toSpliced(at, replaces, ...made);
    if (next.length > max) toast(`At most ${max} rows fit. ${next.length - max} were left out.`);
    setBlank(null);
    onRows(next.slice(0, max), (old) => old + (old >= at ? made.length - replaces : 0));
    announce(`${made.length} rows pasted`);
    return true;
  };
  const pasteAll = async () => {
    try {
      const text = await navigator.clipboard.readText();
      const made = pastedRows(text)
        .map((cells) => rowOf(item, cells))
        .filter((row) => isValid(item, row));
      if (made.length < Math.max(1, min)) toast('The clipboard has no rows for this list. Copy a table or lines of text first.');
      else onRows(made.slice(0, max), (old) => (old < made.length ? old : null));
    } catch {
      toast('Your browser does not let this page read the clipboard. Click a row and paste there instead.');
    }
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const direction = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.altKey && direction !== undefined) move(index, index + direction);
    else if (event.key === 'Enter' && !event.shiftKey) add(index + 1);
    else if (event.key === 'Backspace' && isEmptyInput(event.target)) remove(index);
    else return;
    event.preventDefault();
  };
  const bindRow = (index: number, path: readonly (string | number)[]): Binding => {
    if (blank === null || index < blank.at) return bind([index, ...path]);
    if (index > blank.at) return bind([index - 1, ...path]);
    const [name] = path;
    const change = (value: unknown) => {
      const next = name === undefined ? value : withPart(blank.value, name, value);
      if (!isValid(item, next)) {
        setBlank({ at: blank.at, value: next });
        return;
      }
      setBlank(null);
      onRows(rows.toSpliced(blank.at, 0, next), (old) => old + (old >= blank.at ? 1 : 0));
    };
    const value = name === undefined ? blank.value : Reflect.get(Object(blank.value), name);
    const setDraft = (text: string | null) => text !== null && change(text);
    return { key: '', value, draft: null, setDraft, commit: change };
  };

  const { drag, handlers } = useRowDrag(root, move);
  return (
    <fieldset aria-label={label} className="min-w-0">
      <div className="mb-1 flex items-center gap-2 text-[13px]">
        <span className="font-medium">{label}</span>
        <span className="text-ink-3 tabular-nums">{`${rows.length} of ${max}`}</span>
        {sorted && <span className="text-ink-3 text-xs">Sorted by value</span>}
        <span className="flex-1" />
        {max > 3 && (
          <button
            type="button"
            onClick={() => void pasteAll()}
            className="flex items-center gap-1.5 rounded-md px-1 py-0.5 text-ink-2 hover:text-ink max-pane:min-h-11"
          >
            <ClipboardPaste className="size-4" />
            Paste table
          </button>
        )}
        <button
          type="button"
          disabled={!canAdd}
          title={rows.length < max ? undefined : `At most ${max} rows fit`}
          onClick={() => add(shown.length)}
          className="flex items-center gap-1 rounded-md px-1 py-0.5 font-medium text-accent-text disabled:text-ink-3 max-pane:min-h-11"
        >
          <Plus className="size-4" />
          Add
        </button>
      </div>
      <div ref={root} className="relative">
        {drag !== null && (
          <div
            aria-hidden="true"
            className="absolute inset-x-0 rounded-lg border-[1.5px] border-accent border-dashed bg-accent-soft"
            style={{ top: drag.slotTop, height: drag.height }}
          />
        )}
        {shown.map((_, index) => (
          <Row
            // Rows have no ids, and inputs need only the index to keep the focus.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={index}
            item={item}
            palette={palette}
            canDrag={!sorted && blank === null && rows.length > 1}
            name={`${nameOf(index)}, ${index + 1} of ${shown.length}`}
            shift={drag?.shiftOf(index) ?? 0}
            lifted={drag?.from === index}
            grip={handlers(index)}
            onMoveBy={(by) => move(index, index + by)}
            bind={(path) => bindRow(index, path)}
            onRemove={() => remove(index)}
            onKeyDown={(event) => onKeyDown(event, index)}
            onPaste={(text) => paste(text, index)}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Returns a row with another value in one of its fields or cells. */
function withPart(row: unknown, name: string | number, value: unknown): unknown {
  return Array.isArray(row) ? row.with(Number(name), value) : { ...Object(row), [name]: value };
}

/** Returns a row's index after another row was moved. */
function movedIndex(old: number, from: number, to: number): number {
  if (old === from) return to;
  const without = old - (old > from ? 1 : 0);
  return without + (without >= to ? 1 : 0);
}

function textOf(row: unknown): string {
  if (typeof row === 'string') return row;
  if (Array.isArray(row)) return textOf(row.find((cell) => cell !== ''));
  if (typeof row !== 'object' || row === null) return '';
  return Object.values(row).find((value): value is string => typeof value === 'string' && !value.startsWith('lucide:')) ?? '';
}

const isEmptyInput = (target: EventTarget) => target instanceof HTMLInputElement && target.value === '';

interface RowProps {
  item: Field;
  palette: readonly string[];
  canDrag: boolean;
  name: string;
  /** Distance that a drag moves the row, in pixels. */
  shift: number;
  lifted: boolean;
  grip: ReturnType<ReturnType<typeof useRowDrag>['handlers']>;
  onMoveBy: (rows: number) => void;
  bind: (path: readonly (string | number)[]) => Binding;
  onRemove: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onPaste: (text: string) => boolean;
}

/** Splits a row's fields into those on its line, and others that are shown below on request. */
function splitFields(item: Field): { line: readonly Field[]; more: readonly Field[] } {
  if (item.kind !== 'group') return { line: [item], more: [] };
  const { fields } = item;
  const main = fields.find(({ kind, optional }) => kind === 'text' && !optional) ?? fields.find(({ kind }) => kind === 'text');
  const fits = (field: Field) =>
    ['icon', 'number', 'switch', 'choice'].includes(field.kind) || (field.kind === 'text' && field.max <= 20 && !field.optional);
  const beside = fields.filter((field) => field !== main && fits(field));
  const line = fields.filter((field) => field === main || beside.slice(0, 2).includes(field));
  return {
    line: line.toSorted((one, other) => Number(other.kind === 'icon') - Number(one.kind === 'icon')),
    more: fields.filter((field) => !line.includes(field)),
  };
}

function Row({ item, palette, canDrag, name, shift, lifted, grip, onMoveBy, bind, onRemove, onKeyDown, onPaste }: RowProps) {
  const [open, setOpen] = useState(false);
  const [picked, setPicked] = useState(false);
  const { line, more } = splitFields(item);
  // A row of a table has an input for each cell.
  const cellField = item.kind === 'list' ? item.item : item;
  const value = bind([]).value;
  const cells: readonly unknown[] | null = item.kind === 'list' && Array.isArray(value) ? value : null;
  const cell = (field: Field) => (
    <Cell
      key={field.name}
      field={field}
      palette={palette}
      bind={bind(item.kind === 'group' ? [field.name] : [])}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    />
  );
  const onGripKey = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === ' ') setPicked(!picked);
    else if (event.key === 'Escape' && picked) setPicked(false);
    else if (by !== undefined && (picked || event.altKey)) onMoveBy(by);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      data-row=""
      className={cx(
        'relative rounded-lg',
        lifted ? 'z-10 bg-panel shadow-lift ring-1 ring-line-strong' : 'transition-transform duration-150',
      )}
      style={{ transform: shift === 0 ? undefined : `translateY(${shift}px)${lifted ? ' rotate(-1deg)' : ''}` }}
    >
      <div className="flex min-h-9 items-center gap-1.5 max-pane:min-h-12">
        {canDrag && (
          <button
            type="button"
            aria-label={`Move ${name}`}
            aria-pressed={picked}
            title="Drag to move, or press Alt with ↑ or ↓"
            {...grip}
            onKeyDown={onGripKey}
            onBlur={() => setPicked(false)}
            className={cx(
              '-ml-1 flex h-8 w-4 shrink-0 touch-none items-center justify-center rounded text-ink-3 hover:text-ink max-pane:h-11 max-pane:w-7',
              lifted ? 'cursor-grabbing' : 'cursor-grab',
              picked && 'bg-accent-soft text-accent-text',
            )}
          >
            <GripVertical className="size-4" />
          </button>
        )}
        {cells === null ? (
          line.map(cell)
        ) : (
          <div className="flex min-w-0 flex-1 flex-wrap gap-1">
            {cells.map((_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row never change their order.
              <div key={at} className="flex min-w-16 flex-1">
                <Cell field={cellField} palette={palette} bind={bind([at])} onKeyDown={onKeyDown} onPaste={onPaste} />
              </div>
            ))}
          </div>
        )}
        {more.length > 0 && (
          <IconButton label={`More fields of ${name}`} aria-expanded={open} onClick={() => setOpen(!open)} className="size-7">
            <ChevronDown className={cx('size-4 transition-transform', open && 'rotate-180')} />
          </IconButton>
        )}
        <IconButton icon={X} label={`Remove ${name}`} onClick={onRemove} className="size-7 text-ink-3 max-pane:size-11" />
      </div>
      {open && (
        <div className="mb-2 ml-4 grid grid-cols-2 gap-x-2 gap-y-1.5 border-line border-l pl-3">
          {more.map((field) => (
            <div
              key={field.name}
              className={cx(
                'min-w-0',
                (field.kind === 'list' || field.kind === 'group' || (field.kind === 'text' && field.max > 30)) && 'col-span-2',
              )}
            >
              <p aria-hidden="true" className="text-ink-3 text-xs">
                {field.label}
              </p>
              {cell(field)}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

interface CellProps {
  field: Field;
  palette: readonly string[];
  bind: Binding;
  onKeyDown: (event: KeyboardEvent) => void;
  onPaste: (text: string) => boolean;
}

function Cell({ field, palette, bind, onKeyDown, onPaste }: CellProps) {
  switch (field.kind) {
    case 'text':
      return <TextInput compact field={field} bind={bind} onKeyDown={onKeyDown} onPaste={onPaste} />;
    case 'number':
      return <NumberInput compact field={field} bind={bind} onKeyDown={onKeyDown} onPaste={onPaste} />;
    case 'switch':
      return <SwitchInput compact field={field} bind={bind} />;
    case 'choice':
      return <ChoiceInput compact field={field} bind={bind} />;
    case 'icon':
      return <IconInput field={field} bind={bind} />;
    case 'color':
      return <ColorInput compact field={field} bind={bind} palette={palette} />;
    case 'list':
      return <LinesInput field={field} bind={bind} />;
    case 'row':
    case 'group':
    case 'image':
      return (
        <SelectInput
          compact
          label={field.label}
          bind={bind}
          value=""
          options={[{ value: '', label: 'None' }]}
          onChange={() => bind.commit(null)}
        />
      );
  }
}

/** Edits a list within a row, with one string or number per line. */
function LinesInput({ field, bind }: { field: ListKind; bind: Binding }) {
  const lines = Array.isArray(bind.value) ? bind.value.map(String) : [];
  const text = bind.draft ?? lines.join('\n');
  const change = (next: string) => {
    const values = next === '' ? [] : next.split('\n').map((line) => rowOf(field.item, [line.trim()]));
    const isKept = isValid(field, values);
    bind.setDraft(isKept && values.join('\n') === next ? null : next);
    if (isKept) bind.commit(values);
  };
  return (
    <textarea
      aria-label={`${field.label}, one per line`}
      data-field={bind.key}
      rows={Math.min(8, Math.max(2, lines.length))}
      value={text}
      onChange={(event) => change(event.target.value)}
      onBlur={() => bind.setDraft(null)}
      className="w-full rounded-[7px] border border-line-strong bg-panel px-2 py-1 text-[13px] leading-5"
    />
  );
}

interface Drag {
  readonly from: number;
  readonly height: number;
  readonly slotTop: number;
  readonly shiftOf: (index: number) => number;
}

interface Press {
  readonly from: number;
  readonly startY: number;
  readonly tops: readonly number[];
  readonly heights: readonly number[];
  dy: number;
}

/** Drags rows by their handles, with mouse, pen or touch. Escape cancels. */
function useRowDrag(root: React.RefObject<HTMLElement | null>, move: (from: number, to: number) => void) {
  const press = useRef<Press | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const end = () => {
    press.current = null;
    setDrag(null);
  };
  const handlers = (from: number) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || root.current === null) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const rows = [...root.current.querySelectorAll<HTMLElement>(':scope > [data-row]')];
      press.current = {
        from,
        startY: event.clientY,
        tops: rows.map((row) => row.offsetTop),
        heights: rows.map((row) => row.offsetHeight),
        dy: 0,
      };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const now = press.current;
      if (now === null) return;
      now.dy = event.clientY - now.startY;
      if (drag !== null || isDragged(now)) setDrag(dragOf(now));
    },
    onPointerUp() {
      const now = press.current;
      // The button may be released before the last move is rendered.
      if (now !== null && (drag !== null || isDragged(now))) move(now.from, targetOf(now));
      end();
    },
    onPointerCancel: end,
  });
  return { drag, handlers };
}

const isDragged = ({ dy }: Press): boolean => Math.abs(dy) > 3;

function targetOf({ from, tops, heights, dy }: Press): number {
  const center = (tops[from] ?? 0) + (heights[from] ?? 0) / 2 + dy;
  const passed = tops.filter((top, index) => index !== from && center > top + (heights[index] ?? 0) / 2);
  return passed.length;
}

function dragOf(press: Press): Drag {
  const { from, tops, heights, dy } = press;
  const to = targetOf(press);
  const height = heights[from] ?? 0;
  const shiftOf = (index: number) => {
    if (index === from) return dy;
    if (index > from && index <= to) return -height;
    return index < from && index >= to ? height : 0;
  };
  const slotTop = to > from ? (tops[to] ?? 0) + (heights[to] ?? 0) - height : (tops[to] ?? 0);
  return { from, height, slotTop, shiftOf };
}
