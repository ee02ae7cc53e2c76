import { describe, expect, it } from 'vitest';
import { type AppDocument, documentSchema, type Field } from './document.ts';
import { keptMs, migrateRecords } from './migrate.ts';
import type { AppRecord, Values } from './record.ts';

const nowMs = Date.parse('2026-11-04T12:00:00Z');
const name = { id: 'name', name: 'Name', type: 'text' };
function documentWith(fields: readonly object[], removed: readonly object[] = []): AppDocument {
  return documentSchema.parse({
    version: 1,
    name: 'A',
    theme: 'studio',
    mode: 'system',
    lists: [
      { id: 'tools', name: 'Tools', one: 'tool', fields: [name, ...fields], removed },
      { id: 'people', name: 'People', one: 'person', fields: [name] },
    ],
    pages: [{ id: 'p', name: 'P', views: [{ view: 'table', id: 't', list: 'tools' }] }],
  });
}
function record(values: Values, notes?: Record<string, string>): AppRecord {
  return { id: 'drill000', values, createdMs: 0, changedMs: 0, ...(notes === undefined ? {} : { notes }) };
}
const ana: AppRecord = { id: 'ana00000', values: { name: 'Ana' }, createdMs: 0, changedMs: 0 };
function migrate(before: AppDocument, after: AppDocument, tools: AppRecord[], at = nowMs) {
  const result = migrateRecords(before, after, { tools, people: [ana] }, { nowMs: at });
  const again = migrateRecords(after, after, result.lists, { nowMs: at });
  expect(again, 'migrating twice').toEqual({ lists: result.lists, summary: [] });
  return result;
}
const choices = ['garden', 'house'].map((id) => ({ id, name: id.toUpperCase(), hue: 'red' }));
const fee = (type: Field['type'], more: object = {}) => ({ id: 'fee', name: 'Fee', type, ...more });

describe('migrateRecords', () => {
  it('keeps the values of a renamed field, and the very records', () => {
    const tools = [record({ name: 'Drill', fee: 5 })];
    const { lists, summary } = migrate(
      documentWith([fee('number')]),
      documentWith([{ ...fee('number'), name: 'Deposit' }]),
      tools,
    );
    expect(lists['tools']?.[0]).toBe(tools[0]);
    expect(summary).toEqual([]);
  });

  it.each<[object, unknown, object, unknown, string | undefined]>([
    [fee('text'), '12,50', fee('number'), 12.5, undefined],
    [fee('text'), 'free', fee('number'), null, 'free'],
    [fee('number'), 12.5, fee('money', { currency: 'GBP' }), 1250, undefined],
    [fee('money', { currency: 'GBP' }), 1250, fee('number'), 12.5, undefined],
    [fee('money', { currency: 'GBP' }), 1250, fee('money', { currency: 'EUR' }), null, '£12.50'],
    [fee('date'), '2027-02-03', fee('text'), '3 Feb 2027', undefined],
    [fee('text'), '3 Feb 2027', fee('date'), '2027-02-03', undefined],
    [fee('yesno'), true, fee('text'), 'Yes', undefined],
    [fee('choice', { choices }), 'garden', fee('text'), 'GARDEN', undefined],
    [fee('text'), 'Garden', fee('choice', { choices }), 'garden', undefined],
    [fee('choice', { choices }), 'garden', fee('choices', { choices }), ['garden'], undefined],
    [fee('choices', { choices }), ['house', 'garden'], fee('choice', { choices }), 'house', 'GARDEN'],
    [fee('choice', { choices }), 'house', fee('choice', { choices: choices.slice(0, 1) }), null, 'HOUSE'],
    [fee('choices', { choices }), ['house', 'garden'], fee('choices', { choices: choices.slice(0, 1) }), ['garden'], 'HOUSE'],
    [fee('relation', { list: 'people' }), 'ana00000', fee('text'), 'Ana', undefined],
    [fee('relation', { list: 'people' }), 'ana00000', fee('relation', { list: 'people', many: true }), ['ana00000'], undefined],
    [fee('relation', { list: 'people' }), 'ana00000', fee('relation', { list: 'tools' }), null, 'Ana'],
    [fee('text'), 'Ana', fee('relation', { list: 'people' }), null, 'Ana'],
    [fee('text'), 'a@b.example', fee('email', { needed: true }), 'a@b.example', undefined],
  ])('brings %j with %j to %j', (before, value, after, expected, note) => {
    const { lists } = migrate(documentWith([before]), documentWith([after]), [record({ name: 'Drill', fee: value as never })]);
    expect(lists['tools']?.[0]?.values['fee']).toEqual(expected);
    expect(lists['tools']?.[0]?.notes).toEqual(note === undefined ? undefined : { Fee: note });
  });

  it('adds to the notes that a record has, and counts what it kept', () => {
    const tools = [record({ fee: 'free' }, { Fee: 'old' }), { ...record({ fee: '5' }), id: 'saw00000' }];
    const { lists, summary } = migrate(documentWith([fee('text')]), documentWith([fee('number')]), tools);
    expect(lists['tools']?.[0]?.notes).toEqual({ Fee: 'old\nfree' });
    expect(summary).toEqual(['Tools: 1 value of “Fee” now has the type number.', 'Tools: 1 value of “Fee” is kept as notes.']);
  });

  it('keeps the values of a removed field for 30 days, then as notes', () => {
    const before = documentWith([fee('number')]);
    const removedAt = new Date(nowMs).toISOString();
    const after = documentWith([], [{ field: fee('number'), removedAt }]);
    const tools = [record({ name: 'Drill', fee: 5 })];
    expect(migrate(before, after, tools).lists['tools']?.[0]).toBe(tools[0]);
    expect(migrate(before, after, tools, nowMs + keptMs - 1).lists['tools']?.[0]).toBe(tools[0]);
    const late = migrate(after, after, tools, nowMs + keptMs).lists['tools']?.[0];
    expect(late).toMatchObject({ values: { name: 'Drill' }, notes: { Fee: '5' } });
    expect(late?.values).not.toHaveProperty('fee');
  });

  it('gives a restored field its values back', () => {
    const removed = documentWith([], [{ field: fee('number'), removedAt: new Date(nowMs).toISOString() }]);
    const tools = [record({ name: 'Drill', fee: 5 })];
    expect(migrate(removed, documentWith([fee('number')]), tools).lists['tools']?.[0]?.values['fee']).toBe(5);
  });

  it('drops nothing of a field that is gone, of a computed one and of a list that is gone', () => {
    const tools = [record({ name: 'Drill', fee: 5 })];
    expect(migrate(documentWith([fee('number')]), documentWith([]), tools).lists['tools']?.[0]?.notes).toEqual({ Fee: '5' });
    const computed = documentWith([fee('computed', { formula: '1', result: 'number' })]);
    expect(migrate(documentWith([fee('number')]), computed, tools).lists['tools']?.[0]?.notes).toEqual({ Fee: '5' });
    const without = documentWith([]);
    without.lists.shift();
    expect(migrateRecords(documentWith([fee('number')]), without, { tools }, { nowMs }).lists['tools']).toEqual(tools);
  });

  it('reads a field named constructor like any other', () => {
    const field = { id: 'constructor-2', name: 'constructor', type: 'text' };
    const { lists } = migrate(documentWith([field]), documentWith([{ ...field, type: 'number' }]), [
      record({ 'constructor-2': 'much' }),
      record({}),
    ]);
    expect(lists['tools']?.map(({ notes }) => notes)).toEqual([{ constructor: 'much' }, undefined]);
  });
});
