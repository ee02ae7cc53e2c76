import type { AppDocument, Field, List } from './document.ts';
import type { AppRecord, Value } from './record.ts';
import { emptyValue, fromMinorUnits, isEmpty, parseText, showValue } from './values.ts';

/** How long the values of a removed field are kept in their place. */
export const keptMs = 30 * 86_400_000;

const longestNote = 20_000;

export interface Migrated {
  readonly lists: Record<string, AppRecord[]>;
  /** What happened to values that did not simply stay, one sentence each, for the user. */
  readonly summary: string[];
}

type Titles = (listId: string, recordId: string) => string | null;

interface Context {
  readonly titleOf: Titles;
  readonly nowMs: number;
}

/**
 * Brings records into the form of a changed document. A value belongs to its field's id, so a renamed field keeps it. A changed type
 * converts what converts, and the rest becomes a note of its record under the field's name. The values of a removed field stay until 30
 * days after its removal, and become notes then; a restored field gets them back. A removed choice becomes a note with its name.
 * Lists that no longer exist keep their records. Records that do not change stay the same objects. Migrating twice changes nothing more.
 */
export function migrateRecords(
  before: AppDocument,
  after: AppDocument,
  lists: Readonly<Record<string, readonly AppRecord[]>>,
  { nowMs }: { readonly nowMs: number },
): Migrated {
  const context = { titleOf: titlesOf(before, lists), nowMs };
  const summary: string[] = [];
  const migrated: [string, AppRecord[]][] = [];
  for (const [id, records] of Object.entries(lists)) {
    const list = after.lists.find((known) => known.id === id);
    if (list === undefined) {
      migrated.push([id, [...records]]);
      continue;
    }
    const old = before.lists.find((known) => known.id === id) ?? list;
    const steps = stepsOf(old, list, context);
    migrated.push([id, records.map((record) => applySteps(record, steps, nowMs))]);
    for (const { kept, converted, field } of steps) {
      if (converted > 0)
        summary.push(
          `${list.name}: ${counted(converted)} of “${field.name}” now ${converted === 1 ? 'has' : 'have'} the type ${field.type}.`,
        );
      if (kept > 0) summary.push(`${list.name}: ${counted(kept)} of “${field.name}” ${kept === 1 ? 'is' : 'are'} kept as notes.`);
    }
  }
  return { lists: Object.fromEntries(migrated), summary };
}

function counted(count: number): string {
  return count === 1 ? '1 value' : `${count.toLocaleString('en-GB')} values`;
}

function titlesOf(document: AppDocument, lists: Readonly<Record<string, readonly AppRecord[]>>): Titles {
  const byList = new Map<string, Map<string, string>>();
  return (listId, recordId) => {
    let titles = byList.get(listId);
    if (titles === undefined) {
      const field = document.lists.find(({ id }) => id === listId)?.fields[0];
      const records = Object.hasOwn(lists, listId) ? (lists[listId] ?? []) : [];
      titles = new Map(
        records.map((record) => [record.id, field === undefined ? record.id : showValue(field, storedIn(record, field.id))]),
      );
      byList.set(listId, titles);
    }
    return titles.get(recordId) ?? recordId;
  };
}

function storedIn({ values }: AppRecord, fieldId: string): Value {
  return Object.hasOwn(values, fieldId) ? (values[fieldId] ?? null) : null;
}

/** What happens to the values of one field. Counts what it does. */
interface Step {
  readonly field: Field;
  /** The new value and the texts that no longer fit. `null` removes the value from its place. */
  readonly change: (value: Value) => { readonly value: Value | undefined; readonly notes: readonly string[] };
  converted: number;
  kept: number;
}

function stepsOf(before: List, after: List, context: Context): Step[] {
  const steps: Step[] = [];
  const removed = new Map((after.removed ?? []).map((entry) => [entry.field.id, entry]));
  const oldFields = new Map(
    [...(before.removed ?? []).map(({ field }) => field), ...before.fields].map((field) => [field.id, field]),
  );
  for (const field of after.fields) {
    const old = oldFields.get(field.id) ?? field;
    steps.push({ field, change: (value) => convert(old, field, value, context), converted: 0, kept: 0 });
  }
  for (const [id, { field, removedAt }] of removed) {
    if (context.nowMs - Date.parse(removedAt) >= keptMs && !after.fields.some((known) => known.id === id))
      steps.push(toNotes(field, context));
  }
  for (const [id, field] of oldFields) {
    if (!removed.has(id) && !after.fields.some((known) => known.id === id)) steps.push(toNotes(field, context));
  }
  return steps;
}

/** For a field that is gone for good. */
function toNotes(field: Field, { titleOf }: Context): Step {
  const change = (value: Value) => ({
    value: undefined,
    notes: isEmpty(value) ? [] : [showValue(field, value, { long: true, titleOf })],
  });
  return { field, change, converted: 0, kept: 0 };
}

