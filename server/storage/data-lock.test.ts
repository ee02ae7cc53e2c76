import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../../test/fixtures/storage.ts';
import { lockDataFolder } from './data-lock.ts';

describe('the lock of a data folder', () => {
  it('X7: lets one server in, tells the next what to do, and lets it in when the first is gone', () => {
    using folder = tempDir();
    const first = lockDataFolder(folder.path);
    expect(() => lockDataFolder(folder.path)).toThrow(/Another Koda works on the data folder .*KODA_DATA_DIR/);
    first.release();
    lockDataFolder(folder.path).release();
  });

  it('says what is wrong with a folder that cannot be used', () => {
    using folder = tempDir();
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    expect(() => lockDataFolder(file)).toThrow(/cannot be used: .*Check that it is there and writable/);
  });
});
