import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { Field } from '../../model/document.ts';
import type { AppRecord } from '../../model/record.ts';
import type { Total } from '../../model/rows.ts';
import { valueOf } from '../fields/computed.ts';
import { FieldValue, Picture } from '../fields/show.tsx';
import { titleIn } from '../fields/titles.ts';
import { openRecord } from '../shell/address.ts';
import { Avatar, CheckMark } from '../ui/tag.tsx';
import { isNumeric } from './table-columns.ts';
import { shownTotal } from './totals.ts';
import type { Rows } from './use-rows.ts';

interface PhoneListProps {
  readonly rows: Rows;
  readonly totals: Readonly<Record<string, Total>> | undefined;
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (ticked: ReadonlySet<string>) => void;
}

const rowHeight = 64;

/** What a row shows on a phone: title, a second field, an amount and one choice. */
function partsOf(fields: readonly Field[]) {
  const rest = fields.slice(1);
  const image = fields.find(({ type }) => type === 'image');
  const amount = rest.find(isNumeric);
  const choices = rest.filter(({ type }) => type === 'choice');
  const choice = choices.at(-1);
  const used = [image, amount, choice];
  const second =
    rest.find(({ type }) => type === 'relation') ??
    rest.find((field) => !used.includes(field) && field.type !== 'choices') ??
    null;
  return { image, amount, choice, second };
}

/** A table on a phone. A long press ticks a row. */
export function PhoneList({ rows, totals, ticked, onTick }: PhoneListProps) {
  const { records, list, fields } = rows;
  const scroller = useRef<HTMLDivElement>(null);
  const press = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wasLong = useRef(false);
  const parts = partsOf(fields);
  const virtual = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  function tick(id: string) {
    const next = new Set(ticked);
    if (!next.delete(id)) next.add(id);
    onTick(next);
  }
  function hold(id: string) {
    wasLong.current = false;
    press.current = setTimeout(() => {
      wasLong.current = true;
      tick(id);
    }, 500);
  }
  const sums = fields.flatMap((field) => {
    const total = shownTotal(field, totals?.[field.id], records, rows);
    return total === null ? [] : [{ ...total, id: field.id }];
  });
  return (
    <>
      <div ref={scroller} className="phone-list">
        <ul aria-label={list.name} style={{ blockSize: virtual.getTotalSize() + 72 }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const record = records[index];
            if (record === undefined) return null;
            return (
              <li
                key={record.id}
                aria-setsize={records.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  className="phone-row"
                  data-on={ticked.has(record.id)}
                  onPointerDown={() => hold(record.id)}
                  onPointerUp={() => clearTimeout(press.current)}
                  onPointerLeave={() => clearTimeout(press.current)}
                  onPointerCancel={() => clearTimeout(press.current)}
                  onContextMenu={(event) => event.preventDefault()}
                  onClick={() => {
                    if (wasLong.current) return;
                    if (ticked.size > 0) tick(record.id);
                    else openRecord(list.id, record.id);
                  }}
                >
                  <PhoneRow record={record} rows={rows} parts={parts} isTicked={ticked.size > 0 ? ticked.has(record.id) : null} />
                </button>
              </li>
            );
          })}
        </ul>
      </div>
      <div className="phone-totals">
        <span>
          <span className="text-ink-3">{list.name}</span> <b>{records.length}</b>
        </span>
        {sums.slice(0, 2).map(({ id, label, text, bad }, index) => (
          <span key={id} className={index === sums.slice(0, 2).length - 1 ? 'ms-auto' : ''}>
            <span className="text-ink-3">{label}</span> <b className={bad ? 'text-bad' : ''}>{text}</b>
          </span>
        ))}
      </div>
    </>
  );
}

interface PhoneRowProps {
  readonly record: AppRecord;
  readonly rows: Rows;
  readonly parts: ReturnType<typeof partsOf>;
  readonly isTicked: boolean | null;
}

function PhoneRow({ record, rows, parts, isTicked }: PhoneRowProps) {
  const { list, computed } = rows;
  const title = titleIn(list, record);
  const show = (field: Field | null | undefined) =>
    field && <FieldValue field={field} value={valueOf(record, field, computed)} record={record} size="card" />;
  const picture = parts.image ? record.values[parts.image.id] : null;
  return (
    <>
      {isTicked !== null && <CheckMark on={isTicked} />}
      {isTicked === null && typeof picture === 'string' && picture !== '' && (
        <Picture id={picture} label="" className="phone-picture" />
      )}
      {isTicked === null && (typeof picture !== 'string' || picture === '') && <Avatar name={title} size={40} />}
      <span className="min-w-0 flex-1">
        <span className="ellipsis block font-medium">{title}</span>
        <span className="phone-second">{show(parts.second)}</span>
      </span>
      <span className="phone-end">
        {show(parts.amount)}
        {show(parts.choice)}
      </span>
    </>
  );
}
