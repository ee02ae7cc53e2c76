import { parentPort, Worker, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';

const maxResults = 20;

const checkSchema = z.object({
  /** Page and index errors reported by SQLite, at most 20. */
  errors: z.array(z.string()),
  /** Rows with a broken foreign key. Not checked if pages are damaged. */
  brokenReferences: z.array(z.object({ table: z.string(), rowid: z.number().nullable(), parent: z.string() })),
});
/** `quick` reads every page, but does not compare indexes with their tables or follow foreign keys. */
const kindSchema = z.enum(['quick', 'full']);
type Kind = z.output<typeof kindSchema>;
const requestSchema = z.object({ checkedDatabase: z.string(), kind: kindSchema });
type DatabaseCheck = z.output<typeof checkSchema>;

/** Checks a database in a worker thread, because SQLite's check is slow and synchronous. Rejects with CANCELLED. */
export async function checkDatabase(file: string, { kind, signal }: { kind: Kind; signal: AbortSignal }): Promise<DatabaseCheck> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const worker = new Worker(import.meta.filename, { workerData: { checkedDatabase: file, kind } });
  const cancel = (): void => reject(new KodaError('CANCELLED', 'The check was cancelled.'));
  signal.addEventListener('abort', cancel, { once: true });
  worker.once('message', resolve).once('error', reject);
  worker.once('exit', () => reject(new Error('The database check ended without a result.')));
  try {
    return checkSchema.parse(await promise);
  } finally {
    signal.removeEventListener('abort', cancel);
    // Not awaited, because the thread can stop only after SQLite has finished.
    void worker.terminate();
  }
}

function check({ checkedDatabase: file, kind }: z.output<typeof requestSchema>): DatabaseCheck {
  const sqlite = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  try {
    const name = kind === 'quick' ? 'quick_check' : 'integrity_check';
    const results = sqlite.pragma(`${name}(${maxResults})`) as Record<typeof name, string>[];
    const errors = results.map((row) => row[name]).filter((result) => result !== 'ok');
    const brokenReferences = kind === 'quick' || errors.length > 0 ? [] : sqlite.pragma('foreign_key_check');
    return checkSchema.parse({ errors, brokenReferences });
  } finally {
    sqlite.close();
  }
}

const request = requestSchema.safeParse(workerData);
if (request.success) parentPort?.postMessage(check(request.data));
