import { createStore } from 'zustand/vanilla';
import type { Applied } from '../../model/api.ts';
import { changed, changeProblem, isSame, storedValue } from '../../model/apply.ts';
import type { AppDocument } from '../../model/document.ts';
import type { AppRecord, Change, Value } from '../../model/record.ts';
import { type Batch, type ChangesEvent, RequestError, type Transport } from './transport.ts';

export type SaveState = 'saved' | 'saving' | 'offline' | 'failed' | 'conflict';

/** A value that the user and someone else have changed. */
export interface Contested {
  readonly list: string;
  readonly id: string;
  readonly field: string;
  readonly mine: Value;
}

/** Changes of the user that are not applied, because someone else has changed the same fields. They are kept until the user chooses. */
export interface Conflict {
  readonly id: string;
  /** Name of the step: “Changed tool”. */
  readonly name: string;
  readonly changes: readonly Change[];
  readonly contested: readonly Contested[];
}

/** The last thing that was done, for a message with Undo. */
export interface LastStep {
  readonly name: string;
  readonly kind: 'done' | 'undone' | 'redone';
  readonly atMs: number;
}

export interface DataState {
  /** Whether the records have arrived. */
  readonly loaded: boolean;
  readonly state: SaveState;
  readonly problem: string | null;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly lastStep: LastStep | null;
  /** The oldest first. */
  readonly conflicts: readonly Conflict[];
  readonly lists: Readonly<Record<string, readonly AppRecord[]>>;
  /** When someone else last changed a record, by `list/id`, in milliseconds since the epoch. */
  readonly foreign: Readonly<Record<string, number>>;
}

interface Surroundings {
  readonly transport: Transport;
  readonly document: () => AppDocument;
  /** Keeps unsent batches while the page loads again. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly nowMs?: () => number;
  readonly newId?: () => string;
}

/** A batch that waits. One made of several is sent again with the same number until the server has answered. */
interface Waiting extends Batch {
  readonly parts?: readonly Batch[];
  readonly isSent?: boolean;
  /** Whether it is sent by itself, because the server has refused it together with others. */
  readonly isAlone?: boolean;
}

interface Step {
  readonly name: string;
  /** Changes that take it back, or do it again. */
  readonly changes: readonly Change[];
  readonly batches: readonly string[];
}

type Records = Map<string, AppRecord>;

const storageKey = 'koda:unsent-changes';
const conflictsKey = 'koda:conflicts';
const maxSteps = 200;
const maxChangesPerRequest = 5000;
const maxDelayMs = 15_000;
const firstDelayMs = 500;

const keyOf = (list: string, id: string): string => `${list}/${id}`;

/** Returns a random id of a record or a batch. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** All records in the page: those of the server, and over them the changes that it has not confirmed. */
export class DataClient {
  readonly store = createStore<DataState>(() => ({
    loaded: false,
    state: 'saved',
    problem: null,
    canUndo: false,
    canRedo: false,
    lastStep: null,
    conflicts: [],
    lists: {},
    foreign: {},
  }));
  readonly #transport: Transport;
  readonly #document: () => AppDocument;
  readonly #storage: Surroundings['storage'];
  readonly #nowMs: () => number;
  readonly #newId: () => string;
  /** Records as the server has them, and as the page shows them. */
  #confirmed = new Map<string, Records>();
  #shown = new Map<string, Records>();
  /** Number of the last change of each record, so that an older one cannot replace it. */
  #seqs = new Map<string, number>();
  #snapshotSeq = 0;
  #queue: Waiting[] = [];
  #conflicts: readonly Conflict[] = [];
  /** What records held that someone else has deleted while changes of them waited, so that the user can keep them. */
  #lost = new Map<string, AppRecord>();
  #own = new Set<string>();
  #undo: Step[] = [];
  #redo: Step[] = [];
  #isSending = false;
  #isOffline = false;
  #problem: string | null = null;
  #delayMs = firstDelayMs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopListening: (() => void) | null = null;
  #isLoading = false;
  #isStopped = false;

