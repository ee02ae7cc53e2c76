import { format, parseISO } from 'date-fns';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { addDaysTo, type CalendarEvent, monthDays } from './events.ts';
import { EventChip, type GridActions } from './time-grid.tsx';

interface MonthGridProps extends GridActions {
  readonly anchor: string;
  readonly events: readonly CalendarEvent[];
  readonly closed: readonly number[];
  readonly onAnchor: (date: string) => void;
}

/** Heights of the weekdays, of what a day has apart from its entries, and of an entry with the gap before it, as in the style sheet. */
const weekdaysPx = 36;
const dayPx = 35;
const entryPx = 26;
/** Shown in the lowest day. */
const fewestEntries = 3;

/** How many entries fit into each day of a grid with this many weeks. */
function useFitting(grid: RefObject<HTMLElement | null>, weeks: number): number {
  const [fitting, setFitting] = useState(fewestEntries);
  useLayoutEffect(() => {
    if (grid.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const heightPx = ((entry?.contentRect.height ?? 0) - weekdaysPx) / weeks;
      setFitting(Math.max(fewestEntries, Math.floor((heightPx - dayPx) / entryPx)));
    });
    observer.observe(grid.current);
    return () => observer.disconnect();
  }, [grid, weeks]);
  return fitting;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** Whole weeks of a month. The arrows move from day to day. */
export function MonthGrid({ anchor, events, closed, onAnchor, ...actions }: MonthGridProps) {
  const days = monthDays(anchor);
  const { drag, today } = actions;
  const [moved, setMoved] = useState(0);
  const grid = useRef<HTMLDivElement>(null);
  const fitting = useFitting(grid, days.length / 7);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the day gets the focus after each move by keys only.
  useEffect(() => {
    if (moved > 0) grid.current?.querySelector<HTMLElement>(`[data-day="${anchor}"] .cal-date`)?.focus();
  }, [moved]);
  const onKey = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const isSideways = Math.abs(step) === 1;
    const isMirrored = isSideways && getComputedStyle(event.currentTarget).direction === 'rtl';
    onAnchor(addDaysTo(anchor, isMirrored ? -step : step));
    setMoved((count) => count + 1);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the buttons inside.
    <div ref={grid} className="cal-month" onKeyDown={onKey} style={{ ['--weeks' as string]: days.length / 7 }}>
      {days.slice(0, 7).map((date) => (
        <h3 key={date}>{format(parseISO(date), 'EEE')}</h3>
      ))}
      {days.map((date) => {
        const onDay = events
          .filter((event) => event.date <= date && event.lastDate >= date)
          .toSorted((a, b) => (a.start ?? -1) - (b.start ?? -1));
        const shown = onDay.length > fitting ? onDay.slice(0, fitting - 1) : onDay;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the button of the date adds and opens by keys.
          <div
            key={date}
            className="cal-cell"
            data-day={date}
            data-outside={date.slice(0, 7) !== anchor.slice(0, 7)}
            data-today={date === today}
            data-closed={closed.includes(parseISO(date).getDay())}
            data-over={drag?.date === date}
            onDoubleClick={(event) => event.target === event.currentTarget && actions.onAdd(date, null)}
          >
            <button
              type="button"
              className="cal-date"
              tabIndex={date === anchor ? 0 : -1}
              aria-label={`${format(parseISO(date), 'EEEE d MMMM')}, ${onDay.length === 0 ? 'free' : onDay.length}`}
              onClick={() => actions.onShowDay(date)}
            >
              {format(parseISO(date), 'd')}
            </button>
            {shown.map((event) => (
              <EventChip key={event.record.id} {...actions} event={event} />
            ))}
            {onDay.length > shown.length && (
              <button type="button" className="cal-rest" onClick={() => actions.onShowDay(date)}>
                +{onDay.length - shown.length} more
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
}
