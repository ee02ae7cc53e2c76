import {
  DndContext,
  type DragEndEvent,
  DragOverlay,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { Calendar, CircleAlert, Ellipsis, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Field, List, ViewOf } from '../../model/document.ts';
import type { AppRecord } from '../../model/record.ts';
import { totalOf } from '../../model/rows.ts';
import { showValue } from '../../model/values.ts';
import data from '../data/use-data.ts';
import { openNew, openRecord } from '../shell/address.ts';
import { Tools, useViewMark } from '../shell/page-frame.tsx';
import { todayIso, useIsPhone } from '../shell/screen.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLine, MenuTitle } from '../ui/menu.tsx';
import { Avatar, Tag } from '../ui/tag.tsx';
import { announce } from '../ui/toast.tsx';
import './board.css';
import {
  type BoardColumn,
  type BoardStep,
  boardColumns,
  dropValues,
  dueOf,
  nextCard,
  nextColumn,
  placeInColumn,
  shareOf,
  valueOfColumn,
} from './board-columns.ts';
import { useFound } from './found.tsx';
import { type Lookups, useLookups } from './lookups.ts';

type BoardView = ViewOf<'board'>;

const steps: Readonly<Record<string, BoardStep>> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };

/** Records as cards in the columns of a choice, a yes/no field or a relation. Cards are dragged, or moved by keys or their menu. */
export function Board(view: BoardView) {
  const list = data.listOf(view.list);
  const field = list.fields.find((one) => one.id === view.columns);
  if (field === undefined)
    throw new Error(`The list ${list.name} has no field ${view.columns}. Choose another field for the columns.`);
  return <Columns view={view} list={list} field={field} />;
}

interface Held {
  readonly id: string;
  /** Column over which the card is. */
  readonly column: string;
  readonly height: number;
  readonly by: 'pointer' | 'keys';
}

