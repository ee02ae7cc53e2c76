import { accessSync, constants } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { errnoOf } from './http.ts';

export function findOnPath(names: readonly string[], path: string): string | null {
  for (const name of names) {
    for (const folder of path.split(delimiter)) {
      const candidate = join(folder, name);
      if (folder !== '' && isExecutable(candidate)) return candidate;
    }
  }
  return null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether any entry exists at a path, even a broken link. Throws all errors except ENOENT. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}
