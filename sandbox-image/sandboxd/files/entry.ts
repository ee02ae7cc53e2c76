import type { Stats } from 'node:fs';
import type { FileEntry } from '../../../server/contract/sandboxd.ts';

/** What a listing says of a file, folder or link; null for what a project cannot hold (devices, pipes, sockets). */
export function entryOf(
  path: string,
  stats: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'> & EntryNumbers,
): FileEntry | null {
  const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : null;
  if (type === null) return null;
  const isFile = type === 'file';
  return { path, type, sizeBytes: isFile ? Number(stats.size) : 0, executable: isFile && (Number(stats.mode) & 0o100) !== 0 };
}

interface EntryNumbers {
  readonly size: number | bigint;
  readonly mode: number | bigint;
}
