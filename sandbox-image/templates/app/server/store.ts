import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Applied, Snapshot } from '../model/api.ts';
import { type AppDocument, documentPath, documentSchema, documentVersion } from '../model/document.ts';
import type { AppRecord } from '../model/record.ts';
import { DamagedJournal, printEntries, printState, type ReadJournal, readJournal } from './journal.ts';
import { diskProblem, Problem } from './problem.ts';
import { AppState, type ChangesRequest, Draft, type Entry } from './state.ts';

/** Events that a page which was away can catch up on. */
const keptEvents = 1000;

/** What listeners receive: a batch that took effect, or `reset` if all records have to be read again. */
export type StoreEvent = Entry | 'reset';

interface Waiting {
  readonly request: ChangesRequest;
  readonly resolve: (response: { readonly seq: number; readonly applied: readonly Applied[] }) => void;
  readonly reject: (error: unknown) => void;
}

type Records = Readonly<Record<string, readonly AppRecord[]>>;

// The only place that adapts records to a changed document: model/migrate.ts replaces this function.
function migrateRecords(_before: AppDocument, after: AppDocument, lists: Records, _options: { readonly nowMs: number }): Records {
  return Object.fromEntries(after.lists.map(({ id }) => [id, lists[id] ?? []]));
}

/** How a file's present content is told from that which was read. */
function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats ? `${stats.ino}:${stats.size}:${stats.mtimeNs}` : 'missing';
}

const fingerprint = ({ lists }: AppDocument): string => createHash('sha256').update(JSON.stringify(lists)).digest('hex');

