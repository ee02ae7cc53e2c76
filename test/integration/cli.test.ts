import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const launcher = join(import.meta.dirname, '../../scripts/koda.sh');
let folder: string;
let koda: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'koda-cli-'));
  // The command as npx installs it.
  koda = join(folder, 'koda');
  symlinkSync(launcher, koda);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => spawnSync(koda, args, { encoding: 'utf8', cwd: folder, timeout: 60_000 });

describe('koda on the command line', () => {
  it('starts from anywhere through a link and lists its commands and exit codes', () => {
    const { status, stdout } = run('--help');
    expect(status).toBe(0);
    for (const word of [
      'make',
      'list',
      'show',
      'render',
      'history',
      'import',
      'cancel',
      'backup',
      'verify',
      'doctor',
      'Exit codes:',
    ])
      expect(stdout).toContain(word);
  });

  it('reports how to start the studio if none responds, with the documented exit code', () => {
    const { status, stderr } = run('list', '--url', 'http://127.0.0.1:1');
    expect(status).toBe(6);
    expect(stderr).toContain('npm start');
  });
});
