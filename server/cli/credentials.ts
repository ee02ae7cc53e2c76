import { join } from 'node:path';
import { hasCode, KodaError } from '#contract/errors.ts';
import { readLocalKey } from '../access/local-key.ts';
import { isLoopbackHost } from '../lib/loopback.ts';

/** Default data folder for compose and the npm scripts. */
export const defaultDataDir = join(import.meta.dirname, '../../data');

/**
 * Returns what proves to a studio who asks: `KODA_TOKEN`, or the key in the data folder of a studio on this computer. Returns
 * `null` if there is neither. Throws BAD_REQUEST, or FORBIDDEN if this user may not read the key.
 */
export function tokenFor(url: string): string | null {
  const token = process.env['KODA_TOKEN'] ?? '';
  const dataDir = process.env['KODA_DATA_DIR'] || defaultDataDir;
  if (token !== '') {
    if (/^[\x21-\x7e]+$/.test(token)) return token;
    throw new KodaError('BAD_REQUEST', 'KODA_TOKEN contains a space or another character that no token has. Copy it again.');
  }
  // The key is for the studio of this folder alone, so it never leaves this computer.
  if (!isLoopbackHost(new URL(url).host)) return null;
  try {
    return readLocalKey(dataDir);
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return null;
    throw new KodaError(
      'FORBIDDEN',
      `The studio’s key in ${dataDir} cannot be read. Run this command as the user who owns that folder, in the container (docker compose exec app node server/cli/koda.ts …), or set KODA_TOKEN.`,
      { cause },
    );
  }
}
