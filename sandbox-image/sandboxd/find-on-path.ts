import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

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
