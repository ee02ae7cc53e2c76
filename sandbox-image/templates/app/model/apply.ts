import type { AppDocument, Field, List } from './document.ts';
import type { AppRecord, Change, Value } from './record.ts';

/** Reason why a change is refused, with the code of the API's error. */
export interface ChangeProblem {
  readonly code: 'NOT_FOUND' | 'CONFLICT' | 'VALIDATION';
  readonly message: string;
  readonly list: string;
  readonly id?: string;
  readonly field?: string;
  /** The present value of the field, if it has changed in the meantime. */
  readonly value?: Value;
}

export const valueOf = (record: AppRecord | undefined, field: string): Value => record?.values[field] ?? null;

export const isSame = (one: Value, other: Value): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((item, index) => item === other[index])
    : one === other;

/** Returns the record after this change, or `null` if it deletes the record. A value of `null` is not stored. */
export function changed(record: AppRecord | undefined, change: Change, nowMs: number): AppRecord | null {
  if (change.op === 'delete') return null;
  const values = Object.entries({ ...record?.values, ...change.values }).filter(([, value]) => value !== null);
  const notes = change.notes ?? record?.notes;
  return {
    id: change.id,
    values: Object.fromEntries(values),
    ...(notes && Object.keys(notes).length > 0 ? { notes } : {}),
    createdMs: record?.createdMs ?? nowMs,
    changedMs: nowMs,
    ...((record ? record.sample : change.sample) ? { sample: true as const } : {}),
  };
}

/** Finds what is wrong with a change of this record, apart from what other records decide: relations and unique values. */
export function changeProblem(document: AppDocument, record: AppRecord | undefined, change: Change): ChangeProblem | null {
  const place = { list: change.list, id: change.id };
  const list = document.lists.find(({ id }) => id === change.list);
  if (!list) return { ...place, code: 'NOT_FOUND', message: `There is no list “${change.list}”.` };
  if (change.op === 'delete') return null;
  return unknownField(list, change) ?? staleValue(list, record, change) ?? wrongValue(list, record, change);
}

type Put = Extract<Change, { op: 'put' }>;

function unknownField(list: List, { id, values }: Put): ChangeProblem | null {
  for (const name of Object.keys(values)) {
    const field = list.fields.find((candidate) => candidate.id === name);
    const place = { list: list.id, id, field: name };
    if (!field) return { ...place, code: 'NOT_FOUND', message: `The list ${list.name} has no field “${name}”.` };
    if (field.type === 'computed') {
      return { ...place, code: 'VALIDATION', message: `${field.name} is computed from other fields, and cannot be set.` };
    }
  }
  return null;
}

function staleValue(list: List, record: AppRecord | undefined, { id, was = {} }: Put): ChangeProblem | null {
  for (const [field, seen] of Object.entries(was)) {
    const value = valueOf(record, field);
    if (isSame(seen, value)) continue;
    const name = list.fields.find((candidate) => candidate.id === field)?.name ?? field;
    return { code: 'CONFLICT', message: `${name} was changed by someone else in the meantime.`, list: list.id, id, field, value };
  }
  return null;
}

/** An existing record is only checked where it changes, so that it stays editable after a field has become stricter. */
function wrongValue(list: List, record: AppRecord | undefined, { id, values }: Put): ChangeProblem | null {
  const fields = record ? list.fields.filter((field) => field.id in values) : list.fields;
  for (const field of fields) {
    const message = valueProblem(field, values[field.id] ?? null);
    if (message !== null) return { code: 'VALIDATION', message, list: list.id, id, field: field.id };
  }
  return null;
}

// The only place that checks values: model/values.ts replaces this function.
function valueProblem(field: Field, value: Value): string | null {
  if (value === null) return field.needed ? `${field.name} is needed.` : null;
  return null;
}
