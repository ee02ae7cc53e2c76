import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KodaError } from '#contract/errors.ts';
import { megabytes } from '../lib/megabytes.ts';
import { isMissing } from '../storage/durable-file.ts';
import { historyDamaged } from './git.ts';

const gibibyte = 1024 ** 3;

/** Limits that a new sandbox accepts (`tar-stage.ts`). They protect the data folder's disk, which all projects share. */
export const checkpointLimits = {
  fileBytes: gibibyte,
  contentBytes: 2 * gibibyte - 64 * 1024 ** 2,
  entries: 20_000,
  /** Packed size of all checkpoints in a project. Otherwise, a file that is constantly rewritten would fill the disk. */
  historyBytes: 16 * gibibyte,
} as const;

export type CheckpointLimits = { readonly [Name in keyof typeof checkpointLimits]: number };

export class ArchiveBudget {
  readonly #limits: CheckpointLimits;
  #entries = 0;
  #bytes = 0;

  constructor(limits: CheckpointLimits) {
    this.#limits = limits;
  }

  take(path: string, sizeBytes: number): void {
    const { entries, fileBytes, contentBytes } = this.#limits;
    this.#entries += 1;
    this.#bytes += sizeBytes;
    if (this.#entries > entries) throw tooLarge(`the project has more than ${entries} files and folders`);
    if (sizeBytes > fileBytes)
      throw tooLarge(`${JSON.stringify(path.slice(0, 200))} exceeds the limit of ${megabytes(fileBytes)} MB per file`);
    if (this.#bytes > contentBytes) throw tooLarge(`the project's files exceed ${megabytes(contentBytes)} MB`);
  }
}

/** Throws TOO_LARGE if the project's history is too large for another checkpoint, and INTERNAL_ERROR if it cannot be read. */
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
      // A repack has just removed this file.
      if (!isMissing(error)) throw error;
    }
  }
  if (sizeBytes <= historyBytes) return;
  throw new KodaError(
    'TOO_LARGE',
    `The checkpoint was not created: the project history uses ${megabytes(sizeBytes)} MB, and the limit is ${megabytes(historyBytes)} MB. The previous checkpoint is unchanged. Export the project and import it again to continue with a shorter history.`,
    { recovery: 'export_and_import' },
  );
}

function tooLarge(what: string): KodaError {
  return new KodaError(
    'TOO_LARGE',
    `The checkpoint was not created: ${what}. The previous checkpoint is unchanged. Delete files that the film does not need, or write them to dist/, which is not saved.`,
    { recovery: 'delete_files' },
  );
}
