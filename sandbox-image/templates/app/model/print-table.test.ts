import { expect, it } from 'vitest';
import { listSchema } from './document.ts';
import { printTable } from './print-table.ts';
import type { AppRecord } from './record.ts';

const { fields } = listSchema.parse({
  id: 'members',
  name: 'Members',
  one: 'member',
  fields: [
    { id: 'name', name: 'Name', type: 'text' },
    { id: 'fee', name: 'Fee', type: 'number' },
  ],
});
const record = (values: AppRecord['values'], notes?: AppRecord['notes']): AppRecord => ({
  ...{ id: 'aaaaaaaa', values, createdMs: 0, changedMs: 0 },
  ...(notes && { notes }),
});
const shown = ({ values }: AppRecord, { id }: { id: string }) => String(values[id] ?? '');

it('prints notes where the value is missing, and all others in columns of their own', () => {
  const records = [
    record({ name: 'Ann', fee: 90 }),
    record({ name: 'Bo' }, { Fee: 'half paid 90', Colour: 'red' }),
    record({ name: 'Cy', fee: 20 }, { Fee: 'twenty?' }),
  ];
  expect(printTable(fields, records, shown)).toEqual([
    ['Name', 'Fee', 'Colour', 'Fee (note)'],
    ['Ann', '90', '', ''],
    ['Bo', 'half paid 90', 'red', ''],
    ['Cy', '20', '', 'twenty?'],
  ]);
});

it('prints a header for no records', () => {
  expect(printTable(fields, [], shown)).toEqual([['Name', 'Fee']]);
});
