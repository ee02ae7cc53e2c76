import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { addDays, showDate } from '../../model/values.ts';
import { todayIso } from '../shell/screen.ts';
import { IconButton } from '../ui/button.tsx';

const weekDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const moves: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

function mondayOf(iso: string): string {
  return addDays(iso, -((new Date(`${iso}T00:00:00Z`).getUTCDay() + 6) % 7));
}

function monthAfter(iso: string, months: number): string {
  const [year = 0, month = 1] = iso.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

interface MonthProps {
  readonly value: string | null;
  readonly onChoose: (iso: string) => void;
}

/** One month of days. The arrows move by day and week. */
export function Month({ value, onChoose }: MonthProps) {
  const [cursor, setCursor] = useState(value ?? todayIso());
  const first = `${cursor.slice(0, 7)}-01`;
  const start = mondayOf(first);
  const grid = useRef<HTMLTableElement>(null);
  const moved = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the day of the cursor gets the focus after each move.
  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [cursor]);
  function move(event: KeyboardEvent) {
    const by = moves[event.key];
    if (by === undefined) return;
    event.preventDefault();
    moved.current = true;
    setCursor(addDays(cursor, by));
  }
  return (
    <div className="month">
      <div className="flex items-center gap-1 ps-2">
        <span className="flex-1 font-medium" aria-live="polite">
          {months[Number(first.slice(5, 7)) - 1]} {first.slice(0, 4)}
        </span>
        <IconButton label="Month before" icon={ChevronLeft} size="small" onClick={() => setCursor(monthAfter(first, -1))} />
        <IconButton label="Month after" icon={ChevronRight} size="small" onClick={() => setCursor(monthAfter(first, 1))} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of days that the arrows move through is a grid. */}
      <table role="grid" ref={grid} onKeyDown={move} aria-label="Days">
        <thead>
          <tr>
            {weekDays.map((day) => (
              <th key={day} scope="col">
                {day.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[0, 7, 14, 21, 28, 35].map((week) => (
            <tr key={week}>
              {weekDays.map((name, day) => {
                const iso = addDays(start, week + day);
                return (
                  <td key={name}>
                    <button
                      type="button"
                      aria-pressed={iso === value}
                      tabIndex={iso === cursor ? 0 : -1}
                      data-other={iso.slice(0, 7) !== first.slice(0, 7)}
                      data-today={iso === todayIso()}
                      aria-label={showDate(iso)}
                      onClick={() => onChoose(iso)}
                    >
                      {Number(iso.slice(8))}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
