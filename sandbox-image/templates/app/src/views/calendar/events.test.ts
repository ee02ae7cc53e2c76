import { describe, expect, it } from 'vitest';
import type { List, ViewOf } from '../../../model/document.ts';
import type { AppRecord, Values } from '../../../model/record.ts';
import {
  type CalendarEvent,
  daysOf,
  drawnRange,
  eventOf,
  layoutDay,
  monthDays,
  movedStart,
  periodTitle,
  placedValues,
  resized,
  shifted,
  shownHours,
  timeRange,
} from './events.ts';

const list: List = {
  id: 'bookings',
  name: 'Bookings',
  one: 'booking',
  fields: [
    { id: 'dog', name: 'Dog', type: 'text' },
    { id: 'day', name: 'Day', type: 'date' },
    { id: 'until', name: 'Until', type: 'date' },
    { id: 'at', name: 'At', type: 'time' },
    { id: 'to', name: 'To', type: 'time' },
    { id: 'minutes', name: 'Minutes', type: 'number' },
  ],
};
const view: ViewOf<'calendar'> = {
  view: 'calendar',
  id: 'week',
  list: 'bookings',
  title: 'dog',
  start: 'day',
  time: 'at',
  minutes: 'minutes',
};
const record = (values: Values): AppRecord => ({ id: 'winnie01', values, createdMs: 0, changedMs: 0 });
const event = (start: number, end: number, id = 'winnie01'): CalendarEvent => ({
  record: { ...record({}), id },
  date: '2026-11-26',
  lastDate: '2026-11-26',
  start,
  end,
});

describe('eventOf', () => {
  it('reads day, time and length', () => {
    const found = eventOf(view, list, record({ day: '2026-11-26', at: '13:30', minutes: 90 }));
    expect(found).toMatchObject({ date: '2026-11-26', start: 810, end: 900 });
    expect(found && timeRange(found)).toBe('13:30 – 15:00');
  });

  it('gives an hour to events without a length, and the whole day to those without a time', () => {
    expect(eventOf(view, list, record({ day: '2026-11-26', at: '09:00' }))).toMatchObject({ start: 540, end: 600 });
    expect(eventOf(view, list, record({ day: '2026-11-26' }))).toMatchObject({ start: null });
    expect(eventOf(view, list, record({ at: '09:00' }))).toBeNull();
  });

  it('reads an end that is a time or a day', () => {
    const withTime = { ...view, minutes: undefined, end: 'to' };
    expect(eventOf(withTime, list, record({ day: '2026-11-26', at: '09:00', to: '11:15' }))).toMatchObject({
      start: 540,
      end: 675,
    });
    const withDay = { ...view, end: 'until' };
    expect(eventOf(withDay, list, record({ day: '2026-11-26', until: '2026-11-28' }))).toMatchObject({ lastDate: '2026-11-28' });
  });
});

describe('placedValues', () => {
  it('moves an event, and keeps its length', () => {
    const found = eventOf(view, list, record({ day: '2026-11-26', at: '13:30', minutes: 90 }));
    expect(placedValues(view, list, found, { date: '2026-11-27', start: 600 })).toEqual({ day: '2026-11-27', at: '10:00' });
  });

  it('sets the length, as minutes or as an end', () => {
    expect(placedValues(view, list, null, { date: '2026-11-27', start: 600, length: 45 })).toEqual({
      day: '2026-11-27',
      at: '10:00',
      minutes: 45,
    });
    const withTime = { ...view, minutes: undefined, end: 'to' };
    expect(placedValues(withTime, list, event(540, 660), { date: '2026-11-27', start: 600 })).toEqual({
      day: '2026-11-27',
      at: '10:00',
      to: '12:00',
    });
  });

  it('keeps the number of days of a long event', () => {
    const withDay = { ...view, end: 'until' };
    const found = eventOf(withDay, list, record({ day: '2026-11-26', until: '2026-11-28' }));
    expect(placedValues(withDay, list, found, { date: '2026-11-30', start: null })).toEqual({
      day: '2026-11-30',
      at: null,
      until: '2026-12-02',
    });
  });
});

