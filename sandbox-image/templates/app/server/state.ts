import type { z } from 'zod';
import type { Applied, changesRequestSchema } from '../model/api.ts';
import { type ChangeProblem, changed, changeProblem, isSame, storedValue } from '../model/apply.ts';
import type { AppDocument, Field, List } from '../model/document.ts';
import type { AppRecord, Change, Value } from '../model/record.ts';
import { Problem, type ProblemStatus } from './problem.ts';

export type ChangesRequest = z.infer<typeof changesRequestSchema>;

/** A batch as it took effect. `atMs` is in milliseconds since the epoch. */
export interface Entry {
  readonly seq: number;
  readonly batch: string;
  readonly atMs: number;
  readonly applied: readonly Applied[];
}

const statuses = { NOT_FOUND: 404, CONFLICT: 409, VALIDATION: 422 } satisfies Record<ChangeProblem['code'], ProblemStatus>;

/** Batches whose repetition is noticed. */
const keptBatches = 1000;

const uniqueKey = (list: string, field: string, value: Value): string => JSON.stringify([list, field, value]);
const recordKey = (list: string, id: string): string => `${list}/${id}`;
const isUnique = (field: Field): boolean => 'unique' in field && field.unique === true;

/** All records of an app. Only `commit` and the members that fill it from the journal change it. */
export class AppState {
  seq = 0;
  /** When the newest record was created. Each record has a time of its own, which is its place in its list. */
  lastCreatedMs = 0;
  readonly lists = new Map<string, Map<string, AppRecord>>();
  /** Creation times of deleted records by list and id. Relations to them stay, and Undo puts them back where they were. */
  readonly deleted = new Map<string, Map<string, number>>();
  /** Numbers of the last batches. */
  readonly batches = new Map<string, number>();
  readonly #unique = new Map<string, string>();
  readonly #document: AppDocument | null;

  constructor(document: AppDocument | null) {
    this.#document = document;
  }

  get size(): number {
    return [...this.lists.values()].reduce((sum, records) => sum + records.size, 0);
  }

  get(list: string, id: string): AppRecord | undefined {
    return this.lists.get(list)?.get(id);
  }

  /** Returns the records of a list in the order of their creation. */
  ordered(list: string): AppRecord[] {
    return [...(this.lists.get(list)?.values() ?? [])].sort((one, other) => one.createdMs - other.createdMs);
  }

  put(list: string, record: AppRecord): void {
    const records = this.lists.get(list) ?? new Map<string, AppRecord>();
    this.lists.set(list, records);
    this.#forgetUnique(list, records.get(record.id));
    records.set(record.id, record);
    this.deleted.get(list)?.delete(record.id);
    this.lastCreatedMs = Math.max(this.lastCreatedMs, record.createdMs);
    for (const { id } of this.#uniqueFields(list)) {
      const value = storedValue(record, id);
      if (value !== null) this.#unique.set(uniqueKey(list, id, value), record.id);
    }
  }

  delete(list: string, id: string): void {
    const record = this.get(list, id);
    if (!record) return;
    this.#forgetUnique(list, record);
    this.lists.get(list)?.delete(id);
    const deleted = this.deleted.get(list) ?? new Map<string, number>();
    this.deleted.set(list, deleted.set(id, record.createdMs));
  }

  rememberBatch(batch: string, seq: number): void {
    this.batches.set(batch, seq);
    const [oldest] = this.batches.keys();
    if (this.batches.size > keptBatches && oldest !== undefined) this.batches.delete(oldest);
  }

  apply({ seq, batch, applied }: Entry): void {
    for (const { list, id, record } of applied) {
      if (record) this.put(list, record);
      else this.delete(list, id);
    }
    this.seq = seq;
    this.rememberBatch(batch, seq);
  }

  /** Returns the id of the record that has this value in a unique field. */
  holder(list: string, field: string, value: Value): string | undefined {
    return this.#unique.get(uniqueKey(list, field, value));
  }

  #uniqueFields(list: string): Field[] {
    return this.#document?.lists.find(({ id }) => id === list)?.fields.filter(isUnique) ?? [];
  }

  #forgetUnique(list: string, record: AppRecord | undefined): void {
    if (!record) return;
    for (const { id } of this.#uniqueFields(list)) {
      const key = uniqueKey(list, id, storedValue(record, id));
      if (this.#unique.get(key) === record.id) this.#unique.delete(key);
    }
  }
}

interface Touched {
  readonly list: string;
  readonly id: string;
  readonly before: AppRecord | undefined;
  record: AppRecord | null;
}

/** Batches that are checked, and take effect once they are on the disk. */
export class Draft {
  readonly entries: Entry[] = [];
  readonly #state: AppState;
  readonly #document: AppDocument;
  readonly #records = new Map<string, AppRecord | null>();
  readonly #holders = new Map<string, string>();
  #lastCreatedMs: number;

  constructor(state: AppState, document: AppDocument) {
    this.#state = state;
    this.#document = document;
    this.#lastCreatedMs = state.lastCreatedMs;
  }

