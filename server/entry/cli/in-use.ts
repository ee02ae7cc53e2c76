import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { KodaError } from '../../contract/errors.ts';
import { isMissing } from '../../storage/durable-file.ts';

/** A server keeps this file beside its database while it has it open, and leaves it behind when it is killed. */
const inUseMark = 'koda.db-shm';
const answerTimeoutMs = 5_000;

/**
 * A live database must not be opened by a second program. Throws CONFLICT when a server left its mark in the folder
 * and the studio answers.
 */
export async function refuseWhileRunning(dataDir: string, { url, signal }: { url: string; signal: AbortSignal }): Promise<void> {
  try {
    await access(join(dataDir, inUseMark));
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  const answers = await fetch(`${url}/api/health`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
  }).then(
    () => true,
    () => false,
  );
  signal.throwIfAborted();
  if (!answers) return;
  throw new KodaError('CONFLICT', `A studio runs at ${url}, and ${dataDir} is in use. Stop it first: npm stop`, {
    recovery: 'stop_studio',
  });
}
