// Exits with 1 when node_modules does not hold what package-lock.json asks for, so that `npm ci` runs only when it must.
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

const wanted = readLock(join(folder, 'package-lock.json'));
const installed = readLock(join(folder, 'node_modules/.package-lock.json'));
if (wanted === null) {
  console.error(`There is no package-lock.json in ${folder}.`);
  process.exit(2);
}
// Optional packages are those of other platforms, which npm rightly leaves out.
const stale =
  installed === null ||
  Object.entries(wanted.packages).some(
    ([path, entry]) =>
      path !== '' &&
      installed.packages[path]?.version !== entry.version &&
      !(entry.optional === true && installed.packages[path] === undefined),
  );
process.exit(stale ? 1 : 0);
