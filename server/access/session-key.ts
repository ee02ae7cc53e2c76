import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '#contract/errors.ts';

const fileName = 'session-key';

/** Returns the key by which cookies are made from the access token, so that nobody who guesses the token can make a cookie. */
export function sessionKeyIn(dataDir: string): string {
  const path = join(dataDir, fileName);
  try {
    const key = readFileSync(path, 'utf8').trim();
    if (key !== '') return key;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  const key = randomBytes(32).toString('base64url');
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, `${key}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(`${path}.new`, path);
  return key;
}