function readDocument(file: string): AppDocument | Problem {
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof json === 'object' && json !== null && 'version' in json && Number(json.version) > documentVersion) {
      return new Problem(503, 'LATER_VERSION', `${documentPath} was written by a later version of Koda. The data is unchanged.`);
    }
    const parsed = documentSchema.safeParse(json);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : parsed.error.message;
    return new Problem(503, 'BROKEN_DOCUMENT', `${documentPath} cannot be used, so nothing can be saved. ${reason}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new Problem(503, 'BROKEN_DOCUMENT', `${documentPath} cannot be read, so nothing can be saved. ${reason}`);
  }
}

/** Writes a file so that it is on the disk, under its name, when this resolves. */
async function writeDurably(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(file, 'w');
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  const folder = await open(path.dirname(to), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * The records of an app: all in memory, and in the journal `data/records.ndjson` before a change is acknowledged. Changes of the
 * document and of the journal by other programs, such as a restored backup, are noticed at the next request.
 */
export class Store {
  readonly #documentFile: string;
  readonly #journalFile: string;
  readonly #lastDocumentFile: string;
  readonly #dataFolder: string;
  readonly #nowMs: () => number;
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  #state = new AppState(null);
  #document: AppDocument | null = null;
  /** Why nothing can be written, or not even be read. */
  #documentProblem: Problem | null = null;
  #journalProblem: Problem | null = null;
  #documentStamp = '';
  #journalStamp = '';
  #journal: FileHandle | null = null;
  #journalBytes = 0;
  #journalLines = 0;
  #events: Entry[] = [];
  #waiting: Waiting[] = [];
  #isBusy = false;
  /** Whether the journal was read while it could be written. */
  #isLoaded = false;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param root folder of the app, with `src/app.json` and `data/` */
  constructor(root: string, { nowMs = Date.now }: { readonly nowMs?: () => number } = {}) {
    this.#documentFile = path.join(root, documentPath);
    this.#dataFolder = path.join(root, 'data');
    this.#journalFile = path.join(this.#dataFolder, 'records.ndjson');
    this.#lastDocumentFile = path.join(this.#dataFolder, 'document.json');
    this.#nowMs = nowMs;
  }

  /** Reads what has changed on the disk. @throws {Problem} if the records cannot be read */
  async refresh(): Promise<void> {
    if (!this.#isBusy && this.#isStale()) await this.#inTurn(() => this.#load());
    if (this.#journalProblem) throw this.#journalProblem;
  }

  /** Why changes are refused at present. */
  get problem(): Problem | null {
    return this.#journalProblem ?? this.#documentProblem;
  }

  /** @throws {Problem} if there is none that can be used */
  get document(): AppDocument {
    if (!this.#document) throw this.problem ?? new Problem(503, 'BROKEN_DOCUMENT', `${documentPath} was not read yet.`);
    return this.#document;
  }

  get state(): AppState {
    return this.#state;
  }

  snapshot(): Snapshot {
    const lists = this.document.lists.map(({ id }) => [id, this.#state.ordered(id)] as const);
    return { seq: this.#state.seq, lists: Object.fromEntries(lists) };
  }

  /** Resolves once the changes are on the disk. @throws {Problem} if nothing of the batch takes effect */
  submit(request: ChangesRequest): Promise<{ readonly seq: number; readonly applied: readonly Applied[] }> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (this.#waiting.length === 1) void this.#inTurn(() => this.#writeWaiting());
    });
  }

  /** Calls the listener with all events after `seq`, and with all later ones until the returned function is called. */
  listen(after: number, listener: (event: StoreEvent) => void): () => void {
    const firstKept = this.#events[0]?.seq ?? this.#state.seq + 1;
    if (after > this.#state.seq || after < firstKept - 1) listener('reset');
    else for (const event of this.#events) if (event.seq > after) listener(event);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#journal?.close();
      this.#journal = null;
    });
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(async () => {
      this.#isBusy = true;
      try {
        return await task();
      } finally {
        this.#isBusy = false;
      }
    });
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #isStale(): boolean {
    return this.#documentStamp !== stampOf(this.#documentFile) || this.#journalStamp !== stampOf(this.#journalFile);
  }

  #emit(event: StoreEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  async #writeWaiting(): Promise<void> {
    if (this.#isStale()) await this.#load();
    const waiting = this.#waiting;
    this.#waiting = [];
    const problem = this.problem;
    const document = this.#document;
    if (problem || !document) {
      for (const { reject } of waiting) reject(problem);
      return;
    }
    const draft = new Draft(this.#state, document);
    const answers: (() => void)[] = [];
    const accepted: Waiting[] = [];
    for (const item of waiting) {
      try {
        const response = draft.add(item.request, this.#nowMs());
        answers.push(() => item.resolve(response));
        accepted.push(item);
      } catch (error) {
        item.reject(error);
      }
    }
    try {
      if (draft.entries.length > 0) await this.#append(draft.entries);
    } catch (error) {
      const reason = diskProblem(error);
      for (const { reject } of accepted) reject(reason);
      return;
    }
    for (const entry of draft.entries) this.#commit(entry);
    for (const answer of answers) answer();
    if (this.#journalLines > 1000 && this.#journalLines > 2 * this.#state.size) await this.#compact();
  }

  #commit(entry: Entry): void {
    this.#state.apply(entry);
    this.#events.push(entry);
    if (this.#events.length > keptEvents) this.#events.shift();
    this.#emit(entry);
  }

  /** @throws the error of the disk. The journal is as before then. */
  async #append(entries: readonly Entry[]): Promise<void> {
    this.#journal ??= await open(this.#journalFile, 'a');
    const content = Buffer.from(printEntries(entries));
    try {
      await this.#journal.appendFile(content);
      await this.#journal.sync();
    } catch (error) {
      await this.#journal.truncate(this.#journalBytes);
      this.#journalStamp = stampOf(this.#journalFile);
      throw error;
    }
    this.#journalBytes += content.length;
    this.#journalLines += entries.length;
    this.#journalStamp = stampOf(this.#journalFile);
  }

  async #compact(): Promise<void> {
    try {
      await this.#rewrite(this.#state, this.document);
    } catch (error) {
      // The longer journal is as good, and the next start tries again.
      console.warn(`The journal could not be shortened: ${String(error)}`);
    }
  }

  /** Replaces the journal by one that has this state alone. */
  async #rewrite(state: AppState, document: AppDocument): Promise<void> {
    const temporary = `${this.#journalFile}.new`;
    const content = printState(state, fingerprint(document));
    try {
      await writeDurably(temporary, content);
      await renameDurably(temporary, this.#journalFile);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await this.#journal?.close();
    this.#journal = null;
    this.#journalBytes = Buffer.byteLength(content);
    this.#journalLines = state.size + 1;
    this.#journalStamp = stampOf(this.#journalFile);
  }

  async #load(): Promise<void> {
    const documentStamp = stampOf(this.#documentFile);
    const current = readDocument(this.#documentFile);
    this.#documentProblem = current instanceof Problem ? current : null;
    try {
      if (!this.#isLoaded || this.#journalStamp !== stampOf(this.#journalFile)) await this.#loadJournal(current);
      if (!(current instanceof Problem)) await this.#adopt(current);
      this.#documentStamp = documentStamp;
    } catch (error) {
      this.#documentProblem = diskProblem(error);
    }
  }

  /** Makes this the document of the records. */
  async #adopt(document: AppDocument): Promise<void> {
    const before = this.#document;
    const temporary = `${this.#lastDocumentFile}.new`;
    const isMigrated = before !== null && fingerprint(before) === fingerprint(document);
    if (!isMigrated || !existsSync(this.#lastDocumentFile)) {
      await writeDurably(temporary, JSON.stringify(document));
      if (before && !isMigrated) await this.#migrate(before, document);
      await renameDurably(temporary, this.#lastDocumentFile);
    }
    this.#document = document;
  }

  async #migrate(before: AppDocument, after: AppDocument): Promise<void> {
    const lists = Object.fromEntries(before.lists.map(({ id }) => [id, this.#state.ordered(id)]));
    const state = new AppState(after);
    const migrated = migrateRecords(before, after, lists, { nowMs: this.#nowMs() });
    for (const [list, records] of Object.entries(migrated)) for (const record of records) state.put(list, record);
    for (const [list, ids] of this.#state.deleted) state.deleted.set(list, ids);
    for (const [batch, seq] of this.#state.batches) state.rememberBatch(batch, seq);
    state.seq = this.#state.seq + 1;
    await this.#rewrite(state, after);
    this.#state = state;
    this.#reset();
  }

  /** Pages that were away read everything again, because the numbers of other changes may be the same. */
  #reset(): void {
    this.#events = [];
    this.#emit('reset');
  }

  /** Reads the journal, and repairs and shortens it if the document allows to write. */
  async #loadJournal(current: AppDocument | Problem): Promise<void> {
    await this.#journal?.close();
    this.#journal = null;
    const stamp = stampOf(this.#journalFile);
    const exists = existsSync(this.#journalFile);
    const content = exists ? readFileSync(this.#journalFile) : Buffer.alloc(0);
    const read = this.#read(content, current);
    this.#journalStamp = stamp;
    this.#journalProblem = read instanceof Problem ? read : null;
    if (read instanceof Problem) return;
    const { state, lines, goodBytes, document } = read;
    const isFirst = !this.#isLoaded;
    this.#state = state;
    this.#document = document;
    this.#journalLines = lines;
    this.#journalBytes = content.length;
    if (!(current instanceof Problem) && document) {
      await mkdir(this.#dataFolder, { recursive: true });
      await this.#repair(content, goodBytes);
      if (!exists) await this.#rewrite(state, document);
      else if (lines > 2 * state.size + 2) await this.#compact();
      this.#isLoaded = true;
    }
    if (!isFirst) this.#reset();
  }

  #read(content: Buffer, current: AppDocument | Problem): (ReadJournal & { readonly document: AppDocument | null }) | Problem {
    try {
      const document = this.#documentOf(readJournal(content, null).lists, current);
      return { ...readJournal(content, document), document };
    } catch (error) {
      if (!(error instanceof DamagedJournal)) throw error;
      const message = `data/records.ndjson is damaged, and was left as it is. ${error.message} Restore it from a backup.`;
      return new Problem(503, 'DAMAGED_DATA', message);
    }
  }

  /** Finds the document to which the records belong. A crash may have come between writing the records and the document. */
  #documentOf(lists: string | null, current: AppDocument | Problem): AppDocument | null {
    const files = [this.#lastDocumentFile, `${this.#lastDocumentFile}.new`].filter((file) => existsSync(file));
    const known = [...files.map(readDocument), current].filter(
      (document): document is AppDocument => !(document instanceof Problem),
    );
    return known.find((document) => fingerprint(document) === lists) ?? known[0] ?? null;
  }

  /** Sets aside what a crash has left of a last line. */
  async #repair(content: Buffer, goodBytes: number): Promise<void> {
    if (goodBytes < content.length) {
      let number = 1;
      while (existsSync(path.join(this.#dataFolder, `records.damaged-${number}`))) number += 1;
      await writeDurably(path.join(this.#dataFolder, `records.damaged-${number}`), content.subarray(goodBytes));
    }
    const isComplete = goodBytes === 0 || content[goodBytes - 1] === 10;
    if (goodBytes === content.length && isComplete) return;
    const handle = await open(this.#journalFile, 'r+');
    try {
      await handle.truncate(goodBytes);
      if (!isComplete) await handle.write('\n', goodBytes);
      await handle.sync();
      this.#journalBytes = isComplete ? goodBytes : goodBytes + 1;
    } finally {
      await handle.close();
    }
    this.#journalStamp = stampOf(this.#journalFile);
  }
}
