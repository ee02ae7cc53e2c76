import { format, parseISO } from 'date-fns';
import { Calendar, Check, Pencil, Trash2, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { Field, List, ViewOf } from '../../../model/document.ts';
import { isEmpty } from '../../../model/values.ts';
import data from '../../data/use-data.ts';
import { FieldEditor } from '../../fields/edit.tsx';
import { fieldIcon } from '../../fields/field-icon.ts';
import { FieldValue, isState } from '../../fields/show.tsx';
import { openRecord } from '../../shell/address.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { Lookups } from '../lookups.ts';
import { type CalendarEvent, timeRange } from './events.ts';
import type { EventLook } from './look.ts';

interface EventPopoverProps {
  readonly view: ViewOf<'calendar'>;
  readonly list: List;
  readonly lookups: Lookups;
  readonly look: EventLook;
  readonly event: CalendarEvent;
  /** The event's box, beside which it stands. */
  readonly anchor: HTMLElement;
  /** Where there is room: beside a box in a week, below one that is as wide as the grid. */
  readonly side: 'right' | 'bottom';
  readonly onClose: () => void;
}

type ChoiceField = Extract<Field, { type: 'choice' }>;

/** What there is to know about an event, beside it: its state with the next one, and moving it without dragging. */
export function EventPopover({ view, list, lookups, look, event, anchor, side, onClose }: EventPopoverProps) {
  const [moving, setMoving] = useState(false);
  const { record } = event;
  const title = look.titleOf(record);
  const state = list.fields.find((field): field is ChoiceField => field.type === 'choice' && isState(field));
  const at = state?.choices.findIndex(({ id }) => id === record.values[state.id]) ?? -1;
  const next = state?.choices[at + 1];
  const placing = [view.start, view.time, view.end, view.minutes].filter((id) => id !== undefined);
  const placed = list.fields.filter((field) => placing.includes(field.id));
  const used = new Set([...placing, view.title, view.text, state?.id]);
  const wanted = view.fields === undefined ? list.fields : list.fields.filter(({ id }) => view.fields?.includes(id));
  const rest = wanted.filter(
    ({ id, type }) => !used.has(id) && type !== 'image' && !isEmpty(lookups.valueOf(list.id, record, id)),
  );
  const note = rest.find(({ type }) => type === 'longtext');
  const day = format(parseISO(event.date), 'EEE d MMM');
  return (
    <Popover.Root open onOpenChange={(open) => open || onClose()}>
      <Popover.Anchor virtualRef={{ current: anchor }} />
      <Popover.Portal>
        <Popover.Content
          className="menu cal-popover"
          side={side}
          align="start"
          sideOffset={10}
          collisionPadding={12}
          aria-label={`${list.one} ${title}`}
          onCloseAutoFocus={(focus) => {
            focus.preventDefault();
            document.querySelector<HTMLElement>(`[data-event="${record.id}"]`)?.focus({ preventScroll: true });
          }}
        >
          <div className="flex items-center gap-2">
            <h2 className="min-w-0 truncate">{title}</h2>
            {state && at >= 0 && <Tag choice={state.choices[at] ?? { name: '', hue: 'grey' }} />}
            <span className="flex-1" />
            <IconButton size="small" label="Open" icon={Pencil} onClick={() => openRecord(list.id, record.id)} />
            <IconButton
              size="small"
              label="Delete"
              icon={Trash2}
              onClick={() => {
                onClose();
                data.change(`Deleted ${title}`, [{ op: 'delete', list: list.id, id: record.id }]);
              }}
            />
            <IconButton size="small" label="Close" icon={X} onClick={onClose} />
          </div>
          {look.textOf(record) !== '' && <p className="text-ink-2 text-sm">{look.textOf(record)}</p>}
          {moving ? (
            <div className="cal-move">
              {placed.map((field) => (
                <div key={field.id}>
                  <span className="text-ink-2 text-xs">{field.name}</span>
                  <FieldEditor
                    field={field}
                    value={record.values[field.id] ?? null}
                    variant="sheet"
                    onChange={(value) => data.set(list.id, record.id, { [field.id]: value })}
                  />
                </div>
              ))}
            </div>
          ) : (
            <dl>
              <dt>
                <Icon of={Calendar} />
                <span className="sr-only">When</span>
              </dt>
              <dd>
                {event.lastDate > event.date
                  ? `${day} – ${format(parseISO(event.lastDate), 'EEE d MMM')}`
                  : `${day}, ${timeRange(event)}`}
              </dd>
              {rest
                .filter((field) => field !== note)
                .slice(0, 5)
                .map((field) => [
                  <dt key={`${field.id}-name`}>
                    <Icon of={fieldIcon(field)} />
                    <span className="sr-only">{field.name}</span>
                  </dt>,
                  <dd key={field.id}>
                    <FieldValue field={field} value={lookups.valueOf(list.id, record, field.id)} record={record} size="sheet" />
                  </dd>,
                ])}
            </dl>
          )}
          {note && !moving && <p className="cal-note">{String(record.values[note.id])}</p>}
          <div className="flex gap-2">
            {state && next && !moving && (
              <Button
                kind="primary"
                icon={Check}
                className="flex-1"
                onClick={() => data.set(list.id, record.id, { [state.id]: next.id })}
              >
                {next.name}
              </Button>
            )}
            <Button className={state && next && !moving ? '' : 'flex-1'} onClick={() => setMoving(!moving)}>
              {moving ? 'Done' : 'Move…'}
            </Button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
