import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkData } from './doctor.ts';

const folder = mkdtempSync(join(tmpdir(), 'koda-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('F9: a data folder of this user is fine, as is one that does not exist yet', async () => {
  expect(await checkData(folder)).toMatchObject({ level: 'ok', text: folder });
  expect(await checkData(join(folder, 'none'))).toMatchObject({ level: 'ok' });
});

it('F9: a data folder that cannot be read fails with its path and the cause', async () => {
  writeFileSync(join(folder, 'file'), '');
  const { level, text } = await checkData(join(folder, 'file', 'data'));
  expect(level).toBe('FAIL');
  expect(text).toMatch(/file\/data cannot be read: .*ENOTDIR/);
});
