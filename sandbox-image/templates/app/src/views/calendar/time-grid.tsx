import { format, parseISO } from 'date-fns';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Drag, DragKind } from './drag.ts';
import { type CalendarEvent, layoutDay, type PlacedEvent, shownHours, timeOf, timeRange } from './events.ts';
import type { EventLook } from './look.ts';

export interface GridActions {
  readonly look: EventLook;
  /** Name of one record. */
  readonly one: string;
  readonly today: string;
  readonly selected: string | null;
  readonly drag: Drag | null;
  readonly resizable: boolean;
  readonly onGrab: (event: PointerEvent, kind: DragKind, on: CalendarEvent | null) => void;
  readonly onSelect: (id: string, element: HTMLElement) => void;
  readonly onAdd: (date: string, start: number | null) => void;
  readonly onShowDay: (date: string) => void;
}

interface TimeGridProps extends GridActions {
  readonly days: readonly string[];
  readonly events: readonly CalendarEvent[];
  readonly hours: readonly [number, number];
  /** Days of the week on which nothing takes place. */
  readonly closed: readonly number[];
  /** Whether the list has times. Without them every event is for the whole day. */
  readonly timed: boolean;
}

const keyMinutes = 30;

/** Days beside each other with their hours. The arrows move through the slots and their events. */
export function TimeGrid({ days, events, hours, closed, ...actions }: TimeGridProps) {
  const [first, last] = shownHours(hours, events);
  const { today, drag, one } = actions;
  const span = { from: first * 60, to: last * 60 };
  const [cursor, setCursor] = useState({ date: days.includes(today) ? today : (days[0] ?? today), minutes: hours[0] * 60 });
  const [moved, setMoved] = useState(0);
  const grid = useRef<HTMLDivElement>(null);
  const now = useMinutesNow();
  const onDay = (date: string) => events.filter((event) => event.date <= date && event.lastDate >= date);
  const timedOn = (date: string) => onDay(date).filter((event) => event.start !== null);
  const wholeDay = events.filter((event) => event.start === null);
  const at = {
    date: days.includes(cursor.date) ? cursor.date : (days[0] ?? today),
    minutes: Math.max(span.from, Math.min(cursor.minutes, span.to - keyMinutes)),
  };
  const eventAt = (date: string, minutes: number) =>
    timedOn(date).find((event) => (event.start ?? 0) <= minutes && event.end > minutes);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the place of the cursor gets the focus after each move by keys only.
  useEffect(() => {
    if (moved === 0) return;
    const event = eventAt(at.date, at.minutes);
    const selector = event ? `[data-event="${event.record.id}"]` : '.cal-cursor';
    grid.current?.querySelector<HTMLElement>(selector)?.focus();
  }, [moved]);

  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const current = eventAt(at.date, at.minutes);
    const column = days.indexOf(at.date);
    const sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (sideways !== undefined) {
      const direction = getComputedStyle(event.currentTarget).direction === 'rtl' ? -sideways : sideways;
      setCursor({ ...at, date: days[column + direction] ?? at.date });
    } else if (event.key === 'ArrowDown') setCursor({ ...at, minutes: current ? current.end : at.minutes + keyMinutes });
    else if (event.key === 'ArrowUp') setCursor({ ...at, minutes: (current?.start ?? at.minutes) - keyMinutes });
    else return;
    event.preventDefault();
    setMoved((count) => count + 1);
  };

  return (
    <div ref={grid} className="cal-grid" style={{ ['--days' as string]: days.length, ['--hours' as string]: last - first }}>
      <div className="cal-heads">
        <span />
        {days.map((date) => {
          const count = onDay(date).length;
          return (
            <h3 key={date} data-today={date === today}>
              <button type="button" onClick={() => actions.onShowDay(date)}>
                {format(parseISO(date), 'EEE')} <b>{format(parseISO(date), 'd')}</b>
                <span className="sr-only">
                  , {count} {count === 1 ? one : `${one}s`}
                </span>
              </button>
              <span aria-hidden="true">{count === 0 ? '' : count}</span>
            </h3>
          );
        })}
      </div>
      {(wholeDay.length > 0 || !actions.timed) && (
        <div className="cal-whole">
          <span>All day</span>
          {days.map((date) => (
            <div key={date} data-day={date}>
              {wholeDay
                .filter((event) => event.date <= date && event.lastDate >= date)
                .map((event) => (
                  <EventChip key={event.record.id} {...actions} event={event} />
                ))}
              {drag !== null && drag.start === null && drag.date === date && (
                <div className="cal-chip cal-ghost">{drag.title}</div>
              )}
              {!actions.timed && (
                <button
                  type="button"
                  className="cal-add"
                  onClick={() => actions.onAdd(date, null)}
                  aria-label={`Add on ${format(parseISO(date), 'EEEE d MMMM')}`}
                />
              )}
            </div>
          ))}
        </div>
      )}
      {actions.timed && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the buttons inside.
        <div className="cal-scroll" onKeyDown={onKey}>
          <div className="cal-body">
            <div className="cal-hours" aria-hidden="true">
              {Array.from({ length: last - first }, (_, i) => first + i).map((hour) => (
                <span key={hour} style={{ insetBlockStart: `${((hour - first) / (last - first)) * 100}%` }}>
                  {hour}:00
                </span>
              ))}
            </div>
            {days.map((date) => (
              <Day
                key={date}
                {...actions}
                date={date}
                span={span}
                hours={hours}
                isClosed={closed.includes(parseISO(date).getDay())}
                events={timedOn(date)}
                now={date === today ? now : null}
                cursor={at.date === date && eventAt(date, at.minutes) === undefined ? at.minutes : null}
                onFocusEvent={(event) => setCursor({ date, minutes: event.start ?? 0 })}
              />
            ))}
          </div>
        </div>
      )}
      {drag !== null && drag.kind === 'place' && (
        <div className="cal-carried" style={{ insetInlineStart: drag.x + 12, insetBlockStart: drag.y + 8 }} aria-hidden="true">
          {drag.title}
        </div>
      )}
      <span className="sr-only" role="status">
        {drag === null ? '' : `${format(parseISO(drag.date), 'EEEE d MMMM')}, ${timeRange(drag)}`}
      </span>
    </div>
  );
}

