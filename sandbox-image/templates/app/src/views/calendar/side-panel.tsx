import { format, parseISO } from 'date-fns';
import { Check, ChevronLeft, ChevronRight, Ellipsis, GripVertical } from 'lucide-react';
import type { PointerEvent } from 'react';
import type { AppRecord } from '../../../model/record.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuTitle } from '../../ui/menu.tsx';
import { type CalendarEvent, monthDays, shifted } from './events.ts';
import type { EventLook } from './look.ts';

interface SidePanelProps {
  readonly anchor: string;
  readonly today: string;
  /** Days that are marked, because the grid beside it shows them. */
  readonly days: readonly string[];
  /** Days on which an undated record can be placed by its menu. */
  readonly week: readonly string[];
  readonly events: readonly CalendarEvent[];
  readonly look: EventLook;
  readonly hidden: ReadonlySet<string>;
  readonly onHidden: (hidden: ReadonlySet<string>) => void;
  readonly onAnchor: (date: string) => void;
  readonly waiting: readonly AppRecord[] | null;
  readonly onGrab: (event: PointerEvent, record: AppRecord) => void;
  readonly onPlace: (record: AppRecord, date: string) => void;
  readonly onOpen: (record: AppRecord) => void;
}

/** A small month, what the colours mean, and the records that have no date yet. */
export function SidePanel(props: SidePanelProps) {
  const { look, hidden, onHidden, waiting, events } = props;
  return (
    <aside className="cal-side" aria-label="Month and people">
      <SmallMonth {...props} />
      {look.groups.length > 0 && (
        <fieldset className="cal-groups">
          <legend>{look.groupsName}</legend>
          {look.groups.map((group) => {
            const count = events.filter((event) => look.colourOf(event.record) === group.id).length;
            const on = !hidden.has(group.id);
            return (
              <label key={group.id} data-hue={group.hue}>
                <input
                  type="checkbox"
                  className="sr-only"
                  checked={on}
                  onChange={() =>
                    onHidden(on ? new Set([...hidden, group.id]) : new Set([...hidden].filter((id) => id !== group.id)))
                  }
                />
                <span className="check" data-on={on}>
                  <Icon of={Check} size={12} strokeWidth={3} />
                </span>
                <span className="truncate">{group.name}</span>
                <small>{count === 0 ? '' : count}</small>
              </label>
            );
          })}
        </fieldset>
      )}
      {waiting !== null && <Waiting {...props} waiting={waiting} />}
    </aside>
  );
}

function SmallMonth({ anchor, today, days, onAnchor }: SidePanelProps) {
  return (
    <div className="cal-small">
      <div>
        <h2>{format(parseISO(anchor), 'MMMM yyyy')}</h2>
        <IconButton
          size="small"
          label="Previous month"
          icon={ChevronLeft}
          onClick={() => onAnchor(shifted('month', anchor, -1))}
        />
        <IconButton size="small" label="Next month" icon={ChevronRight} onClick={() => onAnchor(shifted('month', anchor, 1))} />
      </div>
      <div className="cal-small-days">
        {monthDays(anchor).map((date, i) => [
          i < 7 && <em key={`name-${date}`}>{format(parseISO(date), 'EEEEE')}</em>,
          <button
            key={date}
            type="button"
            data-shown={days.includes(date)}
            data-first={days[0] === date}
            data-last={days.at(-1) === date}
            data-outside={date.slice(0, 7) !== anchor.slice(0, 7)}
            aria-current={date === today ? 'date' : undefined}
            aria-label={format(parseISO(date), 'd MMMM')}
            onClick={() => onAnchor(date)}
          >
            {format(parseISO(date), 'd')}
          </button>,
        ])}
      </div>
    </div>
  );
}

function Waiting({ waiting, look, week, onGrab, onPlace, onOpen }: SidePanelProps & { waiting: readonly AppRecord[] }) {
  return (
    <section className="cal-waiting" aria-label="Waiting for a date">
      <h2>
        Waiting for a date <span>{waiting.length}</span>
      </h2>
      {waiting.length === 0 && <p>Everything has a date.</p>}
      <ul>
        {waiting.map((record) => (
          <li key={record.id}>
            <button type="button" onPointerDown={(event) => onGrab(event, record)} onClick={() => onOpen(record)}>
              <Icon of={GripVertical} size={14} />
              <span className="min-w-0">
                <b>{look.titleOf(record)}</b>
                {look.textOf(record) !== '' && <small>{look.textOf(record)}</small>}
              </span>
            </button>
            <Menu align="end" trigger={<IconButton size="small" icon={Ellipsis} label={`Move ${look.titleOf(record)} to…`} />}>
              <MenuTitle>Move to…</MenuTitle>
              {week.map((date) => (
                <MenuItem key={date} onSelect={() => onPlace(record, date)}>
                  {format(parseISO(date), 'EEEE d MMMM')}
                </MenuItem>
              ))}
            </Menu>
          </li>
        ))}
      </ul>
    </section>
  );
}
