// complete-lock.ts [--check] LOCK_FILE…: adds missing packages to lock files (lock-completion.ts). With --check it writes
// nothing and fails if a package is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { completeLock, type Lock, missingPackages } from './lock-completion.ts';

const check = process.argv.includes('--check');
for (const path of process.argv.slice(2).filter((argument) => !argument.startsWith('--'))) {
  const lock = JSON.parse(readFileSync(path, 'utf8')) as Lock;
  const names = Object.keys(missingPackages(lock));
  if (names.length === 0) continue;
  if (check) {
    console.error(`${path} lacks ${names.length} packages of other platforms (${names[0]} …), so "npm ci" would fail.`);
    console.error(`Add them: node scripts/setup/complete-lock.ts ${path}`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
    console.error(`${path}: added ${names.length} packages of other platforms.`);
  }
}