function minutesNow(): number {
  const now = new Date();
  return now.getHours() * 60 + now.getMinutes();
}

function useMinutesNow(): number {
  const [now, setNow] = useState(minutesNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(minutesNow()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface DayProps extends GridActions {
  readonly date: string;
  readonly span: { readonly from: number; readonly to: number };
  readonly hours: readonly [number, number];
  readonly isClosed: boolean;
  readonly events: readonly CalendarEvent[];
  readonly now: number | null;
  readonly cursor: number | null;
  readonly onFocusEvent: (event: CalendarEvent) => void;
}

function Day({ date, span, hours, isClosed, events, now, cursor, onFocusEvent, ...actions }: DayProps) {
  const { drag, look, onGrab, onAdd, today } = actions;
  const total = span.to - span.from;
  const box = (start: number, end: number) => ({
    insetBlockStart: `${((start - span.from) / total) * 100}%`,
    blockSize: `calc(${((end - start) / total) * 100}% - 3px)`,
  });
  const { placed, more } = layoutDay(events);
  const ghost = drag !== null && drag.start !== null && drag.date === date ? { start: drag.start, end: drag.end } : null;
  const closedHours = isClosed
    ? [[span.from, span.to] as const]
    : ([
        [span.from, hours[0] * 60],
        [hours[1] * 60, span.to],
      ] as const);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys use the cursor inside.
    <div
      className="cal-day"
      data-day={date}
      data-from={span.from}
      data-to={span.to}
      data-today={date === today}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && event.pointerType !== 'touch') onGrab(event, 'draw', null);
      }}
      onDoubleClick={(event) => {
        if (event.target !== event.currentTarget) return;
        const area = event.currentTarget.getBoundingClientRect();
        onAdd(date, Math.floor((span.from + ((event.clientY - area.top) / area.height) * total) / keyMinutes) * keyMinutes);
      }}
    >
      {closedHours
        .filter(([from, to]) => to > from)
        .map(([from, to]) => (
          <div key={from} className="cal-closed" style={{ ...box(from, to), blockSize: `${((to - from) / total) * 100}%` }}>
            {isClosed && <span>Closed</span>}
          </div>
        ))}
      {placed.map((one) => (
        <EventBox
          key={one.event.record.id}
          {...actions}
          {...one}
          style={box(one.event.start ?? 0, one.event.end)}
          onFocus={() => onFocusEvent(one.event)}
        />
      ))}
      {more.map(({ start, events: hidden }) => (
        <button
          key={start}
          type="button"
          className="cal-more"
          style={{ insetBlockStart: `${((start - span.from) / total) * 100}%` }}
          aria-label={`${hidden.length} more: ${hidden.map((event) => look.titleOf(event.record)).join(', ')}`}
          onClick={() => actions.onShowDay(date)}
        >
          +{hidden.length}
        </button>
      ))}
      {cursor !== null && (
        <button
          type="button"
          className="cal-cursor"
          style={box(cursor, cursor + keyMinutes)}
          aria-label={`${format(parseISO(date), 'EEEE d MMMM')}, ${timeOf(cursor)}, free. Enter adds.`}
          onClick={() => onAdd(date, cursor)}
        />
      )}
      {ghost && (
        <div className="cal-ghost" style={box(ghost.start, ghost.end)} aria-hidden="true">
          <b>{drag?.title}</b>
          <span>{timeRange(ghost)}</span>
        </div>
      )}
      {now !== null && now >= span.from && now <= span.to && (
        <div className="cal-now" style={{ insetBlockStart: `${((now - span.from) / total) * 100}%` }} aria-hidden="true" />
      )}
    </div>
  );
}

