// Breaks the store when loaded before the server: an upload gets its final name some time after it was acknowledged.
import { readFileSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { lateMs } from './late.ts';

const rename = fs.rename;
fs.rename = async (from, to) => {
  if (!String(to).includes('/assets/')) return await rename(from, to);
  const content = readFileSync(from);
  setTimeout(() => writeFileSync(to, content), lateMs);
};
syncBuiltinESMExports();
