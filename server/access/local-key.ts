import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileName = 'local-key';

/**
 * Creates the key by which programs on this computer prove that they may read the data folder. Each start has a new one, so that
 * a key that somebody caught earlier opens nothing.
 */
export function createLocalKey(dataDir: string): string {
  const key = `koda_local_${randomBytes(32).toString('base64url')}`;
  const path = join(dataDir, fileName);
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, `${key}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(`${path}.new`, path);
  return key;
}

/** Returns the key of the studio that uses this data folder. Throws if there is none, or if this user cannot read it. */
export const readLocalKey = (dataDir: string): string => readFileSync(join(dataDir, fileName), 'utf8').trim();
