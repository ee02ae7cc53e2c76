import { describe, expect, it } from 'vitest';
import type { ImportRequest } from '#kinds/app/contract/data.ts';
import { importRequestSchema } from '#kinds/app/contract/data.ts';
import type { AppDocument } from '../../../../sandbox-image/templates/app/model/document.ts';
import type { Change } from '../../../../sandbox-image/templates/app/model/record.ts';
import { importTable } from './import-table.ts';

const document: AppDocument = {
  ...{ version: 1, name: 'Loans', theme: 'studio', mode: 'system' },
  lists: [
    {
      ...{ id: 'tools', name: 'Tools', one: 'tool' },
      fields: [
        { id: 'name', name: 'Name', type: 'text', needed: true },
        { id: 'fee', name: 'Late fee', type: 'money', currency: 'EUR', max: 100_000 },
        { id: 'bought', name: 'Bought', type: 'date' },
        { id: 'owner', name: 'Owner', type: 'relation', list: 'people' },
      ],
    },
    { id: 'people', name: 'People', one: 'person', fields: [{ id: 'name', name: 'Name', type: 'text' }] },
  ],
  pages: [{ id: 'tools', name: 'Tools', views: [{ view: 'table', id: 'tools', list: 'tools' }] }],
};
const ana = { id: 'personana', values: { name: 'Ana' }, createdMs: 1, changedMs: 1 };

async function imported(request: Omit<ImportRequest, 'list'>) {
  const changes: Change[] = [];
  const data = {
    document: async () => ({ document, revision: 1 }),
    records: async () => ({ seq: 1, lists: { tools: [], people: [ana] } }),
    change: async (_id: string, sent: { readonly changes: readonly Change[] }) => {
      changes.push(...sent.changes);
      return { seq: 2, applied: [] };
    },
  };
  const given = importRequestSchema.parse({ list: 'tools', ...request });
  const options = { now: new Date('2026-11-29T12:00:00Z'), signal: new AbortController().signal };
  return { result: await importTable(data, 'prj', given, options), changes };
}

describe('an imported table', () => {
  it('fills the fields of the same names, and keeps what does not fit as notes', async () => {
    const csv =
      'name;LATE FEE;Bought;Owner;Colour\nLadder;1.250,50;31.12.2025;ana;red\nSaw;free;soon;Ben;\n;5;;;\nDrill;9.999,00;;;\n';
    const { result, changes } = await imported({ csv });
    expect(result).toEqual({
      ...{ added: 3, notes: 6, skipped: 1, totals: 0 },
      columns: ['name', 'LATE FEE', 'Bought', 'Owner', 'Colour'].map((name, index) => ({
        name,
        field: ['name', 'fee', 'bought', 'owner', null][index],
      })),
    });
    expect(changes).toMatchObject([
      { values: { name: 'Ladder', bought: '2025-12-31', owner: ana.id }, notes: { 'LATE FEE': '1.250,50', Colour: 'red' } },
      { values: { name: 'Saw' }, notes: { 'LATE FEE': 'free', Bought: 'soon', Owner: 'Ben' } },
      { values: { name: 'Drill' }, notes: { 'LATE FEE': '9.999,00' } },
    ]);
  });

  it('follows the decisions about its columns', async () => {
    const decisions = {
      0: { name: 'Name' },
      1: { replace: { free: '0' }, name: 'fee' },
      2: { monthFirst: true },
      3: { skip: true },
    };
    const { changes } = await imported({ csv: 'Title,Price,Bought,Colour\nSaw,free,2/3/2025,red\n', decisions });
    expect(changes).toMatchObject([{ values: { name: 'Saw', fee: 0, bought: '2025-02-03' } }]);
    expect(changes[0]).not.toHaveProperty('notes');
  });

  it('leaves out rows that sum up the others, unless they are kept', async () => {
    const csv = 'Name;Late fee\nSaw;5\nDrill;7\nTotal;12\n';
    expect((await imported({ csv })).result).toMatchObject({ added: 2, totals: 1 });
    expect((await imported({ csv, keepsTotals: true })).result).toMatchObject({ added: 3, totals: 0 });
  });

  it('is refused if it is empty', async () => {
    await expect(imported({ csv: '\n\n' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
