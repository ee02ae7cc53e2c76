import { KodaError } from '../contract/errors.ts';

/** The error for a disk without room, whatever wrote to it. */
export function storageFull(cause: unknown): KodaError {
  return new KodaError(
    'STORAGE_FULL',
    'The disk of the data folder is full, so nothing was saved. Free some space and try again.',
    {
      recovery: 'free_disk_space',
      cause,
    },
  );
}
