import { format, parseISO } from 'date-fns';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import type { ViewOf } from '../../model/document.ts';
import type { AppRecord, Values } from '../../model/record.ts';
import { totalOf } from '../../model/rows.ts';
import { showValue } from '../../model/values.ts';
import data from '../data/use-data.ts';
import { openNew, openRecord } from '../shell/address.ts';
import { isField } from '../shell/keys.tsx';
import { Tools, useViewMark } from '../shell/page-frame.tsx';
import { todayIso, useIsNarrow, useIsPhone } from '../shell/screen.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { announce } from '../ui/toast.tsx';
import './calendar/calendar.css';
import { Agenda } from './calendar/agenda.tsx';
import { type Drag, type DragKind, followPointer } from './calendar/drag.ts';
import { EventPopover } from './calendar/event-popover.tsx';
import {
  type CalendarEvent,
  type CalendarMode,
  daysOf,
  eventOf,
  isResizable,
  isWithin,
  periodTitle,
  placedValues,
  shifted,
  timeOf,
  timeRange,
} from './calendar/events.ts';
import { eventLook } from './calendar/look.ts';
import { MonthGrid } from './calendar/month-grid.tsx';
import { SidePanel } from './calendar/side-panel.tsx';
import { TimeGrid } from './calendar/time-grid.tsx';
import { useFound } from './found.tsx';
import { useLookups } from './lookups.ts';

const modes: readonly (readonly [CalendarMode, string])[] = [
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
];
const keyModes: Readonly<Record<string, CalendarMode>> = { d: 'day', w: 'week', m: 'month' };
const defaultHours: readonly [number, number] = [9, 18];

