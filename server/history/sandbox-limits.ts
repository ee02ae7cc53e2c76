import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KodaError } from '../contract/errors.ts';
import { megabytes } from '../lib/megabytes.ts';
import { isMissing } from '../storage/durable-file.ts';
import { historyDamaged } from './git.ts';

const gibibyte = 1024 ** 3;

/**
 * What a checkpoint takes of a sandbox at most: what a new sandbox takes back (`sandboxd/files/tar-stage.ts`), and many times
 * of what films need. A sandbox that sends without end must not fill the disk of the data folder, which all projects share.
 */
export const checkpointLimits = {
  fileBytes: gibibyte,
  /** All files of one archive together. */
  contentBytes: 2 * gibibyte - 64 * 1024 ** 2,
  /** Files, links and folders. */
  entries: 20_000,
  /** Packed, all checkpoints of a project together: else a file that is made anew all the time would fill the disk. */
  historyBytes: 16 * gibibyte,
} as const;

export type CheckpointLimits = { readonly [Name in keyof typeof checkpointLimits]: number };

/** Counts what an archive holds before its bytes are taken. */
export class ArchiveBudget {
  readonly #limits: CheckpointLimits;
  #entries = 0;
  #bytes = 0;

  constructor(limits: CheckpointLimits) {
    this.#limits = limits;
  }

  /** Throws TOO_LARGE. */
  take(path: string, sizeBytes: number): void {
    const { entries, fileBytes, contentBytes } = this.#limits;
    this.#entries += 1;
    this.#bytes += sizeBytes;
    if (this.#entries > entries) throw tooLarge(`the project has more than ${entries} files and folders`);
    if (sizeBytes > fileBytes)
      throw tooLarge(`${JSON.stringify(path.slice(0, 200))} has more than the ${megabytes(fileBytes)} MB that a file may have`);
    if (this.#bytes > contentBytes) throw tooLarge(`the files of the project have more than ${megabytes(contentBytes)} MB`);
  }
}

/**
 * To be asked before a checkpoint is taken of a sandbox. Throws TOO_LARGE when the project's history is too long for one
 * more, INTERNAL_ERROR when it cannot be read.
 */
export async function assertHistoryBudget(
  repository: string,
  { historyBytes }: Pick<CheckpointLimits, 'historyBytes'>,
): Promise<void> {
  const packs = join(repository, 'objects', 'pack');
  let sizeBytes = 0;
  const names = await readdir(packs).catch((error: unknown) => {
    throw isMissing(error) ? historyDamaged(repository, error) : error;
  });
  for (const name of names) {
    try {
      sizeBytes += (await stat(join(packs, name))).size;
    } catch (error) {
      // Joined with others meanwhile.
      if (!isMissing(error)) throw error;
    }
  }
  if (sizeBytes <= historyBytes) return;
  throw new KodaError(
    'TOO_LARGE',
    `The checkpoint was not made: the history of the project takes ${megabytes(sizeBytes)} MB, and ${megabytes(historyBytes)} MB are allowed. The last one stays. Export the project and import it again to go on with a short history.`,
    { recovery: 'export_and_import' },
  );
}

function tooLarge(what: string): KodaError {
  return new KodaError(
    'TOO_LARGE',
    `The checkpoint was not made: ${what}. The last one stays. Delete what the film does not need, or let it be written to dist/, which is not kept.`,
    { recovery: 'delete_files' },
  );
}