  constructor({ transport, document, storage, nowMs = Date.now, newId = randomId }: Surroundings) {
    this.#transport = transport;
    this.#document = document;
    this.#storage = storage;
    this.#nowMs = nowMs;
    this.#newId = newId;
    const kept = storage.getItem(storageKey);
    if (kept) this.#queue = JSON.parse(kept) as Waiting[];
    for (const { batch } of this.#queue) this.#own.add(batch);
    const keptConflicts = storage.getItem(conflictsKey);
    if (keptConflicts) this.#conflicts = JSON.parse(keptConflicts) as Conflict[];
  }

  /** Reads all records, and receives changes from then on. */
  async start(): Promise<void> {
    if (this.#isLoading || this.#isStopped) return;
    this.#isLoading = true;
    this.#stopListening?.();
    this.#stopListening = null;
    try {
      const { seq, lists } = await this.#transport.load();
      this.#confirmed = new Map(Object.entries(lists).map(([list, records]) => [list, new Map(records.map((r) => [r.id, r]))]));
      this.#seqs = new Map();
      this.#snapshotSeq = seq;
      this.#isOffline = false;
      this.#showAll();
      this.#stopListening = this.#transport.listen(seq, {
        onChanges: (event) => this.#receive(event),
        onReset: () => void this.start(),
        onOnline: (isOnline) => this.#setOnline(isOnline),
      });
      this.#isLoading = false;
      this.#publish({ loaded: true });
      void this.#send();
    } catch (error) {
      this.#isLoading = false;
      this.#failed(error, () => void this.start());
    }
  }

  /** Ends the connection, and sends nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#stopListening?.();
    clearTimeout(this.#timer);
  }

  record(list: string, id: string): AppRecord | undefined {
    return this.#shown.get(list)?.get(id);
  }

  /**
   * Applies changes and sends them. Returns false, and does nothing, if one of them is not allowed. If a value is no longer the one in
   * `was`, the changes wait for the user's choice instead.
   */
  change(name: string, changes: readonly Change[]): boolean {
    const conflictsBefore = this.#conflicts;
    const done = this.#apply(name, changes);
    if (!done) return this.#conflicts !== conflictsBefore;
    this.#undo = [...this.#undo, { name, changes: done.inverse, batches: done.batches }].slice(-maxSteps);
    this.#redo = [];
    this.#publish({ lastStep: { name, kind: 'done', atMs: this.#nowMs() } });
    return true;
  }

  undo(): void {
    const step = this.#undo.at(-1);
    if (!step) return;
    this.#undo = this.#undo.slice(0, -1);
    const done = this.#apply(step.name, step.changes);
    if (!done) return;
    this.#redo = [...this.#redo, { name: step.name, changes: done.inverse, batches: done.batches }];
    this.#publish({ lastStep: { name: step.name, kind: 'undone', atMs: this.#nowMs() } });
  }

  redo(): void {
    const step = this.#redo.at(-1);
    if (!step) return;
    this.#redo = this.#redo.slice(0, -1);
    const done = this.#apply(step.name, step.changes);
    if (!done) return;
    this.#undo = [...this.#undo, { name: step.name, changes: done.inverse, batches: done.batches }];
    this.#publish({ lastStep: { name: step.name, kind: 'redone', atMs: this.#nowMs() } });
  }

  /** Ends a conflict. “Mine” replaces what someone else has entered, “theirs” leaves out the changes of those records. */
  resolve(conflictId: string, keep: 'mine' | 'theirs'): void {
    const conflict = this.#conflicts.find(({ id }) => id === conflictId);
    if (!conflict) return;
    const records = new Set(conflict.contested.map(({ list, id }) => keyOf(list, id)));
    const changes =
      keep === 'mine'
        ? conflict.changes.map((change) => this.#regardless(change))
        : conflict.changes.filter(({ list, id }) => !records.has(keyOf(list, id)));
    const others = this.#conflicts.filter(({ id }) => id !== conflictId);
    this.#conflicts = others;
    const isDone = changes.length === 0 || this.change(conflict.name, changes);
    // The field may have become stricter meanwhile. The conflict then stays open.
    if (!isDone) this.#conflicts = [conflict, ...others];
    this.#keepConflicts();
    this.#publish();
  }

  /** The same change whatever the record holds by now. It brings back a deleted record as a whole. */
  #regardless(change: Change): Change {
    if (change.op === 'delete') return change;
    const { was: _, ...put } = change;
    const lost = this.record(change.list, change.id) ? undefined : this.#lost.get(keyOf(change.list, change.id));
    return lost ? { ...put, values: { ...lost.values, ...put.values } } : put;
  }

