import { KodaError } from '../contract/errors.ts';
import { megabytes } from '../lib/megabytes.ts';

/** What is free on the disk of the container engine. */
export interface DiskRoom {
  readonly freeBytes: number;
  /** Files that there may be and that may still be made; 0 in all where the file system has no such limit. */
  readonly totalFiles: number;
  readonly freeFiles: number;
}

/** What the engine counts of a project's volumes. */
export interface ProjectSize {
  readonly projectId: string;
  readonly sizeBytes: number;
}

/** A share of the files that a disk can hold; with fewer left, nothing may be made any more soon. */
const minFreeFiles = 0.02;

/** Whether the engine's disk has less free than has to stay so. A disk that nobody can see counts as having room. */
export function isShort(room: DiskRoom | null, reserveBytes: number): boolean {
  if (room === null) return false;
  return room.freeBytes < reserveBytes || room.freeFiles < room.totalFiles * minFreeFiles;
}

/** To be asked before a sandbox is made. Throws STORAGE_FULL. */
export function assertEngineRoom(room: DiskRoom | null, reserveBytes: number): void {
  if (room === null || !isShort(room, reserveBytes)) return;
  throw new KodaError(
    'STORAGE_FULL',
    `No sandbox can be made: ${roomWords(room)}, and ${megabytes(reserveBytes)} MB are kept free (KODA_SANDBOX_DISK_RESERVE_MB). What was made so far is kept. Free some space there, then try again.`,
    { recovery: 'free_engine_disk' },
  );
}

export function isEngineFull(error: unknown): boolean {
  return error instanceof KodaError && error.recovery === 'free_engine_disk';
}

/** How much is left, as a part of a sentence. */
export function roomWords({ freeBytes, freeFiles }: DiskRoom): string {
  return `Docker's disk has room for ${megabytes(freeBytes)} MB in ${freeFiles.toLocaleString('en')} files more`;
}
