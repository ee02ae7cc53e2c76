import { useMemo } from 'react';
import type { Field } from '../../model/document.ts';
import { computedValues } from '../../model/formulas.ts';
import type { AppRecord, Value } from '../../model/record.ts';
import type { Computed } from '../../model/rows.ts';
import data from '../data/use-data.ts';
import { useDocument } from '../document.ts';

/** Values of the computed fields of a list, again whenever any record changes. */
export function useComputed(listId: string): Computed {
  const document = useDocument();
  // biome-ignore lint/correctness/useHookAtTopLevel: an app has the same lists while its page runs.
  const records = document.lists.map(({ id }) => data.useRecords(id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the records of the lists are all that formulas read.
  return useMemo(() => {
    const byList = new Map(document.lists.map(({ id }, at) => [id, records[at] ?? []]));
    const values = computedValues(document, (id) => byList.get(id) ?? []);
    return (record, fieldId) => values.value(listId, record, fieldId);
  }, [document, listId, ...records]);
}

/** The stored or computed value of a field. */
export function valueOf(record: AppRecord, field: Field, computed: Computed): Value {
  return field.type === 'computed' ? computed(record, field.id) : (record.values[field.id] ?? null);
}