  /** Asks the user whose values to keep. Later changes of the same fields belong to the same question. */
  #ask(name: string, changes: readonly Change[], present: ReadonlyMap<string, Records>): void {
    const together = this.#conflicts.filter((conflict) => sharesField(conflict.changes, changes));
    const all = [...together.flatMap((conflict) => conflict.changes), ...changes];
    const conflict = {
      id: this.#newId(),
      name,
      changes: together.length === 0 ? changes : all,
      contested: contestedIn(all, present),
    };
    this.#conflicts = [...this.#conflicts.filter((other) => !together.includes(other)), conflict];
    this.#keepConflicts();
  }

  /** Sends again now, instead of after the delay. */
  retry(): void {
    clearTimeout(this.#timer);
    this.#problem = null;
    this.#delayMs = firstDelayMs;
    this.#publish();
    if (this.store.getState().loaded) void this.#send();
    else void this.start();
  }

  /** Stores a picture, and returns its id. @throws {RequestError} with a message for the user */
  upload(file: Blob): Promise<string> {
    return this.#transport.upload(file);
  }

  #apply(
    name: string,
    changes: readonly Change[],
  ): { readonly inverse: readonly Change[]; readonly batches: readonly string[] } | null {
    const drafts = new Map<string, AppRecord | null>();
    const sent: Change[] = [];
    const inverse: Change[] = [];
    const nowMs = this.#nowMs();
    for (const change of changes) {
      const key = keyOf(change.list, change.id);
      const drafted = drafts.get(key);
      const record = drafted === undefined ? this.record(change.list, change.id) : (drafted ?? undefined);
      const seen =
        change.op === 'put' && record && !change.was ? { ...change, was: pick(record, Object.keys(change.values)) } : change;
      const problem = changeProblem(this.#document(), record, seen);
      if (problem) {
        if (problem.code === 'CONFLICT') this.#ask(name, changes, this.#shown);
        else this.#problem = problem.message;
        this.#publish();
        return null;
      }
      const result = changed(record, seen, nowMs);
      drafts.set(key, result);
      sent.push(seen);
      inverse.unshift(...inverseOf(record, result, seen));
    }
    if (sent.length === 0) return null;
    this.#problem = null;
    const batches: string[] = [];
    for (let start = 0; start < sent.length; start += maxChangesPerRequest) {
      const batch = this.#newId();
      batches.push(batch);
      this.#own.add(batch);
      this.#queue.push({ batch, changes: sent.slice(start, start + maxChangesPerRequest) });
    }
    this.#keepQueue();
    this.#show(changes);
    this.#publish();
    void this.#send();
    return { inverse, batches };
  }

  async #send(): Promise<void> {
    if (this.#isStopped || this.#isSending || this.#queue.length === 0 || !this.store.getState().loaded) return;
    this.#isSending = true;
    clearTimeout(this.#timer);
    const head = this.#nextRequest();
    try {
      const { seq, applied } = await this.#transport.send({ batch: head.batch, changes: head.changes });
      this.#isSending = false;
      this.#isOffline = false;
      this.#delayMs = firstDelayMs;
      this.#confirm(head.batch, seq, applied);
      void this.#send();
    } catch (error) {
      this.#isSending = false;
      if (error instanceof RequestError && error.isFinal) this.#refused(head, error);
      else this.#failed(error, () => void this.#send());
    }
  }

  /** Joins what waits. What was sent before is sent in the same way, because the server may have received it. */
  #nextRequest(): Waiting {
    const [first] = this.#queue;
    if (!first) throw new Error('nothing waits to be sent');
    let count = 1;
    let changes = first.changes.length;
    while (!first.isSent && !first.isAlone) {
      const next = this.#queue[count];
      if (!next || next.isAlone || changes + next.changes.length > maxChangesPerRequest) break;
      count += 1;
      changes += next.changes.length;
    }
    const parts = this.#queue.slice(0, count);
    const joined = { batch: this.#newId(), changes: parts.flatMap((part) => part.changes), parts, isSent: true };
    const head = count === 1 ? { ...first, isSent: true } : joined;
    this.#own.add(head.batch);
    this.#queue.splice(0, count, head);
    this.#keepQueue();
    return head;
  }

  #confirm(batch: string, seq: number, applied: readonly Applied[]): void {
    this.#queue = this.#queue.filter((waiting) => waiting.batch !== batch);
    this.#keepQueue();
    this.#merge(seq, applied);
    this.#publish();
  }

  #refused(head: Waiting, error: RequestError): void {
    const [first, ...rest] = this.#queue;
    if (first?.batch !== head.batch) return;
    if (head.parts) {
      this.#queue = [...head.parts.map((part) => ({ ...part, isAlone: true })), ...rest];
    } else {
      this.#acceptTheirs(error.details);
      this.#queue = rest;
      if (error.code === 'CONFLICT') this.#ask(this.#nameOf(head.batch), head.changes, this.#confirmed);
      else this.#problem = error.message;
      const isDropped = ({ batches }: Step) => batches.includes(head.batch);
      this.#undo = this.#undo.filter((step) => !isDropped(step));
      this.#redo = this.#redo.filter((step) => !isDropped(step));
      this.#show(head.changes);
    }
    this.#keepQueue();
    this.#publish();
    void this.#send();
  }

