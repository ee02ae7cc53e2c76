import { useMemo, useState } from 'react';
import { computedValues } from '../../model/formulas.ts';
import type { AppRecord, Value } from '../../model/record.ts';
import type { Computed, TitleOf } from '../../model/rows.ts';
import { showValue } from '../../model/values.ts';
import data from '../data/use-data.ts';

/** What views look up in any list. */
export interface Lookups {
  recordsOf(listId: string): readonly AppRecord[];
  /** Title of a record: its first field as text. `null` if there is no such record. */
  readonly titleOf: TitleOf;
  /** Values of a list's computed fields. */
  computedOf(listId: string): Computed;
  /** Stored or computed value of a field. */
  valueOf(listId: string, record: AppRecord, fieldId: string): Value;
}

const none: readonly AppRecord[] = [];

/** All records of the app, for titles of related records and for computed fields. */
export function useLookups(): Lookups {
  // The lists are those of the first drawing, so that the number of hooks stays the same when the document changes under a page.
  const [ids] = useState(() => data.document.lists.map(({ id }) => id));
  // biome-ignore lint/correctness/useHookAtTopLevel: the number of calls never changes, as above.
  const all = ids.map((id) => data.useRecords(id));
  const { document } = data;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each list's array is a dependency, and their number never changes.
  return useMemo(() => {
    const recordsOf = (listId: string) => all[ids.indexOf(listId)] ?? none;
    const computed = computedValues(document, recordsOf);
    const byId = new Map<string, ReadonlyMap<string, AppRecord>>();
    const titleOf: TitleOf = (listId, recordId) => {
      const records = byId.get(listId) ?? new Map(recordsOf(listId).map((record) => [record.id, record]));
      byId.set(listId, records);
      const record = records.get(recordId);
      const field = document.lists.find(({ id }) => id === listId)?.fields[0];
      if (record === undefined || field === undefined || field.type === 'relation')
        return record === undefined ? null : 'Untitled';
      return showValue(field, readValue(listId, record, field.id)) || 'Untitled';
    };
    const readValue = (listId: string, record: AppRecord, fieldId: string) =>
      Object.hasOwn(record.values, fieldId) ? (record.values[fieldId] ?? null) : computed.value(listId, record, fieldId);
    const computedOf = (listId: string) => (record: AppRecord, fieldId: string) => computed.value(listId, record, fieldId);
    return { recordsOf, titleOf, computedOf, valueOf: readValue };
  }, [document, ...all]);
}
