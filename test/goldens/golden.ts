import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** Compares lines with a committed file of this folder. A failure shows the lines that differ. `vitest -u` writes the file. */
export async function expectGolden(file: string, lines: readonly string[]): Promise<void> {
  const name = `test/goldens/${file}`;
  const hint = `${name} differs. If the change is intended, run the test with -u, and explain the new lines in the commit`;
  await expect(`${lines.join('\n')}\n`, hint).toMatchFileSnapshot(fileURLToPath(new URL(file, import.meta.url)));
}

/** Returns a digest of a value: of a text as it is, of anything else as JSON with sorted keys. */
export function digest(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, sortedKeys) ?? '');
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
