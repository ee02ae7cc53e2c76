import { describe, expect, it } from 'vitest';
import { journalLineSchema } from '../../../../../../sandbox-image/templates/app/model/journal.ts';
import { examples } from '../examples.ts';
import { noDecisions, TableReader } from './table-reader.ts';

const text = examples.find(({ name }) => name === 'Table')?.text ?? '';
const reader = () => new TableReader(text, { todayIso: '2026-05-01' });
const journalOptions = { types: {}, name: 'Members', nowMs: 1, limitBytes: 1_000_000 };

function recordsOf(bytes: Uint8Array<ArrayBuffer>) {
  const lines = new TextDecoder().decode(bytes).split('\n').filter(Boolean);
  return lines.flatMap((line) => journalLineSchema.parse(JSON.parse(line)).applied.map(({ record }) => record));
}

describe('a table', () => {
  it('says what it recognises and which cells do not fit', () => {
    const table = reader();
    const facts = table.facts();
    if ('problem' in facts) throw new Error(facts.problem);
    expect([facts.rows, facts.headed]).toEqual([9, true]);
    expect(facts.columns.map(({ type }) => type)).toEqual(['text', 'email', 'date', 'money', 'choice', 'yesno']);
    expect(facts.misfits).toEqual({ 3: 1 });
    expect(table.misfitTexts(3)).toEqual(['free']);
    expect(table.rows({ from: 0, to: 50, misfitsOf: 3 })).toMatchObject({ total: 1, rows: [{ at: 2, misfits: [3] }] });
    expect(table.rows({ from: 8, to: 50, misfitsOf: null }).rows.map(({ at }) => at)).toEqual([8]);
  });

  it('settles cells that are replaced', () => {
    const table = reader();
    expect(table.decide({ ...noDecisions, columns: { 3: { replace: { free: '0' } } } })).toMatchObject({ misfits: {} });
    const { list } = table.list('Members');
    const { bytes } = table.journal({ ...journalOptions, list });
    expect(recordsOf(bytes)[2]).toMatchObject({ values: { fee: 0 } });
  });

  it('keeps a cell that does not fit as a note of its record', () => {
    const table = reader();
    const { list, columns } = table.list('Members');
    expect(columns).toEqual({ name: 0, 'e-mail': 1, joined: 2, fee: 3, boat: 4, keys: 5 });
    const { bytes, rows, allRows } = table.journal({ ...journalOptions, list });
    expect([rows, allRows]).toEqual([9, 9]);
    expect(recordsOf(bytes)[2]).toMatchObject({ values: { name: 'Chidi Nwosu' }, notes: { Fee: 'free' } });
  });

  it('leaves out values of fields that the plan no longer has', () => {
    const table = reader();
    const { list } = table.list('Members');
    const kept = { ...list, fields: list.fields.filter(({ id }) => id !== 'boat') };
    expect(Object.keys(recordsOf(table.journal({ ...journalOptions, list: kept }).bytes)[0]?.values ?? {})).not.toContain('boat');
  });

  it('says how many rows fit into a limit', () => {
    const table = reader();
    const { list } = table.list('Members');
    const { bytes, rows, allRows } = table.journal({ ...journalOptions, list, limitBytes: 1200 });
    expect(bytes.length).toBeLessThanOrEqual(1200);
    expect(rows).toBeGreaterThan(0);
    expect([allRows, recordsOf(bytes).length]).toEqual([9, rows]);
  });

  it('tries every type of a column', () => {
    const fits = reader().typesOf(3);
    expect(fits.find(({ type }) => type === 'money')).toMatchObject({ fits: 8, of: 9 });
    expect(fits.find(({ type }) => type === 'text')).toMatchObject({ fits: 9 });
  });

  it('leaves total rows out, says so, and keeps them on request', () => {
    const table = new TableReader('# Stock\nBike;Pieces;Price\nCity;2;£300\nRoad;3;£900\nTOTAL;5;£1,200', {
      todayIso: '2026-05-01',
    });
    const totals = { count: 1, text: '1 total row left out: “TOTAL, 5, £1,200”.' };
    expect(table.facts()).toMatchObject({ rows: 2, totals, heading: 'Stock' });
    expect(table.list('Bikes').totals).toEqual({ pieces: 'sum', price: 'sum' });
    expect(table.decide({ ...noDecisions, keepsTotals: true })).toMatchObject({ rows: 3, totals });
    expect(table.list('Bikes').totals).toEqual({});
    expect(recordsOf(table.journal({ ...journalOptions, list: table.list('Bikes').list }).bytes)).toHaveLength(3);
    expect(table.decide(noDecisions)).toMatchObject({ rows: 2 });
  });

  it('takes the first row as data if the person says so', () => {
    const table = reader();
    expect(table.decide({ ...noDecisions, headed: false })).toMatchObject({ rows: 10, headed: false });
    expect(new TableReader('', { todayIso: '2026-05-01' }).facts()).toHaveProperty('problem');
  });
});
