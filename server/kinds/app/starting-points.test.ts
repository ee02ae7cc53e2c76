import { describe, expect, it } from 'vitest';
import { type AppDocument, documentSchema } from '../../../sandbox-image/templates/app/model/document.ts';
import { documentProblems } from '../../../sandbox-image/templates/app/model/problems.ts';
import { listStarts, sampleRecords, startingPoints } from './starting-points.ts';

/** A Wednesday. */
const now = new Date(2027, 1, 3, 15, 30);
const rows = startingPoints.map((start) => [start.id, start] as const);

describe('the starting points', () => {
  it('have ids of their own', () => {
    expect(new Set(startingPoints.map(({ id }) => id)).size).toBe(startingPoints.length);
    expect(listStarts()).toHaveLength(startingPoints.length);
  });

  it.each(rows)('%s is an app without problems', (_id, { document }) => {
    expect(documentSchema.parse(document)).toEqual(document);
    expect(documentProblems(document)).toEqual([]);
  });

  it.each(rows)('%s has believable records, of which every value is kept', (_id, start) => {
    const records = sampleRecords(start, start.document, now);
    const count = Object.values(records).flat().length;
    expect(count).toBeGreaterThanOrEqual(12);
    expect(count).toBeLessThanOrEqual(40);
    for (const [list, samples] of Object.entries(start.records)) {
      const kept = Object.fromEntries(
        Object.keys(samples).map((key, index) => [key, Object.keys(records[list]?.[index]?.values ?? {})]),
      );
      const given = Object.fromEntries(Object.entries(samples).map(([key, values]) => [key, Object.keys(values)]));
      for (const [key, fields] of Object.entries(given))
        expect(kept[key]?.toSorted(), `${list} ${key}`).toEqual(fields.toSorted());
    }
  });

  it('place their dates around today and in this week', () => {
    const document: AppDocument = {
      ...{ version: 1, name: 'Days', theme: 'paper', mode: 'system' },
      lists: [
        {
          ...{ id: 'days', name: 'Days', one: 'day' },
          fields: [
            { id: 'name', name: 'Name', type: 'text' },
            { id: 'date', name: 'Date', type: 'date' },
          ],
        },
      ],
      pages: [{ id: 'days', name: 'Days', views: [{ view: 'table', id: 'days', list: 'days' }] }],
    };
    const dates = { a: 0, b: -3, c: 'mon', d: 'sun', e: 'fri-1', f: 'tue+2', g: 'never' };
    const days = Object.fromEntries(Object.entries(dates).map(([key, date]) => [key, { name: key, date }]));
    const found = sampleRecords({ records: { days } }, document, now)['days']?.map(({ values }) => values['date'] ?? null);
    expect(found).toEqual(['2027-02-03', '2027-01-31', '2027-02-01', '2027-02-07', '2027-01-29', '2027-02-16', null]);
  });

  it('leave out what the user has removed before the first record is written', () => {
    const start = startingPoints.find(({ id }) => id === 'tool-library');
    if (start === undefined) throw new Error('There is no tool library.');
    const lists = start.document.lists
      .filter(({ id }) => id !== 'neighbours')
      .map((list) => ({ ...list, fields: list.fields.filter(({ id }) => id !== 'deposit') }));
    const records = sampleRecords(start, { ...start.document, lists }, now);
    expect(Object.keys(records)).toEqual(['tools', 'loans']);
    expect(records['tools']?.every(({ values }) => !('deposit' in values))).toBe(true);
    expect(records['loans']?.every(({ values }) => !('neighbour' in values) && 'tool' in values)).toBe(true);
  });
});