/** Records with a date by day, week or month. They are moved and resized by dragging, and added on empty time. */
export function Calendar(view: ViewOf<'calendar'>) {
  const list = data.listOf(view.list);
  const mark = useViewMark(view.id);
  const isPhone = useIsPhone();
  const isNarrow = useIsNarrow();
  const lookups = useLookups();
  const { shown, search, nothing } = useFound(view, list, lookups);
  const look = eventLook(view, list, lookups);
  const today = todayIso();
  const [mode, setMode] = useState<CalendarMode>(view.mode ?? 'week');
  const [anchor, setAnchor] = useState(today);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [drag, setDrag] = useState<Drag | null>(null);
  const [selected, setSelected] = useState<{ readonly id: string; readonly element: HTMLElement } | null>(null);
  const root = useRef<HTMLDivElement>(null);

  const all = shown.flatMap((record) => eventOf(view, list, record) ?? []);
  const events = all.filter((event) => !hidden.has(look.colourOf(event.record)));
  const closed = view.closed ?? [];
  const hours = view.hours ?? defaultHours;
  const days = daysOf(mode, anchor, closed, (date) => events.some((event) => event.date <= date && event.lastDate >= date));
  const inPeriod = (event: CalendarEvent) => isWithin(event, mode, anchor, days);
  const waiting = view.waiting === true ? shown.filter((record) => eventOf(view, list, record) === null) : null;
  const timed = view.time !== undefined;
  const title = periodTitle(mode, anchor, days);

  const go = (to: string) => {
    setSelected(null);
    setAnchor(to);
  };
  const shift = (by: number) => {
    const to = shifted(mode, anchor, by);
    go(to);
    announce(
      periodTitle(
        mode,
        to,
        daysOf(mode, to, closed, () => false),
      ),
    );
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isBusy = isField(event.target) || document.querySelector('[role="dialog"], [role="menu"]') !== null;
      if (isBusy || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const key = event.key.toLowerCase();
      const chosen = keyModes[key];
      if (key === 't') {
        setAnchor(todayIso());
        announce('Today');
      } else if (chosen === undefined) return;
      else {
        setMode(chosen);
        announce(chosen);
      }
      setSelected(null);
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  const put = (record: AppRecord, values: Values, where: string) => {
    const was = Object.fromEntries(Object.keys(values).map((id) => [id, record.values[id] ?? null]));
    const name = `Moved ${look.titleOf(record)} to ${where}`;
    data.change(name, [{ op: 'put', list: list.id, id: record.id, values, was }]);
  };
  const drop = (dropped: Drag) => {
    const { date, start, end, kind } = dropped;
    const sized = kind === 'start' || kind === 'end' || kind === 'draw';
    const record = shown.find(({ id }) => id === dropped.recordId);
    const event = record ? eventOf(view, list, record) : null;
    const place = { date, start, ...(sized ? { length: end - (start ?? 0) } : {}) };
    const values = placedValues(view, list, event, place);
    if (record === undefined) openNew(list.id, values);
    else put(record, values, `${format(parseISO(date), 'EEEE d MMMM')}, ${timeRange(dropped)}`);
  };
  const grab = (down: PointerEvent, kind: DragKind, event: CalendarEvent | null, record = event?.record) => {
    if (root.current === null) return;
    const minutes = view.minutes === undefined ? null : record?.values[view.minutes];
    followPointer(down, {
      kind,
      recordId: record?.id ?? null,
      title: record ? look.titleOf(record) : `New ${list.one}`,
      event,
      length: typeof minutes === 'number' && minutes > 0 ? minutes : 60,
      root: root.current,
      onDrag: (next) => {
        if (next !== null) setSelected(null);
        setDrag(next);
      },
      onDrop: drop,
    });
  };
  const add = (date: string, start: number | null) => openNew(list.id, placedValues(view, list, null, { date, start }));
  const showDay = (date: string) => {
    setMode('day');
    go(date);
  };
  const actions = {
    look,
    one: list.one,
    today,
    selected: selected?.id ?? null,
    drag,
    resizable: isResizable(view, list),
    onGrab: grab,
    onSelect: (id: string, element: HTMLElement) => setSelected({ id, element }),
    onAdd: add,
    onShowDay: showDay,
  };
  const chosen = events.find((event) => event.record.id === selected?.id);
  const money = list.fields.find((field) => field.type === 'money');
  const records = events.filter(inPeriod).map((event) => event.record);
  const sum = money ? totalOf(records, money.id, 'sum', lookups.computedOf(list.id)) : null;
  const counted = `${records.length} ${(records.length === 1 ? list.one : list.name).toLowerCase()}`;

  return (
    <div ref={root} className="calendar" data-mode-shown={mode} data-dragging={drag !== null} {...mark}>
      <Tools>
        <div className="cal-head">
          <h2 aria-live="polite">{isPhone ? format(parseISO(anchor), 'MMMM yyyy') : title}</h2>
          <IconButton
            label={`Previous ${isPhone ? 'week' : mode}`}
            icon={ChevronLeft}
            onClick={() => (isPhone ? go(shifted('week', anchor, -1)) : shift(-1))}
          />
          <IconButton
            label={`Next ${isPhone ? 'week' : mode}`}
            icon={ChevronRight}
            onClick={() => (isPhone ? go(shifted('week', anchor, 1)) : shift(1))}
          />
          <Button onClick={() => go(today)}>Today</Button>
          {!isNarrow && (
            <span className="ms-2 text-ink-3 text-xs">
              {counted}
              {money && typeof sum === 'number' && `, ${showValue(money, sum)}`}
            </span>
          )}
        </div>
        {!isPhone && search}
        {!isPhone && (
          <fieldset className="segments">
            <legend className="sr-only">Period</legend>
            {modes.map(([id, name]) => (
              <button key={id} type="button" aria-pressed={id === mode} onClick={() => setMode(id)}>
                {name}
              </button>
            ))}
          </fieldset>
        )}
      </Tools>
      {!isPhone && !isNarrow && nothing === null && (
        <SidePanel
          anchor={anchor}
          today={today}
          days={mode === 'month' ? [] : days}
          week={daysOf('week', anchor, closed, () => false)}
          events={all.filter(inPeriod)}
          look={look}
          hidden={hidden}
          onHidden={setHidden}
          onAnchor={go}
          waiting={waiting}
          onGrab={(down, record) => grab(down, 'place', null, record)}
          onPlace={(record, date) => {
            const start = timed ? hours[0] * 60 : null;
            put(
              record,
              placedValues(view, list, null, { date, start }),
              `${format(parseISO(date), 'EEEE d MMMM')}${start === null ? '' : `, ${timeOf(start)}`}`,
            );
          }}
          onOpen={(record) => openRecord(list.id, record.id)}
        />
      )}
      {nothing}
      {nothing === null && isPhone && (
        <Agenda
          anchor={anchor}
          today={today}
          events={events}
          look={look}
          one={list.one}
          closed={closed}
          onAnchor={go}
          onOpen={(id) => openRecord(list.id, id)}
          onAdd={(date) => add(date, timed ? hours[0] * 60 : null)}
        />
      )}
      {nothing === null && !isPhone && mode === 'month' && (
        <MonthGrid {...actions} anchor={anchor} events={events} closed={closed} onAnchor={go} />
      )}
      {nothing === null && !isPhone && mode !== 'month' && (
        <TimeGrid
          {...actions}
          key={`${mode} ${days[0]}`}
          days={days}
          events={events.filter(inPeriod)}
          hours={hours}
          closed={closed}
          timed={timed}
        />
      )}
      {chosen && selected?.element.isConnected && (
        <EventPopover
          view={view}
          list={list}
          lookups={lookups}
          look={look}
          event={chosen}
          anchor={selected.element}
          side={mode === 'day' ? 'bottom' : 'right'}
          onClose={() => setSelected(null)}
        />
      )}
    </div>
  );
}
