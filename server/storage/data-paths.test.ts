import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempDir } from '../../test/fixtures/storage.ts';
import { restrictDataFolder } from './data-paths.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

it('restricts access to an existing data folder, and leaves files of other programs alone', () => {
  using folder = tempDir();
  const at = (name: string) => join(folder.path, 'data', name);
  for (const name of ['', 'projects', 'own-folder']) {
    mkdirSync(at(name));
    chmodSync(at(name), 0o777);
  }
  for (const name of ['koda.db', 'koda.db-wal', 'models.json', 'sandbox.key', 'reserve', 'own-file']) {
    writeFileSync(at(name), 'x');
    chmodSync(at(name), 0o666);
  }
  const outside = join(folder.path, 'outside');
  mkdirSync(outside);
  chmodSync(outside, 0o755);
  symlinkSync(outside, at('renders'));

  expect(restrictDataFolder(at(''))).toEqual([]);
  expect([modeOf(at('')), modeOf(at('projects'))]).toEqual([0o700, 0o700]);
  for (const name of ['koda.db', 'koda.db-wal', 'models.json', 'sandbox.key', 'reserve'])
    expect(modeOf(at(name)), name).toBe(0o600);
  expect([modeOf(at('own-folder')), modeOf(at('own-file')), modeOf(outside)]).toEqual([0o777, 0o666, 0o755]);
});
