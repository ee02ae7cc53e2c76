import type { AppDocument, Field, List } from '../../../../sandbox-image/templates/app/model/document.ts';
import type { AppRecord } from '../../../../sandbox-image/templates/app/model/record.ts';
import { type Parsed, parseText } from '../../../../sandbox-image/templates/app/model/values.ts';

const plain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/gu, ' ');

/** Returns the field that a name means: by its name or its id, in any case, with spaces, hyphens or underscores. */
export function fieldNamed({ fields }: List, name: string): Field | null {
  const wanted = plain(name);
  return fields.find((field) => plain(field.name) === wanted) ?? fields.find(({ id }) => plain(id) === wanted) ?? null;
}

/** Finds records by their titles, without regard to case. Of several with the same title, the first. */
export type RecordByTitle = (list: string, title: string) => string | null;

export function recordsByTitle(
  { lists }: AppDocument,
  records: Readonly<Record<string, readonly AppRecord[] | undefined>>,
): RecordByTitle {
  const byList = new Map(
    lists.map(({ id, fields: [title] }) => {
      const titled = (records[id] ?? []).map(
        (record) => [plain(String(record.values[title?.id ?? ''] ?? '')), record.id] as const,
      );
      return [id, new Map(titled.toReversed())] as const;
    }),
  );
  return (list, title) => byList.get(list)?.get(plain(title)) ?? null;
}

/** Reads a text into the stored value of a field. A relation is read from titles, several with commas between them. */
export function readText(field: Field, text: string, { todayIso, idOf }: { todayIso: string; idOf: RecordByTitle }): Parsed {
  if (field.type !== 'relation' || text.trim() === '') return parseText(field, text, { todayIso });
  const titles = field.many === true && idOf(field.list, text) === null ? text.split(',') : [text];
  const ids: string[] = [];
  for (const title of titles) {
    const id = idOf(field.list, title);
    if (id === null) return { problem: `${field.name}: there is no record “${title.trim()}” in the list ${field.list}.` };
    ids.push(id);
  }
  const [first = null] = ids;
  return { value: field.many === true ? ids : first };
}
