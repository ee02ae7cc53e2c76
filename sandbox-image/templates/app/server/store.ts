import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Applied, Snapshot } from '../model/api.ts';
import { type AppDocument, documentPath } from '../model/document.ts';
import { migrateRecords } from '../model/migrate.ts';
import { readDocument } from '../model/problems.ts';
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

interface JournalFile extends ReadJournal {
  readonly document: AppDocument | null;
  readonly content: Buffer;
}

const missing = 'missing';

/** How a file's present content is told from that which was read. */
function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats ? `${stats.ino}:${stats.size}:${stats.mtimeNs}` : missing;
}

const fingerprint = ({ lists }: AppDocument): string => createHash('sha256').update(JSON.stringify(lists)).digest('hex');

function readDocumentFile(file: string): AppDocument | Problem {
  try {
    const read = readDocument(JSON.parse(readFileSync(file, 'utf8')));
    if ('document' in read) return read.document;
    return new Problem(503, 'BROKEN_DOCUMENT', `Nothing can be saved. ${read.problem}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new Problem(503, 'BROKEN_DOCUMENT', `Nothing can be saved, because ${documentPath} cannot be read. ${reason}`);
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
    // While something is written, files are not as they will be.
    if (this.#isBusy || this.#isStale()) await this.#inTurn(() => this.#loadIfStale());
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
    await this.#loadIfStale();
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

  async #loadIfStale(): Promise<void> {
    if (!this.#isStale()) return;
    const documentStamp = stampOf(this.#documentFile);
    const current = readDocumentFile(this.#documentFile);
    this.#documentProblem = current instanceof Problem ? current : null;
    try {
      if (!this.#isLoaded || this.#journalStamp !== stampOf(this.#journalFile)) await this.#loadJournal(current);
      if (!(current instanceof Problem) && !this.#journalProblem) await this.#adopt(current);
      this.#documentStamp = documentStamp;
    } catch (error) {
      this.#documentProblem = diskProblem(error);
    }
  }

  /** Makes this the document of the records. */
  async #adopt(document: AppDocument): Promise<void> {
    const before = this.#document ?? document;
    const isSameLists = fingerprint(before) === fingerprint(document);
    const migrated = this.#migrated(before, document);
    if (!isSameLists || !existsSync(this.#lastDocumentFile)) {
      const temporary = `${this.#lastDocumentFile}.new`;
      await writeDurably(temporary, JSON.stringify(document));
      await this.#rewrite(migrated ?? this.#state, document);
      await renameDurably(temporary, this.#lastDocumentFile);
    } else if (migrated) {
      await this.#rewrite(migrated, document);
    }
    this.#document = document;
    if (!migrated) return;
    this.#state = migrated;
    this.#reset();
  }

  /** Returns the records as the document needs them, or `null` if they are already. Values of fields removed long ago change too. */
  #migrated(before: AppDocument, after: AppDocument): AppState | null {
    const lists = Object.fromEntries([...this.#state.lists.keys()].map((id) => [id, this.#state.ordered(id)]));
    const migrated = migrateRecords(before, after, lists, { nowMs: this.#nowMs() });
    for (const line of migrated.summary) console.info(line);
    const isChanged = Object.entries(migrated.lists).some(([list, records]) =>
      records.some((record) => this.#state.get(list, record.id) !== record),
    );
    if (!isChanged && fingerprint(before) === fingerprint(after)) return null;
    const state = new AppState(after);
    for (const [list, records] of Object.entries(migrated.lists)) for (const record of records) state.put(list, record);
    for (const [list, ids] of this.#state.deleted) state.deleted.set(list, ids);
    for (const [batch, seq] of this.#state.batches) state.rememberBatch(batch, seq);
    state.seq = this.#state.seq + 1;
    return state;
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
    const isFirst = this.#journalStamp === '';
    this.#isLoaded = false;
    const stamp = stampOf(this.#journalFile);
    const read = this.#read(current);
    this.#journalStamp = stamp;
    this.#journalProblem = read instanceof Problem ? read : null;
    if (read instanceof Problem) return;
    const { state, lines, goodBytes, document, content } = read;
    this.#state = state;
    this.#document = document;
    this.#journalLines = lines;
    this.#journalBytes = content.length;
    if (!(current instanceof Problem) && document) {
      await mkdir(this.#dataFolder, { recursive: true });
      await this.#repair(content, goodBytes);
      if (stamp === missing) await this.#rewrite(state, document);
      else if (lines > 2 * state.size + 2) await this.#compact();
      this.#isLoaded = true;
    }
    if (!isFirst) this.#reset();
  }

  #read(current: AppDocument | Problem): JournalFile | Problem {
    try {
      const content = existsSync(this.#journalFile) ? readFileSync(this.#journalFile) : Buffer.alloc(0);
      const document = this.#documentOf(readJournal(content, null).lists, current);
      return { ...readJournal(content, document), document, content };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const what = error instanceof DamagedJournal ? 'is damaged, and was left as it is' : 'cannot be read';
      return new Problem(503, 'DAMAGED_DATA', `data/records.ndjson ${what}. ${reason}. Restore it from a backup.`);
    }
  }

  /** Finds the document to which the records belong. A crash may have come between writing the records and the document. */
  #documentOf(lists: string | null, current: AppDocument | Problem): AppDocument | null {
    const files = [this.#lastDocumentFile, `${this.#lastDocumentFile}.new`].filter((file) => existsSync(file));
    const known = [...files.map(readDocumentFile), current].filter(
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
