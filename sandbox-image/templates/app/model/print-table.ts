import type { Field } from './document.ts';
import type { AppRecord } from './record.ts';

/**
 * Returns the lines of a table of records, with a header. The note of a field stands in its cell if the field has no value, and all other
 * notes in columns of their own at the end, so that nothing is left behind. `shown` returns a value as text, empty for none.
 */
export function printTable(
  fields: readonly Field[],
  records: readonly AppRecord[],
  shown: (record: AppRecord, field: Field) => string,
): string[][] {
  const others = new Set<string>();
  const rows = records.map((record) => {
    const notes = new Map(Object.entries(record.notes ?? {}));
    const cells = fields.map((field) => {
      const text = shown(record, field);
      const note = text === '' ? notes.get(field.name) : undefined;
      if (note !== undefined) notes.delete(field.name);
      return note ?? text;
    });
    for (const name of notes.keys()) others.add(name);
    return { cells, notes };
  });
  const names = [...others];
  return [
    [
      ...fields.map(({ name }) => name),
      ...names.map((name) => (fields.some((field) => field.name === name) ? `${name} (note)` : name)),
    ],
    ...rows.map(({ cells, notes }) => [...cells, ...names.map((name) => notes.get(name) ?? '')]),
  ];
}
