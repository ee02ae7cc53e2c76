import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeUntrustedFolder } from './socket-folder.ts';

let place: string;
let folder: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'koda-hostile-'));
  folder = join(place, 'sbx');
  mkdirSync(folder);
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

/** Built from the inside out, because the innermost path would be too long to use. */
function nest(levels: number, name: string): void {
  let inner = join(folder, 'inner');
  mkdirSync(inner);
  writeFileSync(join(inner, 'file'), '');
  for (let level = 0; level < levels; level++) {
    const outer = join(folder, `outer-${level}`);
    mkdirSync(outer);
    renameSync(inner, join(outer, name));
    inner = outer;
  }
}

describe('removeUntrustedFolder', () => {
  it('A24: removes a folder of any depth', async () => {
    nest(60, 'd'.repeat(200));
    await removeUntrustedFolder(folder);
    expect(readdirSync(place)).toEqual([]);
  });

  it('A24: removes unreadable folders and names that are not valid text', async () => {
    mkdirSync(join(folder, 'closed', 'inner'), { recursive: true });
    writeFileSync(join(folder, 'closed', 'inner', 'file'), '');
    chmodSync(join(folder, 'closed', 'inner'), 0);
    chmodSync(join(folder, 'closed'), 0);
    const name = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]);
    mkdirSync(name);
    writeFileSync(Buffer.concat([name, Buffer.from('/'), Buffer.from([0xc3])]), '');
    chmodSync(folder, 0);
    await removeUntrustedFolder(folder);
    expect(readdirSync(place)).toEqual([]);
  });

  it('A24: does not remove the targets of links', async () => {
    const outside = join(place, 'outside');
    mkdirSync(outside, { mode: 0o755 });
    writeFileSync(join(outside, 'kept'), '');
    mkdirSync(join(folder, 'a', 'b'), { recursive: true });
    for (const at of ['link', 'a/link', 'a/b/link']) symlinkSync(outside, join(folder, at));
    await removeUntrustedFolder(folder);
    expect(existsSync(join(outside, 'kept'))).toBe(true);
    expect(readdirSync(place)).toEqual(['outside']);
  });

  it('A24: accepts a folder that does not exist', async () => {
    await removeUntrustedFolder(join(place, 'nowhere'));
  });
});
