import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Folder } from './folder.ts';
import { recordsOf } from './records.ts';

let temporary: string;
let root: string;
let state: string;
beforeEach(() => {
  temporary = realpathSync(mkdtempSync(join(tmpdir(), 'koda-records-')));
  root = join(temporary, 'root');
  state = join(temporary, 'state');
  for (const folder of [join(root, 'src'), state]) mkdirSync(folder, { recursive: true });
  vi.stubEnv('XDG_STATE_HOME', state);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true, force: true });
});

const records = (create = true) => recordsOf(new Folder(root), { create })?.path;

describe('the records of cycles', () => {
  it('C1: are outside of the repository, private, and different for each path', () => {
    expect(records(false)).toBeUndefined();
    const path = records() ?? '';
    expect(path).toMatch(new RegExp(`^${state}/koda/cycles/[0-9a-f]{64}$`));
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(records(false)).toBe(path);
    const first = root;
    root = join(temporary, 'other');
    mkdirSync(root);
    expect(records()).not.toBe(path);
    root = join(temporary, 'link');
    symlinkSync(first, root);
    expect(records()).toBe(path);
  });

  it('C1: are in the home folder by default', () => {
    vi.stubEnv('XDG_STATE_HOME', '');
    vi.stubEnv('HOME', join(temporary, 'home'));
    expect(records()).toContain('/home/.local/state/koda/cycles/');
  });

  it.each(['koda', 'koda/cycles'])('C1: are refused if others can write to %s, or if it is a link', (name) => {
    records();
    chmodSync(join(state, name), 0o770);
    expect(() => records()).toThrow(`${join(state, name)}, because it is not a folder of yours`);
    rmSync(join(state, name), { recursive: true });
    mkdirSync(join(temporary, 'elsewhere'));
    symlinkSync(join(temporary, 'elsewhere'), join(state, name));
    for (const create of [true, false]) expect(() => records(create)).toThrow('it is not a folder of yours');
  });

  it('C1: are refused if they belong to another user', () => {
    records();
    const uid = process.getuid?.() ?? 0;
    vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
    expect(() => records()).toThrow('it is not a folder of yours');
    vi.restoreAllMocks();
  });

  it('C1: are refused inside the repository, also by a link or around the root, and at a relative path', () => {
    const inside = join(root, 'state');
    mkdirSync(inside);
    symlinkSync(inside, join(temporary, 'link'));
    symlinkSync(state, join(root, 'out'));
    for (const home of [root, inside, join(root, 'missing/deep'), join(temporary, 'link'), join(root, 'out')]) {
      vi.stubEnv('XDG_STATE_HOME', home);
      expect(() => records(), home).toThrow('inside the repository');
    }
    mkdirSync(join(temporary, '.git'));
    vi.stubEnv('XDG_STATE_HOME', state);
    expect(() => records()).toThrow(`inside the repository ${temporary}`);
    vi.stubEnv('XDG_STATE_HOME', 'state');
    expect(() => records()).toThrow('relative path');
  });
});