function Columns({ view, list, field }: { view: BoardView; list: List; field: Field }) {
  const mark = useViewMark(view.id);
  const isPhone = useIsPhone();
  const lookups = useLookups();
  const { titleOf } = lookups;
  const { shown, search, nothing } = useFound(view, list, lookups);
  const related =
    field.type === 'relation' ? lookups.recordsOf(field.list).map(({ id }) => ({ id, name: titleOf(field.list, id) ?? '' })) : [];
  const columns = boardColumns(view, field, shown, related);
  const [held, setHeld] = useState<Held | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
  );
  const columnOf = (id: string) => columns.find((column) => column.records.some((record) => record.id === id));
  const recordOf = (id: string) => shown.find((record) => record.id === id);
  const drawn = columns.map((column) => ({ ...column, closed: column.closed && !opened.has(column.id) }));
  const tabbable =
    focused !== null && recordOf(focused)
      ? focused
      : drawn.find((column) => !column.closed && column.records.length > 0)?.records[0]?.id;

  const move = (id: string, columnId: string) => {
    const record = recordOf(id);
    const column = columns.find((one) => one.id === columnId);
    const values = record && dropValues(field, record, columnId);
    if (!record || !column || values === null || values === undefined) return;
    const title = titleOf(view.list, id) ?? list.one;
    const place = placeInColumn(column, shown, id) + 1;
    const count = column.records.length + 1;
    const limit = column.limit !== null && count > column.limit ? `, above its limit of ${column.limit}` : '';
    const name = `Moved ${title} to ${column.name}, ${place} of ${count}${limit}`;
    data.change(name, [{ op: 'put', list: view.list, id, values, was: { [field.id]: record.values[field.id] ?? null } }]);
    setFocused(id);
  };
  const focusCard = (id: string) => {
    setFocused(id);
    root.current?.querySelector<HTMLElement>(`[data-card="${id}"] .board-title`)?.focus();
  };
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    setHeld(null);
    if (over !== null) move(String(active.id), String(over.id).slice(columnPrefix.length));
  };

  const holdByKeys = (event: KeyboardEvent, id: string) => {
    const column = columnOf(id);
    if (column === undefined) return;
    event.preventDefault();
    const height = event.currentTarget.closest('.board-card')?.clientHeight ?? 84;
    setHeld({ id, column: column.id, height, by: 'keys' });
    announce(`Picked up ${titleOf(view.list, id) ?? list.one}. Arrows choose a column, Space drops, Escape cancels.`);
  };
  const onHeldKey = (event: KeyboardEvent, current: Held) => {
    const step = steps[event.key];
    if (event.key === ' ' || event.key === 'Enter') {
      setHeld(null);
      move(current.id, current.column);
      requestAnimationFrame(() => focusCard(current.id));
    } else if (event.key === 'Escape') {
      setHeld(null);
      announce('Not moved');
    } else if (step === 'left' || step === 'right') {
      const column = nextColumn(columns, current.column, rightToLeft(root.current) === (step === 'left') ? 'right' : 'left');
      setHeld({ ...current, column });
      announce(`Over ${columns.find((one) => one.id === column)?.name ?? ''}`);
    } else if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onCardKey = (event: KeyboardEvent, id: string) => {
    if (held?.by === 'keys') return onHeldKey(event, held);
    if (event.key === ' ') return holdByKeys(event, id);
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    focusCard(nextCard(drawn, id, mirrored(step, rightToLeft(root.current))));
  };

  if (nothing !== null) {
    return (
      <div className="board" {...mark}>
        <Tools>{search}</Tools>
        {nothing}
      </div>
    );
  }
  const visible = isPhone ? drawn.filter((column) => column.id === (chosen ?? drawn.find((one) => !one.closed)?.id)) : drawn;
  const carried = held?.by === 'pointer' ? recordOf(held.id) : undefined;
  const moveTargets = columns.map(({ id, name }) => ({ id, name }));
  const cardProps = { view, list, lookups, moveTargets, onMove: move, onKey: onCardKey, onFocus: setFocused };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      accessibility={{ announcements: silent, screenReaderInstructions: { draggable: '' } }}
      onDragStart={({ active }) => {
        const id = String(active.id);
        const height = root.current?.querySelector(`[data-card="${id}"]`)?.clientHeight ?? 84;
        setHeld({ id, column: columnOf(id)?.id ?? '', height, by: 'pointer' });
      }}
      onDragOver={({ over }) => over && setHeld((now) => now && { ...now, column: String(over.id).slice(columnPrefix.length) })}
      onDragEnd={onDragEnd}
      onDragCancel={() => setHeld(null)}
    >
      <Tools>{search}</Tools>
      {isPhone && <ColumnChips columns={drawn} chosen={visible[0]?.id ?? ''} onChoose={setChosen} />}
      <div ref={root} className="board" {...mark}>
        {visible.map((column) => (
          <Column
            key={column.id}
            {...cardProps}
            column={isPhone ? { ...column, closed: false } : column}
            field={field}
            held={held}
            order={shown}
            added={added}
            tabbable={tabbable}
            onAdded={setAdded}
            onOpen={() => setOpened((before) => new Set([...before, column.id]))}
            onClose={
              column.id !== '' && opened.has(column.id)
                ? () => setOpened((before) => new Set([...before].filter((id) => id !== column.id)))
                : undefined
            }
          />
        ))}
      </div>
      <DragOverlay className="board-lifted" dropAnimation={{ duration: 220, easing: 'cubic-bezier(.16, 1, .3, 1)' }}>
        {carried && <Card {...cardProps} record={carried} columnId={held?.column ?? ''} carried />}
      </DragOverlay>
    </DndContext>
  );
}

/** The board announces what happened itself, in its own words. */
const silent = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};
const columnPrefix = 'column:';

const rightToLeft = (element: Element | null) => element !== null && getComputedStyle(element).direction === 'rtl';

function mirrored(step: BoardStep, isRightToLeft: boolean): BoardStep {
  if (!isRightToLeft || step === 'up' || step === 'down') return step;
  return step === 'left' ? 'right' : 'left';
}

function ColumnChips({
  columns,
  chosen,
  onChoose,
}: {
  columns: readonly BoardColumn[];
  chosen: string;
  onChoose: (id: string) => void;
}) {
  return (
    <fieldset className="board-chips">
      <legend className="sr-only">Column</legend>
      {columns.map((column) => (
        <button key={column.id} type="button" aria-pressed={column.id === chosen} onClick={() => onChoose(column.id)}>
          <i className="dot" data-hue={column.hue} />
          {column.name}
          <small>{countText(column)}</small>
        </button>
      ))}
    </fieldset>
  );
}

const countText = ({ records, limit }: BoardColumn) => (limit === null ? String(records.length) : `${records.length} / ${limit}`);

interface CardActions {
  readonly view: BoardView;
  readonly list: List;
  readonly lookups: Lookups;
  readonly moveTargets: readonly { readonly id: string; readonly name: string }[];
  readonly onMove: (id: string, columnId: string) => void;
  readonly onKey: (event: KeyboardEvent, id: string) => void;
  readonly onFocus: (id: string) => void;
}

