import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../../test/fixtures/storage.ts';
import { lockDataFolder } from './data-lock.ts';

const waitForLock = `
  const { lockDataFolder } = await import(${JSON.stringify(fileURLToPath(new URL('data-lock.ts', import.meta.url)))});
  console.log('waits');
  try { lockDataFolder(process.argv[1]); console.log('is in'); } catch (error) { console.log(error.message); }`;

function openFiles(pid: number | undefined): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(join(folder, fd))];
    } catch {
      // The file was closed in the meantime.
      return [];
    }
  });
}

describe('data folder lock', () => {
  it('X7: admits one server, advises the next one, and admits it once the first has stopped', () => {
    using folder = tempDir();
    const first = lockDataFolder(folder.path);
    expect(() => lockDataFolder(folder.path)).toThrow(/Another Koda server is using the data folder .*KODA_DATA_DIR/);
    first.release();
    lockDataFolder(folder.path).release();
  });

  it('A22: a lock on a folder that was replaced during the wait does not count', async () => {
    using folder = tempDir();
    const dataDir = join(folder.path, 'data');
    const held = lockDataFolder(dataDir);
    // Waiting blocks the process, so this needs another one.
    const waiting = spawn(process.execPath, ['-e', waitForLock, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [started] = (await once(waiting.stdout, 'data')) as [Buffer];
    expect(String(started)).toBe('waits\n');
    const answer = once(waiting.stdout, 'data') as Promise<[Buffer]>;
    // The wait lasts up to a second, and starts shortly after the file is opened.
    await expect.poll(() => openFiles(waiting.pid)).toContain(join(dataDir, 'koda.lock'));
    await sleep(100);
    renameSync(dataDir, join(folder.path, 'aside'));
    mkdirSync(dataDir);
    held.release();
    expect(String((await answer)[0])).toContain('Another Koda server is using');
  });

  it('reports why a folder cannot be used', () => {
    using folder = tempDir();
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    expect(() => lockDataFolder(file)).toThrow(/cannot be used: .*Check that it exists and is writable/);
  });
});