interface EventBoxProps extends GridActions, PlacedEvent {
  readonly style: { readonly insetBlockStart: string; readonly blockSize: string };
  readonly onFocus: () => void;
}

function EventBox({
  event,
  column,
  columns,
  crowded,
  look,
  selected,
  drag,
  resizable,
  style,
  onGrab,
  onSelect,
  onFocus,
}: EventBoxProps) {
  const { record } = event;
  const text = look.textOf(record);
  const rest = crowded ? ' - 30px' : '';
  const size = `(100%${rest}) / ${columns}`;
  return (
    <button
      type="button"
      className="cal-event"
      data-event={record.id}
      data-hue={look.hueOf(record)}
      data-selected={selected === record.id}
      data-dragged={drag?.recordId === record.id}
      style={{ ...style, insetInlineStart: `calc(${column} * ${size} + 3px)`, inlineSize: `calc(${size} - 7px)` }}
      onPointerDown={(down) => onGrab(down, 'move', event)}
      onClick={(click) => onSelect(record.id, click.currentTarget)}
      onFocus={onFocus}
    >
      <span className="cal-event-text">
        <b>{look.titleOf(record)}</b>
        {text !== '' && <span className="cal-event-what">{text}</span>}
        <span className="cal-event-time" aria-hidden="true">
          {timeRange(event)}
        </span>
        <span className="sr-only">, {timeRange(event)}</span>
      </span>
      {resizable && (
        <>
          <i
            className="cal-edge"
            data-edge="start"
            onPointerDown={(down) => grabEdge(down, () => onGrab(down, 'start', event))}
          />
          <i className="cal-edge" data-edge="end" onPointerDown={(down) => grabEdge(down, () => onGrab(down, 'end', event))} />
        </>
      )}
    </button>
  );
}

function grabEdge(down: PointerEvent, grab: () => void): void {
  down.stopPropagation();
  grab();
}

/** An event in one line, in months and for the whole day. */
export function EventChip({ event, look, selected, drag, onGrab, onSelect }: GridActions & { event: CalendarEvent }) {
  const { record } = event;
  return (
    <button
      type="button"
      className="cal-chip"
      data-event={record.id}
      data-hue={look.hueOf(record)}
      data-selected={selected === record.id}
      data-dragged={drag?.recordId === record.id}
      onPointerDown={(down) => onGrab(down, 'move', event)}
      onClick={(click) => onSelect(record.id, click.currentTarget)}
    >
      {event.start !== null && <span className="cal-chip-time">{timeRange(event).split(' ')[0]}</span>}
      <span className="truncate">{look.titleOf(record)}</span>
    </button>
  );
}