interface ColumnProps extends CardActions {
  readonly column: BoardColumn;
  readonly field: Field;
  readonly held: Held | null;
  readonly order: readonly AppRecord[];
  readonly added: string | null;
  readonly tabbable: string | undefined;
  readonly onAdded: (id: string) => void;
  readonly onOpen: () => void;
  readonly onClose: (() => void) | undefined;
}

function Column({ column, field, held, order, added, tabbable, onAdded, onOpen, onClose, ...card }: ColumnProps) {
  const { setNodeRef } = useDroppable({ id: columnPrefix + column.id });
  const [adding, setAdding] = useState(false);
  const { view, list } = card;
  const isOver = held !== null && held.column === column.id;
  const name = `board-${view.id}-${column.id}`;
  if (column.closed) {
    return (
      <section
        ref={setNodeRef}
        className="board-column"
        data-closed
        data-over={isOver}
        aria-label={`${column.name}, closed column`}
      >
        <button type="button" className="board-closed" onClick={onOpen}>
          <i className="dot" data-hue={column.hue} />
          <b>{column.name}</b>
          <span>{column.records.length}</span>
          <span className="sr-only">Open the column</span>
        </button>
      </section>
    );
  }
  const title = list.fields.find((one) => one.id === view.card.title);
  const isQuick = title?.type === 'text' && list.fields.every((one) => one.needed !== true || one === title || one === field);
  const startAdding = () => {
    if (isQuick) setAdding(true);
    else openNew(view.list, { [field.id]: valueOfColumn(field, column.id) });
  };
  const slotAt = isOver && !column.records.some((record) => record.id === held.id) ? placeInColumn(column, order, held.id) : -1;
  const slot = <li key="slot" className="board-slot" aria-hidden="true" style={{ blockSize: held?.height }} />;
  const above = column.limit !== null && column.records.length > column.limit;
  return (
    <section ref={setNodeRef} className="board-column" data-over={isOver} aria-labelledby={name}>
      <header>
        <i className="dot" data-hue={column.hue} />
        <h2 id={name}>{column.name}</h2>
        <span className="board-count tabular-nums" data-above={above}>
          {above && <Icon of={CircleAlert} size={14} />}
          {countText(column)}
          {column.limit !== null && <span className="sr-only">{above ? ', above the limit' : ' at most'}</span>}
        </span>
        <span className="ms-auto text-ink-3 text-xs tabular-nums">{sumText(card, column.records)}</span>
        {onClose && <IconButton size="small" label={`Close ${column.name}`} icon={Ellipsis} onClick={onClose} />}
        <IconButton size="small" label={`Add to ${column.name}`} icon={Plus} onClick={startAdding} />
      </header>
      <ul className="board-cards" aria-labelledby={name}>
        {slotAt === 0 && slot}
        {column.records.map((record, i) => [
          <li key={record.id}>
            {held?.id === record.id && held.by === 'pointer' ? (
              <div className="board-slot" data-from style={{ blockSize: held.height }} />
            ) : (
              <Card
                {...card}
                record={record}
                columnId={column.id}
                isNew={record.id === added}
                held={held?.id === record.id}
                tabbable={record.id === tabbable}
              />
            )}
          </li>,
          slotAt === i + 1 && slot,
        ])}
        {adding && title && (
          <li>
            <NewCard
              label={`Name of the new ${list.one}`}
              onAdd={(text) => {
                const id = data.add(view.list, { [title.id]: text, [field.id]: valueOfColumn(field, column.id) });
                onAdded(id);
              }}
              onDone={() => setAdding(false)}
            />
          </li>
        )}
        {!adding && (
          <li>
            <button type="button" className="board-add" onClick={startAdding}>
              <Icon of={Plus} />
              Add
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

/** “£544”, or nothing if the board adds up no field. */
function sumText({ view, list, lookups }: CardActions, records: readonly AppRecord[]): string {
  const field = list.fields.find((one) => one.id === view.sum);
  if (field === undefined) return '';
  return showValue(field, totalOf(records, field.id, 'sum', lookups.computedOf(list.id)) ?? 0);
}

function NewCard({ label, onAdd, onDone }: { label: string; onAdd: (text: string) => void; onDone: () => void }) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const add = () => {
    const trimmed = text.trim();
    if (trimmed !== '') onAdd(trimmed);
    setText('');
    return trimmed !== '';
  };
  return (
    <div className="board-new">
      <input
        ref={input}
        aria-label={label}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone();
          else if (event.key !== 'Enter') return;
          else if (!add()) onDone();
          event.preventDefault();
          event.stopPropagation();
        }}
        onBlur={() => {
          add();
          onDone();
        }}
      />
      <p>Enter adds it, Esc cancels</p>
    </div>
  );
}

interface CardProps extends CardActions {
  readonly record: AppRecord;
  readonly columnId: string;
  readonly carried?: boolean;
  readonly held?: boolean;
  readonly isNew?: boolean;
  readonly tabbable?: boolean;
}

function Card({ carried = false, ...card }: CardProps) {
  return carried ? (
    <div className="board-card">
      <CardBody {...card} />
    </div>
  ) : (
    <DraggableCard {...card} />
  );
}

function DraggableCard(card: CardProps) {
  const { setNodeRef, listeners } = useDraggable({ id: card.record.id });
  return (
    <div
      ref={setNodeRef}
      {...listeners}
      className="board-card"
      data-card={card.record.id}
      data-held={card.held}
      data-new={card.isNew}
    >
      <CardBody {...card} />
    </div>
  );
}

function CardBody({ view, list, record, columnId, lookups, moveTargets, tabbable = false, onMove, onKey, onFocus }: CardProps) {
  const parts = view.card;
  const fieldOf = (id: string | undefined) => list.fields.find((field) => field.id === id);
  const valueIn = (id: string) => lookups.valueOf(list.id, record, id);
  const shownText = (id: string | undefined) => {
    const field = fieldOf(id);
    return field === undefined ? '' : showValue(field, valueIn(field.id), { titleOf: lookups.titleOf });
  };
  const title = shownText(parts.title) || 'Untitled';
  const text = shownText(parts.text);
  const person = shownText(parts.person);
  const amount = shownText(parts.amount);
  const date = fieldOf(parts.date);
  const due = date === undefined ? null : dueOf(date, record, todayIso());
  const progress = fieldOf(parts.progress);
  const share = progress === undefined ? null : shareOf(progress, valueIn(progress.id));
  const tagIds = [record.values[parts.tags ?? ''] ?? []].flat();
  const tagField = fieldOf(parts.tags);
  const tags =
    tagField?.type === 'choices' || tagField?.type === 'choice' ? tagField.choices.filter(({ id }) => tagIds.includes(id)) : [];
  return (
    <>
      <h3>
        <button
          type="button"
          className="board-title"
          tabIndex={tabbable ? 0 : -1}
          onFocus={() => onFocus(record.id)}
          onClick={() => openRecord(view.list, record.id)}
          onKeyDown={(event) => onKey(event, record.id)}
          onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
        >
          {title}
        </button>
      </h3>
      {text !== '' && <p>{text}</p>}
      {tags.length > 0 && (
        <div className="board-tags">
          {tags.map((tag) => (
            <Tag key={tag.id} choice={tag} />
          ))}
        </div>
      )}
      {share !== null && (
        <span className="board-progress" role="img" aria-label={`${Math.round(share * 100)} % done`}>
          <span style={{ inlineSize: `${share * 100}%` }} />
        </span>
      )}
      {(person !== '' || due !== null || amount !== '') && (
        <footer>
          {person !== '' && (
            <>
              <Avatar name={person} size={20} />
              <span className="board-person min-w-0 truncate">{person}</span>
            </>
          )}
          {due && (
            <span className="board-due" data-late={due.late}>
              <Icon of={due.late ? CircleAlert : Calendar} size={14} />
              {due.text}
            </span>
          )}
          {amount !== '' && <span className="board-amount">{amount}</span>}
        </footer>
      )}
      <Menu
        align="end"
        trigger={
          <IconButton
            size="small"
            className="board-menu"
            label={`Actions for ${title}`}
            icon={Ellipsis}
            tabIndex={tabbable ? 0 : -1}
          />
        }
      >
        <MenuTitle>Move to…</MenuTitle>
        {moveTargets.map((target) => (
          <MenuItem key={target.id} on={target.id === columnId} onSelect={() => onMove(record.id, target.id)}>
            {target.name}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem onSelect={() => openRecord(view.list, record.id)}>Open</MenuItem>
        <MenuItem
          danger
          icon={Trash2}
          onSelect={() => {
            data.change(`Deleted ${title}`, [{ op: 'delete', list: view.list, id: record.id }]);
          }}
        >
          Delete
        </MenuItem>
      </Menu>
    </>
  );
}
