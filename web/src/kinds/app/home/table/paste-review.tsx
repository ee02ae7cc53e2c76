import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, CircleAlert, Table2, TriangleAlert, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { formatCount } from '#contract/display.ts';
import {
  type ColumnType,
  type Doubt,
  doubtText,
  type RecognisedColumn,
} from '../../../../../../sandbox-image/templates/app/model/tables.ts';
import { Button, cx, IconButton, Waiting } from '../../../../ui/elements.tsx';
import { Menu, MenuItem } from '../../../../ui/menu.tsx';
import { fieldTypes } from '../catalogue.ts';
import type { ShownRow, TableDecisions, TypeFit } from './table-reader.ts';
import type { OpenTable, TableState } from './use-table.ts';

type Decide = (change: (old: TableDecisions) => TableDecisions) => void;

interface PasteReviewProps {
  readonly state: TableState;
  readonly decisions: TableDecisions;
  readonly name: string | null;
  readonly onDecide: Decide;
  readonly onShowAsText: () => void;
  readonly onRemove: () => void;
}

/** A pasted table as part of the request: the type of each column, and what is doubtful about it. */
export function PasteReview({ state, decisions, name, onDecide, onShowAsText, onRemove }: PasteReviewProps) {
  const { table, facts, version } = state;
  const [misfitsOf, setMisfitsOf] = useState<number | null>(null);
  const id = useId();
  const isRead = facts !== null && !('problem' in facts);
  const source = name === null ? 'Pasted table' : name;
  return (
    <section aria-labelledby={id} className="p-3 pb-0">
      <div className="overflow-hidden rounded-xl border border-line-strong bg-panel">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-line border-b bg-ground py-2 pr-2 pl-3">
          <span
            aria-hidden="true"
            className="grid size-8.5 shrink-0 place-items-center rounded-lg bg-accent-soft text-accent-text"
          >
            <Table2 className="size-4.5" />
          </span>
          <div className="min-w-40 flex-1">
            <h2 id={id} className="wrap-anywhere font-semibold leading-5">
              {isRead ? `${source}, ${formatCount(facts.rows, 'row')}, ${formatCount(facts.columns.length, 'column')}` : source}
            </h2>
            <p className="text-[13px] text-ink-2 leading-4.5">{describeHead(facts)}</p>
          </div>
          {isRead && (
            <label className="flex cursor-pointer items-center gap-2 text-[13px]">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={facts.headed}
                onChange={(event) => onDecide((old) => ({ ...old, headed: event.target.checked }))}
              />
              First row has the names
            </label>
          )}
          <Button variant="quiet" size="sm" onClick={onShowAsText}>
            Show as text
          </Button>
          <IconButton icon={X} label="Remove the table" onClick={onRemove} />
        </header>
        {facts === null && <Waiting className="p-4">Reading the table…</Waiting>}
        {facts !== null && 'problem' in facts && (
          <p role="alert" className="p-4 text-[13px] text-bad">
            {facts.problem}
          </p>
        )}
        {isRead && table !== null && (
          <Cells
            table={table}
            version={version}
            columns={facts.columns}
            misfits={facts.misfits}
            misfitsOf={misfitsOf}
            rows={facts.rows}
            decisions={decisions}
            onDecide={onDecide}
            onShowAll={() => setMisfitsOf(null)}
          />
        )}
      </div>
      {isRead && table !== null && (
        <Doubts
          table={table}
          columns={facts.columns}
          misfits={facts.misfits}
          totals={facts.totals}
          decisions={decisions}
          misfitsOf={misfitsOf}
          onDecide={onDecide}
          onShow={setMisfitsOf}
        />
      )}
    </section>
  );
}

function describeHead(facts: TableState['facts']): string {
  if (facts === null) return 'Its rows become the first records of the app.';
  if ('problem' in facts) return 'It cannot be read like this.';
  return facts.headed ? 'The first row has the names.' : 'No row has names, so the columns are numbered. You can rename them.';
}

const rowPx = 36;
const minColumnPx = 148;
const closedRows = 5;
const openRows = 12;
/** Rows that are asked for at once. */
const pageRows = 60;

interface CellsProps {
  readonly table: OpenTable;
  readonly version: number;
  readonly columns: readonly RecognisedColumn[];
  readonly misfits: Readonly<Record<number, number>>;
  readonly misfitsOf: number | null;
  readonly rows: number;
  readonly decisions: TableDecisions;
  readonly onDecide: Decide;
  readonly onShowAll: () => void;
}

