import { parentPort, Worker, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { KodaError } from '../contract/errors.ts';

const maxVerdicts = 20;

const checkSchema = z.object({
  /** What is wrong with the file's pages and indexes, in SQLite's words; at most 20. */
  faults: z.array(z.string()),
  /** Rows whose foreign key leads nowhere; not looked for when the pages are damaged. */
  brokenReferences: z.array(z.object({ table: z.string(), rowid: z.number().nullable(), parent: z.string() })),
});
type DatabaseCheck = z.output<typeof checkSchema>;

/**
 * Reads every page of a database over a connection of its own, in a thread of its own: SQLite answers such questions in
 * one piece, and of a large file only after a while. Rejects with what keeps it from being read, or CANCELLED.
 */
export async function checkDatabase(file: string, { signal }: { signal: AbortSignal }): Promise<DatabaseCheck> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const worker = new Worker(import.meta.filename, { workerData: { checkedDatabase: file } });
  const cancel = (): void => reject(new KodaError('CANCELLED', 'The check was cancelled.'));
  signal.addEventListener('abort', cancel, { once: true });
  worker.once('message', resolve).once('error', reject);
  worker.once('exit', () => reject(new Error('The check of the database ended without an answer.')));
  try {
    return checkSchema.parse(await promise);
  } finally {
    signal.removeEventListener('abort', cancel);
    // Not awaited: SQLite finishes what it reads before its thread can end.
    void worker.terminate();
  }
}

function check(file: string): DatabaseCheck {
  const sqlite = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  try {
    const verdicts = sqlite.pragma(`integrity_check(${maxVerdicts})`) as { integrity_check: string }[];
    const faults = verdicts.map((row) => row.integrity_check).filter((verdict) => verdict !== 'ok');
    const brokenReferences = faults.length > 0 ? [] : sqlite.pragma('foreign_key_check');
    return checkSchema.parse({ faults, brokenReferences });
  } finally {
    sqlite.close();
  }
}

const asked = z.object({ checkedDatabase: z.string() }).safeParse(workerData);
if (asked.success) parentPort?.postMessage(check(asked.data.checkedDatabase));
