import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempDir } from '../../test/fixtures/storage.ts';
import { assertHistoryBudget } from './sandbox-files.ts';

it('X4: the error for a history that is too large says what to do', async () => {
  using folder = tempDir();
  const packs = join(folder.path, 'objects', 'pack');
  mkdirSync(packs, { recursive: true });
  writeFileSync(join(packs, 'pack-a.pack'), Buffer.alloc(600));
  writeFileSync(join(packs, 'pack-b.pack'), Buffer.alloc(400));
  await assertHistoryBudget(folder.path, { historyBytes: 1000 });
  await expect(assertHistoryBudget(folder.path, { historyBytes: 999 })).rejects.toMatchObject({
    code: 'TOO_LARGE',
    recovery: 'export_and_import',
  });
});