function Cells({ table, version, columns, misfits, misfitsOf, rows, decisions, onDecide, onShowAll }: CellsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const scroller = useRef<HTMLElement>(null);
  const total = misfitsOf === null ? rows : (misfits[misfitsOf] ?? 0);
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 6,
  });
  const items = virtual.getVirtualItems();
  const rowAt = useRows(table, { version, misfitsOf, from: items[0]?.index ?? 0 });
  const grid = {
    gridTemplateColumns: `repeat(${columns.length}, minmax(${minColumnPx}px, 1fr))`,
    minWidth: columns.length * minColumnPx,
  };
  const shownRows = Math.min(total, isOpen ? openRows : closedRows);
  const moreRows = total - shownRows;
  return (
    <>
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
        tabIndex={0}
        aria-label="Rows of the table"
        className="overflow-auto outline-offset-[-2px]"
        style={{ maxHeight: `calc(${shownRows * rowPx}px + 7.05rem)` }}
      >
        {/* Only the rows in sight exist, each at its own place. */}
        <table
          aria-label="The rows, with the type of each column"
          aria-rowcount={total + 1}
          className="block"
          style={{ minWidth: grid.minWidth }}
        >
          <thead className="sticky top-0 z-2 block border-line border-b bg-panel">
            <tr aria-rowindex={1} className="grid" style={grid}>
              {columns.map((column, at) => (
                <ColumnHead
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                  key={at}
                  at={at}
                  column={column}
                  table={table}
                  misfits={misfits[at] ?? 0}
                  decision={decisions.columns[at]}
                  rows={rows}
                  onDecide={onDecide}
                />
              ))}
            </tr>
          </thead>
          <tbody className="relative block" style={{ height: total * rowPx }}>
            {items.map(({ index, start }) => (
              <tr
                key={index}
                aria-rowindex={index + 2}
                className="absolute inset-x-0 grid border-line border-b"
                style={{ ...grid, height: rowPx, transform: `translateY(${start}px)` }}
              >
                {columns.map((column, at) => (
                  <Cell
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                    key={at}
                    column={column}
                    row={rowAt(index)}
                    at={at}
                    decision={decisions.columns[at]}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <footer className="flex min-h-8.5 flex-wrap items-center justify-between gap-x-4 border-line border-t px-3 text-[13px] text-ink-2">
        {misfitsOf !== null && (
          <button
            type="button"
            onClick={onShowAll}
            className="rounded font-medium text-accent-text underline-offset-2 hover:underline"
          >
            {`Show all ${formatCount(rows, 'row')}`}
          </button>
        )}
        {misfitsOf === null && (moreRows > 0 || isOpen) && (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            className="rounded underline-offset-2 hover:text-ink hover:underline"
          >
            {isOpen ? 'Show fewer rows' : formatCount(moreRows, 'more row')}
          </button>
        )}
        <span className="ml-auto py-1.5 text-ink-3">The rows stay on this computer.</span>
      </footer>
    </>
  );
}

/** Asks for rows as they come into sight. A row that is on its way is `null`. */
function useRows(table: OpenTable, { version, misfitsOf, from }: { version: number; misfitsOf: number | null; from: number }) {
  const [shown, setShown] = useState<{ from: number; misfitsOf: number | null; rows: readonly ShownRow[] }>({
    from: 0,
    misfitsOf: null,
    rows: [],
  });
  const start = Math.max(0, Math.floor(from / (pageRows / 3)) * (pageRows / 3) - pageRows / 3);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a decision changes which cells fit
  useEffect(() => {
    let isCurrent = true;
    table.rows({ from: start, to: start + 2 * pageRows, misfitsOf }).then(
      ({ rows }) => isCurrent && setShown({ from: start, misfitsOf, rows }),
      // The table was closed, or its reading has failed, which is shown above.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [table, start, misfitsOf, version]);
  return (index: number): ShownRow | null => (shown.misfitsOf === misfitsOf ? (shown.rows[index - shown.from] ?? null) : null);
}

const isNumeric = (type: string) => type === 'number' || type === 'money';

interface CellProps {
  readonly column: RecognisedColumn;
  readonly row: ShownRow | null;
  readonly at: number;
  readonly decision: TableDecisions['columns'][number] | undefined;
}

function Cell({ column, row, at, decision }: CellProps) {
  const text = row?.cells[at] ?? '';
  const replaced = decision?.replace?.[text] ?? text;
  const isMisfit = row?.misfits.includes(at) ?? false;
  return (
    <td
      title={text}
      className={cx(
        'flex min-w-0 items-center gap-1.5 border-line border-l px-3 text-[13px] first:border-l-0',
        isNumeric(column.type) && !isMisfit && 'justify-end tabular-nums',
        isMisfit && 'bg-warn-soft font-medium text-warn',
        decision?.skip === true && 'line-through opacity-50',
      )}
    >
      {isMisfit && <CircleAlert aria-label="Does not fit" className="size-3.5 shrink-0" />}
      {row !== null && <span className="truncate">{replaced === '' ? <span className="text-ink-3">empty</span> : replaced}</span>}
    </td>
  );
}

interface ColumnHeadProps {
  readonly at: number;
  readonly column: RecognisedColumn;
  readonly table: OpenTable;
  readonly misfits: number;
  readonly decision: TableDecisions['columns'][number] | undefined;
  readonly rows: number;
  readonly onDecide: Decide;
}

function ColumnHead({ at, column, table, misfits, decision, rows, onDecide }: ColumnHeadProps) {
  const name = decision?.name ?? column.name;
  const [typed, setTyped] = useState<string | null>(null);
  const isSkipped = decision?.skip === true;
  const share = column.of === 0 ? 0 : (100 * (column.of - misfits)) / Math.max(rows, 1);
  const { icon: Icon, name: typeName } = fieldTypes[column.type];
  const knownText = column.currency === undefined ? typeName : `${typeName}, ${column.currency}`;
  const typeText = isSkipped ? 'Left out' : knownText;
  const setColumn = (part: TableDecisions['columns'][number]) =>
    onDecide((old) => ({ ...old, columns: { ...old.columns, [at]: { ...old.columns[at], ...part } } }));
  const rename = () => {
    const next = (typed ?? name).trim().slice(0, 60);
    if (next !== '' && next !== name) setColumn({ name: next });
    setTyped(null);
  };
  return (
    <th scope="col" className="min-w-0 border-line text-left font-normal border-l px-3 pt-2 pb-2.5 first:border-l-0">
      <input
        aria-label={`Name of column ${at + 1}`}
        value={typed ?? name}
        maxLength={60}
        disabled={isSkipped}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={rename}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            rename();
          } else if (event.key === 'Escape') setTyped(null);
        }}
        className="-mx-1.5 h-7 w-[calc(100%+0.75rem)] rounded-md border border-transparent bg-transparent px-1.5 font-semibold hover:border-line-strong disabled:text-ink-3 disabled:line-through"
      />
      <Menu
        align="start"
        className="w-60"
        trigger={
          <button
            type="button"
            aria-label={`Type of ${name}: ${typeText}`}
            className={cx(
              'mt-1 mb-1.5 inline-flex h-7 max-w-full items-center gap-1.5 rounded-md px-2 font-medium text-[13px]',
              misfits > 0 ? 'bg-warn-soft text-warn' : 'bg-sunken hover:bg-bubble',
            )}
          >
            <Icon aria-hidden="true" className="size-3.5 shrink-0" />
            <span className="truncate">{typeText}</span>
            <ChevronDown aria-hidden="true" className="size-3 shrink-0" />
          </button>
        }
      >
        <TypeItems
          at={at}
          column={column}
          table={table}
          onChoose={(type) => {
            onDecide((old) => ({ ...old, types: { ...old.types, [at]: type } }));
            setColumn({ skip: false });
          }}
        />
        <MenuItem onSelect={() => setColumn({ skip: !isSkipped })}>
          {isSkipped ? 'Take it in again' : 'Leave the column out'}
        </MenuItem>
      </Menu>
      <div aria-hidden="true" className="h-1 overflow-hidden rounded-full bg-line">
        <div className={cx('h-full rounded-full', misfits > 0 ? 'bg-warn' : 'bg-ok')} style={{ width: `${share}%` }} />
      </div>
      <p className="mt-1.5 truncate text-ink-2 text-xs leading-4.25">{describeColumn(column, misfits, rows)}</p>
    </th>
  );
}

function describeColumn({ type, of, values, monthFirst }: RecognisedColumn, misfits: number, rows: number): string {
  if (of === 0) return 'All empty';
  if (misfits > 0) return `${(of - misfits).toLocaleString('en')} of ${of.toLocaleString('en')} fit`;
  const empty = rows - of;
  const filled =
    empty === 0 ? `${of.toLocaleString('en')} filled` : `${of.toLocaleString('en')} filled, ${empty.toLocaleString('en')} empty`;
  if (type === 'choice') return `${formatCount(values?.length ?? 0, 'value')}, ${filled}`;
  if (type === 'date') return `${monthFirst === true ? 'Month first' : 'Day first'}, ${filled}`;
  return filled;
}

interface TypeItemsProps {
  readonly at: number;
  readonly column: RecognisedColumn;
  readonly table: OpenTable;
  readonly onChoose: (type: ColumnType) => void;
}

/** The types that a column can have, the best ones first, each with its reason. */
function TypeItems({ at, column, table, onChoose }: TypeItemsProps) {
  const [fits, setFits] = useState<readonly TypeFit[] | null>(null);
  useEffect(() => {
    let isShown = true;
    table.typesOf(at).then(
      (found) => isShown && setFits(found),
      // The table was closed.
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [table, at]);
  if (fits === null) return <Waiting className="px-2.5 py-2">Trying every type…</Waiting>;
  const possible = fits.filter(({ type, fits: count }) => count > 0 || type === column.type);
  const ranked = possible.sort((one, other) => rankOf(other, column) - rankOf(one, column));
  return ranked.map((fit) => {
    const { name, icon: Icon } = fieldTypes[fit.type];
    return (
      <MenuItem key={fit.type} icon={<Icon />} onSelect={() => onChoose(fit.type)}>
        <span className="min-w-0 flex-1">
          <span className={cx('block', fit.type === column.type && 'font-medium')}>{name}</span>
          <span className="block text-ink-2 text-xs leading-4">{reasonOf(fit, column)}</span>
        </span>
        {fit.type === column.type && <span className="text-ink-3 text-xs">now</span>}
      </MenuItem>
    );
  });
}

const keepsAll = (type: ColumnType) => type === 'text' || type === 'longtext' || type === 'choice';

function rankOf({ type, fits }: TypeFit, column: RecognisedColumn): number {
  if (type === column.type) return Number.MAX_SAFE_INTEGER;
  return keepsAll(type) && type !== 'text' ? 0.5 : fits;
}

function reasonOf({ type, fits, of, values }: TypeFit, column: RecognisedColumn): string {
  const best = type === column.type && fits === of ? ', best fit' : '';
  if (type === 'choice') return `${formatCount(values, 'value')}${best}`;
  if (type === 'text') return `keeps every value${best}`;
  if (type === 'longtext') return `keeps every value, over several lines${best}`;
  return fits === of
    ? `all ${of.toLocaleString('en')} fit${best}`
    : `${fits.toLocaleString('en')} of ${of.toLocaleString('en')} fit`;
}

interface DoubtsProps {
  readonly table: OpenTable;
  readonly columns: readonly RecognisedColumn[];
  readonly misfits: Readonly<Record<number, number>>;
  readonly totals: { readonly count: number; readonly text: string } | null;
  readonly decisions: TableDecisions;
  readonly misfitsOf: number | null;
  readonly onDecide: Decide;
  readonly onShow: (column: number | null) => void;
}

const doubtRow =
  'flex flex-wrap items-center gap-x-2 gap-y-1.5 rounded-[10px] bg-warn-soft py-1.5 pr-2 pl-3.5 text-[13px] leading-5';

interface TotalsDoubtProps {
  readonly totals: NonNullable<DoubtsProps['totals']>;
  readonly isKept: boolean;
  readonly onDecide: Decide;
}

/** Rows that sum up the others. It stays when it is answered, because rows are left out without it. */
function TotalsDoubt({ totals: { count, text }, isKept, onDecide }: TotalsDoubtProps) {
  const [label, keep] =
    count === 1 ? ['It is kept as a row', 'Keep it as a row'] : ['They are kept as rows', 'Keep them as rows'];
  return (
    <li className={doubtRow}>
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-warn" />
      <span className="wrap-anywhere min-w-56 flex-1">
        {isKept ? `${formatCount(count, 'row')} may be ${count === 1 ? 'a total' : 'totals'}. ${label}.` : text}
        {!isKept && <span className="text-ink-2"> The app adds up its columns itself.</span>}
      </span>
      <Button size="sm" onClick={() => onDecide((old) => ({ ...old, keepsTotals: !isKept }))}>
        {isKept ? `Leave ${count === 1 ? 'it' : 'them'} out` : keep}
      </Button>
    </li>
  );
}

/** Doubts that are shown before the others are asked for. */
const firstDoubts = 4;

function Doubts(props: DoubtsProps) {
  const [showsAll, setShowsAll] = useState(false);
  const open = props.columns.flatMap((column, at) =>
    column.doubts.flatMap((doubt) => (isSettled(doubt, at, props) ? [] : { column, at, doubt })),
  );
  const shown = showsAll ? open : open.slice(0, firstDoubts);
  if (open.length === 0 && props.totals === null) return null;
  return (
    <ul aria-label="What is doubtful" className="mt-2 flex flex-col gap-1.5">
      {props.totals !== null && (
        <TotalsDoubt totals={props.totals} isKept={props.decisions.keepsTotals} onDecide={props.onDecide} />
      )}
      {shown.map(({ column, at, doubt }) => (
        <li key={`${at} ${doubt.kind}`} className={doubtRow}>
          <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-warn" />
          <span className="wrap-anywhere min-w-56 flex-1">
            {doubtText({ ...column, name: props.decisions.columns[at]?.name ?? column.name }, doubt)}
            {doubt.kind === 'misfits' && (
              <span className="text-ink-2"> {doubt.count === 1 ? 'It is kept as a note' : 'They are kept as notes'}.</span>
            )}
          </span>
          <DoubtChoices {...props} column={column} at={at} doubt={doubt} />
        </li>
      ))}
      {open.length > shown.length && (
        <li>
          <Button variant="quiet" size="sm" onClick={() => setShowsAll(true)}>
            {`Show ${formatCount(open.length - shown.length, 'more doubt')}`}
          </Button>
        </li>
      )}
    </ul>
  );
}

function isSettled(doubt: Doubt, at: number, { misfits, decisions }: Pick<DoubtsProps, 'misfits' | 'decisions'>): boolean {
  const decision = decisions.columns[at];
  if (decision?.skip === true) return true;
  switch (doubt.kind) {
    case 'misfits':
      return (misfits[at] ?? 0) === 0;
    case 'date-order':
      return decision?.monthFirst !== undefined;
    case 'duplicate-header':
      return decision?.name !== undefined;
    case 'choice-or-text':
    case 'number-as-text':
      return decisions.types[at] !== undefined;
  }
}

interface DoubtChoicesProps extends DoubtsProps {
  readonly column: RecognisedColumn;
  readonly at: number;
  readonly doubt: Doubt;
}

function DoubtChoices({ table, column, at, doubt, misfitsOf, onDecide, onShow }: DoubtChoicesProps): ReactNode {
  const setColumn = (part: TableDecisions['columns'][number]) =>
    onDecide((old) => ({ ...old, columns: { ...old.columns, [at]: { ...old.columns[at], ...part } } }));
  const setType = (type: ColumnType) => onDecide((old) => ({ ...old, types: { ...old.types, [at]: type } }));
  const replaceWith = (texts: readonly string[], by: string) =>
    onDecide((old) => {
      const replace = { ...old.columns[at]?.replace, ...Object.fromEntries(texts.map((text) => [text, by])) };
      return { ...old, columns: { ...old.columns, [at]: { ...old.columns[at], replace } } };
    });
  switch (doubt.kind) {
    case 'misfits': {
      const word = doubt.cells.find(({ text }) => /^\p{L}/u.test(text))?.text;
      const zero = isNumeric(column.type) && word !== undefined ? word : null;
      return (
        <>
          <Button size="sm" onClick={() => void table.misfitTexts(at).then((texts) => replaceWith(texts, ''))}>
            Leave empty
          </Button>
          {zero !== null && (
            <Button size="sm" onClick={() => replaceWith([zero], '0')}>
              {`“${zero.slice(0, 20)}” becomes 0`}
            </Button>
          )}
          <Button size="sm" onClick={() => setType('text')}>
            Make it a text
          </Button>
          <Button variant="quiet" size="sm" aria-pressed={misfitsOf === at} onClick={() => onShow(misfitsOf === at ? null : at)}>
            {misfitsOf === at ? 'Show all' : 'Show them'}
          </Button>
        </>
      );
    }
    case 'date-order':
      return (
        <>
          <Button size="sm" onClick={() => setColumn({ monthFirst: false })}>
            Day first
          </Button>
          <Button size="sm" onClick={() => setColumn({ monthFirst: true })}>
            Month first
          </Button>
        </>
      );
    case 'choice-or-text':
      return (
        <>
          <Button size="sm" onClick={() => setType('choice')}>
            Choice
          </Button>
          <Button size="sm" onClick={() => setType('text')}>
            Text
          </Button>
        </>
      );
    case 'number-as-text':
      return (
        <>
          <Button size="sm" onClick={() => setType('text')}>
            Keep as text
          </Button>
          <Button size="sm" onClick={() => setType('number')}>
            Make it a number
          </Button>
        </>
      );
    case 'duplicate-header':
      return (
        <Button size="sm" onClick={() => setColumn({ name: column.name })}>
          That is fine
        </Button>
      );
  }
}
