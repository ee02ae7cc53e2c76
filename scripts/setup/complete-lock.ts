// complete-lock.ts [--check] LOCK_FILE…: see lock-completion.ts. With --check nothing is written and a gap is an error.
import { readFileSync, writeFileSync } from 'node:fs';
import { completed, type Lock, missingOptional } from './lock-completion.ts';

const check = process.argv.includes('--check');
for (const path of process.argv.slice(2).filter((argument) => !argument.startsWith('--'))) {
  const lock = JSON.parse(readFileSync(path, 'utf8')) as Lock;
  const names = Object.keys(missingOptional(lock));
  if (names.length === 0) continue;
  if (check) {
    console.error(`${path} lacks ${names.length} packages of other platforms (${names[0]} …), so "npm ci" would refuse it.`);
    console.error(`Repair it: node scripts/setup/complete-lock.ts ${path}`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, `${JSON.stringify(completed(lock), null, 2)}\n`);
    console.error(`${path}: added ${names.length} packages of other platforms.`);
  }
}