  #nameOf(batch: string): string {
    return [...this.#undo, ...this.#redo].find(({ batches }) => batches.includes(batch))?.name ?? 'Changed';
  }

  /** The refusal brings the record as the server has it. */
  #acceptTheirs(details: unknown): void {
    if (typeof details !== 'object' || details === null || !('list' in details) || !('id' in details)) return;
    if (!('record' in details)) return;
    const { list, id, record } = details as Applied;
    this.#setConfirmed(list, id, record);
  }

  #failed(error: unknown, again: () => void): void {
    this.#isOffline = error instanceof RequestError && error.isOffline;
    const reason = error instanceof Error ? error.message : String(error);
    const words = this.store.getState().loaded ? `Could not save. Your change is still here. ${reason}` : reason;
    this.#problem = this.#isOffline ? null : words;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(again, this.#delayMs);
    this.#delayMs = Math.min(maxDelayMs, this.#delayMs * 2);
    this.#publish();
  }

  #setOnline(isOnline: boolean): void {
    const wasOffline = this.#isOffline;
    this.#isOffline = !isOnline;
    this.#publish();
    if (isOnline && wasOffline) this.retry();
  }

  #receive({ seq, batch, applied }: ChangesEvent): void {
    if (this.#own.has(batch)) {
      this.#merge(seq, applied);
      return;
    }
    const nowMs = this.#nowMs();
    const foreign = { ...this.store.getState().foreign };
    for (const { list, id } of applied) foreign[keyOf(list, id)] = nowMs;
    this.#merge(seq, applied);
    this.#publish({ foreign });
  }

  #merge(seq: number, applied: readonly Applied[]): void {
    if (seq <= this.#snapshotSeq) {
      this.#show(applied);
      return;
    }
    for (const { list, id, record } of applied) {
      const key = keyOf(list, id);
      if ((this.#seqs.get(key) ?? 0) >= seq) continue;
      this.#seqs.set(key, seq);
      this.#setConfirmed(list, id, record);
    }
    this.#show(applied);
  }

  #setConfirmed(list: string, id: string, record: AppRecord | null): void {
    const records = this.#confirmed.get(list) ?? new Map<string, AppRecord>();
    this.#confirmed.set(list, records);
    const before = records.get(id);
    if (record) records.set(id, record);
    else records.delete(id);
    const waits = () => this.#queue.some(({ changes }) => changes.some((change) => change.list === list && change.id === id));
    if (before && !record && waits()) this.#lost.set(keyOf(list, id), before);
  }

  #showAll(): void {
    this.#shown = new Map([...this.#confirmed].map(([list, records]) => [list, new Map(records)]));
    const pending = this.#queue.flatMap(({ changes }) => changes);
    this.store.setState({ lists: Object.fromEntries([...this.#shown].map(([list, records]) => [list, ordered(records)])) });
    this.#show(pending);
  }

  /** Shows these records as the server has them, with what waits applied to them. */
  #show(places: readonly { readonly list: string; readonly id: string }[]): void {
    if (places.length === 0) return;
    const waiting = Map.groupBy(
      this.#queue.flatMap(({ changes }) => changes),
      ({ list, id }) => keyOf(list, id),
    );
    const lists = new Set<string>();
    for (const { list, id } of places) {
      lists.add(list);
      const records = this.#shown.get(list) ?? new Map<string, AppRecord>();
      this.#shown.set(list, records);
      const confirmed = this.#confirmed.get(list)?.get(id);
      const present = records.get(id);
      const changes = waiting.get(keyOf(list, id)) ?? [];
      let record = confirmed;
      for (const change of changes) {
        const next = changed(record, change, present?.changedMs ?? this.#nowMs());
        record = next ? { ...next, createdMs: record?.createdMs ?? present?.createdMs ?? next.createdMs } : undefined;
      }
      if (record) records.set(id, record);
      else records.delete(id);
    }
    const changedLists = [...lists].map((list) => [list, ordered(this.#shown.get(list) ?? new Map())] as const);
    this.store.setState((state) => ({ lists: { ...state.lists, ...Object.fromEntries(changedLists) } }));
  }

  #keepQueue(): void {
    this.#keep(storageKey, this.#queue);
  }

  #keepConflicts(): void {
    this.#keep(conflictsKey, this.#conflicts);
  }

  #keep(key: string, items: readonly unknown[]): void {
    try {
      if (items.length === 0) this.#storage.removeItem(key);
      else this.#storage.setItem(key, JSON.stringify(items));
    } catch (error) {
      // A large import does not fit into the browser's storage. It is sent all the same.
      console.warn(`Unsent changes do not survive a reload: ${String(error)}`);
    }
  }

  #publish(more: Partial<DataState> = {}): void {
    this.store.setState({
      ...more,
      state: this.#saveState(),
      problem: this.#problem,
      conflicts: this.#conflicts,
      canUndo: this.#undo.length > 0,
      canRedo: this.#redo.length > 0,
    });
  }

  #saveState(): SaveState {
    if (this.#problem !== null) return 'failed';
    if (this.#isOffline) return 'offline';
    if (this.#conflicts.length > 0) return 'conflict';
    return this.#queue.length > 0 ? 'saving' : 'saved';
  }
}

const ordered = (records: Records): AppRecord[] => [...records.values()].sort((one, other) => one.createdMs - other.createdMs);

const pick = (record: AppRecord, fields: readonly string[]): Record<string, Value> =>
  Object.fromEntries(fields.map((field) => [field, storedValue(record, field)]));

/** The fields that changes set, each as `list/id/field`. */
const fieldKeys = (changes: readonly Change[]): string[] =>
  changes.flatMap((change) =>
    change.op === 'put' ? Object.keys(change.values).map((field) => `${keyOf(change.list, change.id)}/${field}`) : [],
  );

function sharesField(some: readonly Change[], others: readonly Change[]): boolean {
  const keys = new Set(fieldKeys(some));
  return fieldKeys(others).some((key) => keys.has(key));
}

/** The fields in which the record is no longer as the first of these changes has found it. */
function contestedIn(changes: readonly Change[], present: ReadonlyMap<string, Records>): readonly Contested[] {
  const found = new Map<string, Contested | null>();
  for (const change of changes) {
    if (change.op === 'delete') continue;
    const { list, id, values, was = {} } = change;
    for (const [field, mine] of Object.entries(values)) {
      const key = `${keyOf(list, id)}/${field}`;
      const isStale = Object.hasOwn(was, field) && !isSame(was[field] ?? null, storedValue(present.get(list)?.get(id), field));
      if (found.get(key) || (!found.has(key) && isStale)) found.set(key, { list, id, field, mine });
      else found.set(key, null);
    }
  }
  return [...found.values()].filter((contested) => contested !== null);
}

/** Returns the changes that restore a record. */
function inverseOf(before: AppRecord | undefined, after: AppRecord | null, change: Change): Change[] {
  const { list, id } = change;
  if (!before) return after ? [{ op: 'delete', list, id }] : [];
  const { values, notes, sample } = before;
  if (change.op === 'delete') {
    return [{ op: 'put', list, id, values, ...(notes ? { notes } : {}), ...(sample ? { sample } : {}) }];
  }
  const fields = Object.keys(change.values);
  const was = after ? pick(after, fields) : {};
  return [{ op: 'put', list, id, values: pick(before, fields), was, ...(change.notes ? { notes: notes ?? {} } : {}) }];
}
