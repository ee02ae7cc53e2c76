import { accessSync, constants } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { errnoOf } from './http.ts';

/** The first of `names` that PATH knows, or null. */
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

/** Whether there is an entry of any kind at that path; a link counts, whatever it points to. Throws all errors but ENOENT. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}
