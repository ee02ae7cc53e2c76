import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempDir } from '../../test/fixtures/storage.ts';
import { sweepRecordings } from './recordings.ts';

it('H8: recordings go after their age, and the oldest ones beyond the size', async () => {
  using folder = tempDir();
  const nowMs = Date.parse('2026-11-20T00:00:00Z');
  for (const day of [1, 14, 15, 16, 17]) {
    const path = join(folder.path, `2026-11-${String(day).padStart(2, '0')}T00-00-00.000Z-0000.json`);
    writeFileSync(path, Buffer.alloc(1000));
    const at = new Date(`2026-11-${String(day).padStart(2, '0')}T00:00:00Z`);
    utimesSync(path, at, at);
  }
  writeFileSync(join(folder.path, 'notes.txt'), 'mine');
  expect(await sweepRecordings(folder.path, { maxAgeMs: 14 * 24 * 3_600_000, maxBytes: 3000, nowMs })).toBe(2);
  expect(readdirSync(folder.path)).toHaveLength(4);
  expect(existsSync(join(folder.path, 'notes.txt'))).toBe(true);
  expect(await sweepRecordings(join(folder.path, 'missing'), { maxAgeMs: 1, maxBytes: 1, nowMs })).toBe(0);
});