describe('dragging', () => {
  it('snaps to a quarter of an hour and stays within the day', () => {
    expect(movedStart(540, 22, 60)).toBe(555);
    expect(movedStart(540, -900, 60)).toBe(0);
    expect(movedStart(1320, 900, 60)).toBe(1380);
  });

  it('changes one edge, and leaves one slot at least', () => {
    expect(resized(event(540, 600) as { start: number; end: number }, 'end', 31)).toEqual({ start: 540, end: 630 });
    expect(resized({ start: 540, end: 600 }, 'end', -300)).toEqual({ start: 540, end: 555 });
    expect(resized({ start: 540, end: 600 }, 'start', 300)).toEqual({ start: 585, end: 600 });
  });

  it('makes an hour of a click, and the drawn range of a drag in either direction', () => {
    expect(drawnRange(607, 607)).toEqual({ start: 600, end: 660 });
    expect(drawnRange(700, 607)).toEqual({ start: 600, end: 705 });
  });
});

describe('layoutDay', () => {
  it('gives single events the whole width, and halves to two at once', () => {
    const { placed, more } = layoutDay([event(540, 600, 'rufus001'), event(555, 645, 'coco0001'), event(690, 765, 'hazel001')]);
    expect(placed.map((one) => [one.event.record.id, one.column, one.columns])).toEqual([
      ['rufus001', 0, 2],
      ['coco0001', 1, 2],
      ['hazel001', 0, 1],
    ]);
    expect(more).toEqual([]);
  });

  it('gathers a third one behind a button', () => {
    const { placed, more } = layoutDay([event(540, 700, 'a0000001'), event(550, 650, 'b0000001'), event(560, 600, 'c0000001')]);
    expect(placed).toHaveLength(2);
    expect(placed.every((one) => one.crowded)).toBe(true);
    expect(more).toMatchObject([{ start: 560, events: [{ record: { id: 'c0000001' } }] }]);
  });

  it('lets one event follow another without sharing the width', () => {
    expect(layoutDay([event(540, 600), event(600, 660)]).placed.map((one) => one.columns)).toEqual([1, 1]);
  });
});

describe('periods', () => {
  it('begins weeks on Monday, and leaves out closed days at the edge', () => {
    expect(daysOf('week', '2026-11-25', [0], () => false)).toEqual([
      '2026-11-23',
      '2026-11-24',
      '2026-11-25',
      '2026-11-26',
      '2026-11-27',
      '2026-11-28',
    ]);
    expect(daysOf('week', '2026-11-25', [0], (day) => day === '2026-11-29')).toHaveLength(7);
    expect(daysOf('week', '2026-11-25', [3], () => false)).toHaveLength(7);
    expect(daysOf('week', '2026-11-25', [0, 1, 2, 3, 4, 5, 6], () => false)).toHaveLength(7);
  });

  it('covers a month with whole weeks', () => {
    const days = monthDays('2026-11-25');
    expect([days[0], days.at(-1), days.length]).toEqual(['2026-10-26', '2026-12-06', 42]);
  });

  it('names them', () => {
    expect(periodTitle('week', '2026-11-25', ['2026-11-23', '2026-11-28'])).toBe('23 – 28 November');
    expect(periodTitle('week', '2026-12-01', ['2026-11-30', '2026-12-05'])).toBe('30 November – 5 December');
    expect(periodTitle('day', '2026-11-25', ['2026-11-25'])).toBe('Wednesday 25 November');
    expect(periodTitle('month', '2026-11-25', [])).toBe('November 2026');
    expect(shifted('month', '2026-01-31', 1)).toBe('2026-02-28');
  });

  it('shows hours outside the opening hours only when something lies there', () => {
    expect(shownHours([9, 18], [event(540, 600)])).toEqual([9, 18]);
    expect(shownHours([9, 18], [event(450, 500), event(1100, 1170)])).toEqual([7, 20]);
  });
});
