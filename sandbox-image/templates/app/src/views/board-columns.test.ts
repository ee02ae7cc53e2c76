import { describe, expect, it } from 'vitest';
import type { Field } from '../../model/document.ts';
import type { AppRecord, Values } from '../../model/record.ts';
import { boardColumns, dropValues, dueOf, nextCard, nextColumn, placeInColumn, shareOf } from './board-columns.ts';

const status: Field = {
  id: 'status',
  name: 'Status',
  type: 'choice',
  choices: [
    { id: 'booked', name: 'Booked in', hue: 'blue' },
    { id: 'stand', name: 'On the stand', hue: 'violet' },
    { id: 'done', name: 'Collected', hue: 'teal' },
  ],
};
const record = (id: string, values: Values): AppRecord => ({ id, values, createdMs: 0, changedMs: 0 });
const records = [
  record('chain001', { status: 'booked' }),
  record('wheel001', { status: 'stand' }),
  record('pedal001', { status: 'booked' }),
  record('brake001', { status: 'done' }),
];

describe('boardColumns', () => {
  it('puts records into the columns of their choices', () => {
    const columns = boardColumns({ limits: { stand: 3 }, closed: ['done'] }, status, records);
    expect(columns.map((column) => [column.name, column.records.length, column.limit, column.closed])).toEqual([
      ['Booked in', 2, null, false],
      ['On the stand', 1, 3, false],
      ['Collected', 1, null, true],
    ]);
  });

  it('shows records without a choice, or with a removed one, in a column of their own', () => {
    const columns = boardColumns({}, status, [...records, record('lost0001', {}), record('gone0001', { status: 'removed' })]);
    expect(columns[0]).toMatchObject({ id: '', name: 'No status' });
    expect(columns[0]?.records.map((lost) => lost.id)).toEqual(['lost0001', 'gone0001']);
  });

  it('makes two columns of a yes/no field, and one for each related record', () => {
    const paid: Field = { id: 'paid', name: 'Paid', type: 'yesno' };
    const columns = boardColumns({}, paid, [record('one00001', {}), record('two00001', { paid: true })]);
    expect(columns.map((column) => [column.name, column.records.length])).toEqual([
      ['Not paid', 1],
      ['Paid', 1],
    ]);
    const table: Field = { id: 'table', name: 'Table', type: 'relation', list: 'tables' };
    const tables = [{ id: 'garden01', name: 'Garden' }];
    expect(boardColumns({}, table, [record('ana00001', { table: 'garden01' })], tables)[0]?.records).toHaveLength(1);
  });
});

describe('dropValues', () => {
  const chain = record('chain001', { status: 'booked' });

  it('sets the choice of the column, and nothing in the same column', () => {
    expect(dropValues(status, chain, 'stand')).toEqual({ status: 'stand' });
    expect(dropValues(status, chain, '')).toEqual({ status: null });
    expect(dropValues(status, chain, 'booked')).toBeNull();
  });

  it('takes an unset yes/no field for no', () => {
    const paid: Field = { id: 'paid', name: 'Paid', type: 'yesno' };
    expect(dropValues(paid, record('one00001', {}), 'no')).toBeNull();
    expect(dropValues(paid, record('one00001', {}), 'yes')).toEqual({ paid: true });
  });
});

it('finds the place of a card in its new column from the order of all records', () => {
  const [booked] = boardColumns({}, status, records);
  expect(booked && placeInColumn(booked, records, 'wheel001')).toBe(1);
});

it('moves by arrows over empty and closed columns, and stops at the edges', () => {
  const columns = boardColumns({ closed: ['done'] }, status, records);
  expect(nextCard(columns, 'chain001', 'down')).toBe('pedal001');
  expect(nextCard(columns, 'pedal001', 'right')).toBe('wheel001');
  expect(nextCard(columns, 'wheel001', 'right')).toBe('wheel001');
  expect(nextCard(columns, 'chain001', 'up')).toBe('chain001');
  expect(nextColumn(columns, 'stand', 'right')).toBe('done');
  expect(nextColumn(columns, 'done', 'right')).toBe('done');
});

describe('dueOf', () => {
  const due: Field = { id: 'due', name: 'Due', type: 'date', overdue: { unless: 'status', in: ['done'] } };
  const text = (values: Values) => dueOf(due, record('chain001', values), '2026-11-25');

  it('says the day in few words', () => {
    expect(text({ due: '2026-11-25' })).toEqual({ text: 'Today', late: false });
    expect(text({ due: '2026-12-01' })?.text).toBe('Tue 1 Dec');
    expect(text({ due: '2027-01-04' })?.text).toBe('4 Jan 2027');
    expect(text({})).toBeNull();
  });

  it('says how late an open card is', () => {
    expect(text({ due: '2026-11-23', status: 'booked' })).toEqual({ text: '2 days late', late: true });
    expect(text({ due: '2026-11-24', status: 'booked' })?.text).toBe('1 day late');
    expect(text({ due: '2026-11-23', status: 'done' })).toEqual({ text: 'Mon 23 Nov', late: false });
  });
});

it('reads progress from ratings, numbers with a largest value and percentages', () => {
  expect(shareOf({ id: 'r', name: 'R', type: 'rating' }, 4)).toBe(0.8);
  expect(shareOf({ id: 'n', name: 'N', type: 'number', max: 8 }, 6)).toBe(0.75);
  expect(shareOf({ id: 'n', name: 'N', type: 'number' }, 150)).toBe(1);
  expect(shareOf({ id: 'n', name: 'N', type: 'number' }, null)).toBeNull();
});
