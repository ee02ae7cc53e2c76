import { format, parseISO } from 'date-fns';
import { Plus } from 'lucide-react';
import { Icon } from '../../ui/icon.tsx';
import { type CalendarEvent, daysOf, timeRange } from './events.ts';
import type { EventLook } from './look.ts';

interface AgendaProps {
  readonly anchor: string;
  readonly today: string;
  readonly events: readonly CalendarEvent[];
  readonly look: EventLook;
  readonly one: string;
  readonly closed: readonly number[];
  readonly onAnchor: (date: string) => void;
  readonly onOpen: (id: string) => void;
  readonly onAdd: (date: string) => void;
}

/** For phones: a strip of the week, and below it the day as a list. */
export function Agenda({ anchor, today, events, look, one, closed, onAnchor, onOpen, onAdd }: AgendaProps) {
  const on = (date: string) => events.filter((event) => event.date <= date && event.lastDate >= date);
  const days = daysOf('week', anchor, [], () => true);
  const shown = on(anchor).toSorted((a, b) => (a.start ?? -1) - (b.start ?? -1));
  return (
    <div className="cal-agenda">
      <fieldset className="cal-strip">
        <legend className="sr-only">Day</legend>
        {days.map((date) => (
          <button
            key={date}
            type="button"
            aria-pressed={date === anchor}
            data-today={date === today}
            onClick={() => onAnchor(date)}
          >
            <span aria-hidden="true">{format(parseISO(date), 'EEEEE')}</span>
            <b>
              <span className="sr-only">{format(parseISO(date), 'EEEE')} </span>
              {format(parseISO(date), 'd')}
              <span className="sr-only">, {on(date).length}</span>
            </b>
            <i data-some={on(date).length > 0} />
          </button>
        ))}
      </fieldset>
      <h2>{format(parseISO(anchor), 'EEEE d MMMM')}</h2>
      {shown.length === 0 && (
        <p className="py-6 text-ink-2">
          {closed.includes(parseISO(anchor).getDay()) ? 'Closed on this day.' : `No ${one} on this day.`}
        </p>
      )}
      <ul>
        {shown.map((event) => (
          <li key={event.record.id}>
            <button type="button" data-hue={look.hueOf(event.record)} onClick={() => onOpen(event.record.id)}>
              <span className="cal-when">{timeRange(event).replace(' – ', '\n')}</span>
              <span className="cal-bar" />
              <span className="min-w-0 flex-1">
                <b>{look.titleOf(event.record)}</b>
                <span className="truncate">{look.textOf(event.record)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="cal-agenda-add" onClick={() => onAdd(anchor)}>
        <Icon of={Plus} />
        Add on this day
      </button>
    </div>
  );
}
