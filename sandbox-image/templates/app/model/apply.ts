import type { AppDocument, Field, List } from './document.ts';
import type { AppRecord, Change, Value } from './record.ts';
import { isEmpty, valueProblem } from './values.ts';

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

/** Returns the value of a field, and `null` for every value that counts as not filled in. */
export function storedValue(record: AppRecord | undefined, field: string): Value {
  return filled(record?.values[field] ?? null);
}

const filled = (value: Value): Value => (isEmpty(value) ? null : value);

/** Whether two values are the same. All values that count as not filled in are. */
export function isSame(one: Value, other: Value): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return filled(one) === filled(other);
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** Returns the record after this change, or `null` if it deletes the record. What counts as not filled in is not stored. */
export function changed(record: AppRecord | undefined, change: Change, nowMs: number): AppRecord | null {
  if (change.op === 'delete') return null;
  const values = Object.entries({ ...record?.values, ...change.values }).filter(([, value]) => !isEmpty(value));
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

/** Removed fields too: Undo brings back records that have values of them. */
const fieldsOf = ({ fields, removed = [] }: List): Field[] => [...fields, ...removed.map(({ field }) => field)];

type Put = Extract<Change, { op: 'put' }>;

function unknownField(list: List, { id, values }: Put): ChangeProblem | null {
  for (const name of Object.keys(values)) {
    const field = fieldsOf(list).find((candidate) => candidate.id === name);
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
    const value = storedValue(record, field);
    if (isSame(seen, value)) continue;
    const name = list.fields.find((candidate) => candidate.id === field)?.name ?? field;
    return { code: 'CONFLICT', message: `${name} was changed by someone else in the meantime.`, list: list.id, id, field, value };
  }
  return null;
}

/** An existing record is only checked where it changes, so that it stays editable after a field has become stricter. */
function wrongValue(list: List, record: AppRecord | undefined, { id, values }: Put): ChangeProblem | null {
  const fields = record ? list.fields.filter((field) => Object.hasOwn(values, field.id)) : list.fields;
  for (const field of fields) {
    const message = valueProblem(field, values[field.id] ?? null);
    if (message !== null) return { code: 'VALIDATION', message, list: list.id, id, field: field.id };
  }
  return null;
}
