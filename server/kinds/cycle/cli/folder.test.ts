import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Folder } from './folder.ts';

const file = { content: Buffer.from('new'), executable: false };

let temporary: string;
let root: string;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'koda-folder-'));
  root = join(temporary, 'root');
  for (const name of ['root/real', 'outside/deep']) mkdirSync(join(temporary, name), { recursive: true });
  for (const name of ['outside/file', 'outside/deep/file', 'root/real/file']) writeFileSync(join(temporary, name), 'old');
  symlinkSync('../outside', join(root, 'link'));
  symlinkSync('../../outside/file', join(root, 'real/link'));
});
afterEach(() => rmSync(temporary, { recursive: true, force: true }));

describe.each([true, false])('a folder, by descriptor: %s', (byDescriptor) => {
  it('C1: is never left through a link, at any depth', () => {
    const folder = new Folder(root, { byDescriptor });
    for (const path of ['link/file', 'link/deep/file']) {
      const operations = [
        () => folder.stats(path),
        () => folder.read(path),
        () => folder.create(`${path}2`, file),
        () => folder.move(path, 'real/moved'),
        () => folder.move('real/file', path),
        () => folder.remove(path),
        () => folder.makeFolder(`${path}2`),
        () => folder.removeFolder(path),
        () => folder.list(path.replace('/file', '')),
        () => folder.sync(path.replace('/file', '')),
      ];
      for (const operation of operations) expect(operation, String(operation)).toThrow('symbolic link');
    }
    expect(() => folder.read('real/link')).toThrow('real/link is a symbolic link');
    expect(() => folder.create('real/link', file)).toThrow('EEXIST');
    expect(readdirSync(join(temporary, 'outside'), { recursive: true }).toSorted()).toEqual(['deep', 'deep/file', 'file']);
    expect(readFileSync(join(temporary, 'outside/file'), 'utf8')).toBe('old');
  });

  it('C1: reads and changes its own files, and names them in errors', () => {
    const folder = new Folder(root, { byDescriptor });
    folder.create('new/deep/file', file);
    folder.move('new/deep/file', 'real/file');
    expect(folder.read('real/file')).toEqual(file);
    expect(folder.removeFolder('new')).toBe(false);
    expect(folder.stats('real/file/x')).toBeUndefined();
    expect(() => folder.read('new/deep/file')).toThrow(`'${root}/new/deep/file'`);
  });
});