function choicesOf(field: Field): readonly { readonly id: string; readonly name: string }[] | undefined {
  return field.type === 'choice' || field.type === 'choices' ? field.choices : undefined;
}

function convert(
  old: Field,
  field: Field,
  value: Value,
  context: Context,
): { readonly value: Value | undefined; readonly notes: readonly string[] } {
  if (field.type === 'computed') return toNotes(old, context).change(value);
  if (isEmpty(value)) return { value, notes: [] };
  const choices = choicesOf(field);
  if (choices !== undefined && choicesOf(old) !== undefined) return convertChoices(old, field, choices, value);
  if (old.type === field.type) return convertSameType(old, field, value, context);
  const converted = convertType(old, field, value, context);
  return converted === undefined
    ? { value: emptyValue(field), notes: [showValue(old, value, { long: true, titleOf: context.titleOf })] }
    : { value: converted, notes: [] };
}

/** Keeps the choices that exist, by id. A single choice that takes the place of several keeps the first one. */
function convertChoices(old: Field, field: Field, choices: readonly { readonly id: string }[], value: Value) {
  const ids = [value].flat().map(String);
  const known = ids.filter((id) => choices.some((choice) => choice.id === id));
  const stays = field.type === 'choice' ? known.slice(0, 1) : known;
  const lost = ids.filter((id) => !stays.includes(id));
  const next = field.type === 'choice' ? (stays[0] ?? null) : stays;
  const same = Array.isArray(value) === Array.isArray(next) && lost.length === 0;
  return { value: same ? value : next, notes: lost.map((id) => showValue(old, [id])) };
}

function convertSameType(old: Field, field: Field, value: Value, { titleOf }: Context) {
  if (old.type === 'money' && field.type === 'money' && old.currency !== field.currency) {
    return { value: null, notes: [showValue(old, value, { long: true })] };
  }
  if (old.type !== 'relation' || field.type !== 'relation') return { value, notes: [] };
  if (old.list !== field.list) return { value: emptyValue(field), notes: [showValue(old, value, { titleOf })] };
  const ids = [value].flat().map(String);
  if (field.many === true) return { value: Array.isArray(value) ? value : ids, notes: [] };
  return {
    value: Array.isArray(value) ? (ids[0] ?? null) : value,
    notes: ids.slice(1).map((id) => showValue(old, [id], { titleOf })),
  };
}

/** The value in the new type, or `undefined` if it has none there. */
function convertType(old: Field, field: Field, value: Value, { titleOf, nowMs }: Context): Value | undefined {
  if (field.type === 'relation' || field.type === 'image') return undefined;
  const parsed = parseText({ ...field, needed: false }, plainText(old, field, value, titleOf), {
    todayIso: new Date(nowMs).toISOString().slice(0, 10),
  });
  return 'value' in parsed && !isEmpty(parsed.value) ? parsed.value : undefined;
}

/** A value as a person would type it for another type. */
function plainText(old: Field, field: Field, value: Value, titleOf: Titles): string {
  if (typeof value === 'number' && old.type === 'money') {
    return field.type === 'number' ? String(fromMinorUnits(value, old.currency)) : showValue(old, value, { long: true });
  }
  if (old.type === 'link' || typeof value === 'number') return String(value);
  if (old.type === 'date' && typeof value === 'string' && field.type !== 'text' && field.type !== 'longtext') return value;
  return showValue(old, value, { titleOf });
}

function applySteps(record: AppRecord, steps: readonly Step[], nowMs: number): AppRecord {
  const values: Record<string, Value> = { ...record.values };
  const notes: [string, string][] = Object.entries(record.notes ?? {});
  let changed = false;
  for (const step of steps) {
    const { id, name } = step.field;
    if (!Object.hasOwn(values, id)) continue;
    const value = values[id] ?? null;
    const next = step.change(value);
    if (next.value === value && next.notes.length === 0) continue;
    changed = true;
    if (next.value === undefined) delete values[id];
    else values[id] = next.value;
    if (next.notes.length > 0) step.kept += 1;
    else if (!isEmpty(value)) step.converted += 1;
    addNote(notes, name, next.notes);
  }
  if (!changed) return record;
  return { ...record, values, ...(notes.length > 0 ? { notes: Object.fromEntries(notes) } : {}), changedMs: nowMs };
}

/** Adds lines to the note of a field, without repeating one. A note that would grow too long continues under another name. */
function addNote(notes: [string, string][], field: string, lines: readonly string[]): void {
  for (const line of lines) {
    let name = field;
    for (let count = 2; ; count += 1) {
      const entry = notes.find(([known]) => known === name);
      if (entry === undefined) {
        notes.push([name, line.slice(0, longestNote)]);
        break;
      }
      if (entry[1].split('\n').includes(line)) break;
      if (entry[1].length + line.length < longestNote) {
        entry[1] = `${entry[1]}\n${line}`;
        break;
      }
      name = `${field.slice(0, 55)} ${count}`;
    }
  }
}
