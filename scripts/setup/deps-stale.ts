// deps-stale.ts FOLDER: exits with 1 if node_modules differs from package-lock.json, so that `npm ci` runs only if needed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Lock = { packages: Record<string, { version?: string; optional?: boolean; link?: boolean }> };

const folder = process.argv[2] ?? '.';

function readLock(path: string): Lock | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Lock;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const locked = readLock(join(folder, 'package-lock.json'));
const installed = readLock(join(folder, 'node_modules/.package-lock.json'));
if (locked === null) {
  console.error(`${folder} has no package-lock.json.`);
  process.exit(2);
}
// npm skips optional packages for other platforms.
const stale =
  installed === null ||
  Object.entries(locked.packages).some(
    ([path, entry]) =>
      path !== '' &&
      installed.packages[path]?.version !== entry.version &&
      !(entry.optional === true && installed.packages[path] === undefined),
  );
process.exit(stale ? 1 : 0);