  /**
   * Adds a batch. One that has taken effect before is answered again and not added.
   *
   * @throws {Problem} if a change is refused. Nothing of the batch is added then.
   */
  add({ batch, changes }: ChangesRequest, nowMs: number): { readonly seq: number; readonly applied: readonly Applied[] } {
    const known = this.#state.batches.get(batch) ?? this.entries.find((entry) => entry.batch === batch)?.seq;
    if (known !== undefined) {
      const applied = changes.map(({ list, id }) => ({ list, id, record: this.#get(list, id) ?? null }));
      return { seq: known, applied };
    }
    const touched = new Map<string, Touched>();
    let lastCreatedMs = this.#lastCreatedMs;
    for (const change of changes) {
      const key = recordKey(change.list, change.id);
      const before = this.#get(change.list, change.id);
      const present = touched.has(key) ? (touched.get(key)?.record ?? undefined) : before;
      const problem = changeProblem(this.#document, present, change);
      if (problem) throw refusal(problem, present);
      const known = (present ?? before)?.createdMs ?? this.#state.deleted.get(change.list)?.get(change.id);
      const createdMs = known ?? Math.max(nowMs, Math.round(lastCreatedMs * 1000 + 1) / 1000);
      lastCreatedMs = Math.max(lastCreatedMs, createdMs);
      const record = changed(present, change, nowMs);
      touched.set(key, { list: change.list, id: change.id, before, record: record && { ...record, createdMs } });
    }
    const results = [...touched.values()];
    for (const result of results) this.#checkRelations(result, touched);
    this.#checkUnique(results, touched);
    const applied = results.map(({ list, id, record }) => ({ list, id, record }));
    for (const { list, id, record } of applied) this.#keep(list, id, record);
    this.#lastCreatedMs = lastCreatedMs;
    const seq = (this.entries.at(-1)?.seq ?? this.#state.seq) + 1;
    this.entries.push({ seq, batch, atMs: nowMs, applied });
    return { seq, applied };
  }

  #keep(list: string, id: string, record: AppRecord | null): void {
    this.#records.set(recordKey(list, id), record);
    if (!record) return;
    for (const field of this.#list(list).fields.filter(isUnique)) {
      this.#holders.set(uniqueKey(list, field.id, storedValue(record, field.id)), id);
    }
  }

  #get(list: string, id: string): AppRecord | undefined {
    const drafted = this.#records.get(recordKey(list, id));
    return drafted === undefined ? this.#state.get(list, id) : (drafted ?? undefined);
  }

  #list(id: string): List {
    const list = this.#document.lists.find((candidate) => candidate.id === id);
    if (!list) throw new Problem(404, 'NOT_FOUND', `There is no list “${id}”.`);
    return list;
  }

  #checkRelations({ list, id, before, record }: Touched, touched: ReadonlyMap<string, Touched>): void {
    if (!record) return;
    for (const field of this.#list(list).fields) {
      const value = storedValue(record, field.id);
      if (field.type !== 'relation' || value === null || isSame(value, storedValue(before, field.id))) continue;
      for (const target of [value].flat()) {
        if (typeof target === 'string' && this.#hasExisted(field.list, target, touched)) continue;
        const message = `${field.name} names a record that does not exist.`;
        throw refusal({ code: 'VALIDATION', message, list, id, field: field.id }, before);
      }
    }
  }

  /** A relation to a deleted record is allowed, because Undo brings back records that have one. */
  #hasExisted(list: string, id: string, touched: ReadonlyMap<string, Touched>): boolean {
    const key = recordKey(list, id);
    return touched.has(key) || this.#records.has(key) || this.#state.get(list, id) !== undefined || this.#wasDeleted(list, id);
  }

  #wasDeleted(list: string, id: string): boolean {
    return this.#state.deleted.get(list)?.has(id) === true;
  }

  #checkUnique(results: readonly Touched[], touched: ReadonlyMap<string, Touched>): void {
    const taken = new Map<string, string>();
    for (const { list, id, before, record } of results) {
      for (const field of this.#list(list).fields.filter(isUnique)) {
        const value = storedValue(record ?? undefined, field.id);
        if (value === null) continue;
        const key = uniqueKey(list, field.id, value);
        const holders = [taken.get(key), this.#holders.get(key), this.#state.holder(list, field.id, value)];
        taken.set(key, id);
        if (isSame(value, storedValue(before, field.id))) continue;
        const present = (holder: string) => {
          const own = touched.get(recordKey(list, holder));
          return own ? (own.record ?? undefined) : this.#get(list, holder);
        };
        const other = holders.find((holder) => holder && holder !== id && isSame(storedValue(present(holder), field.id), value));
        if (other === undefined) continue;
        const message = `Another ${this.#list(list).one} has the ${field.name} “${String(value)}”. It must be different in each.`;
        throw refusal({ code: 'VALIDATION', message, list, id, field: field.id }, before);
      }
    }
  }
}

function refusal({ code, message, ...details }: ChangeProblem, record: AppRecord | undefined): Problem {
  return new Problem(statuses[code], code, message, { ...details, record: record ?? null });
}

/** Creates the change that sets these values of a record. */
export const putOf = (list: string, id: string, values: Readonly<Record<string, Value>>): Change => ({
  op: 'put',
  list,
  id,
  values: { ...values },
});
