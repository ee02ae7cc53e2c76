import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commitOnBranch, requireNewBranch } from '../../server/kinds/cycle/cli/branch.ts';
import { readTree } from '../../server/kinds/cycle/cli/tree.ts';
import { textFile } from '../fixtures/cycle-trees.ts';

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'koda-git-'));
  root = join(folder, 'root');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'src/a.ts'), 'a\n');
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd: root, encoding: 'utf8' });
const ran = () => join(folder, 'ran');
const script = () => `#!/bin/sh\ntouch ${ran()}\n`;
const changes = [{ path: 'src/new.ts', before: null, after: textFile('new\n') }];

/** All calls of git that a cycle makes. */
function cycle(): string {
  readTree(root);
  requireNewBranch(root, 'cycle-03');
  return commitOnBranch(root, 'cycle-03', changes, 'Implement cycle 03');
}

function putHooks(place: string): void {
  mkdirSync(place, { recursive: true });
  for (const name of ['reference-transaction', 'post-index-change', 'post-commit', 'pre-commit', 'post-checkout']) {
    writeFileSync(join(place, name), script());
    chmodSync(join(place, name), 0o755);
  }
}

describe('git in the user’s repository', () => {
  it('L9: runs no hook, and no program of its configuration', () => {
    putHooks(join(root, '.git/hooks'));
    const monitor = join(folder, 'monitor');
    writeFileSync(monitor, script());
    chmodSync(monitor, 0o755);
    for (const name of ['core.fsmonitor', 'core.editor', 'core.pager', 'gpg.program', 'core.sshCommand'])
      git('config', name, monitor);
    git('config', 'commit.gpgSign', 'true');
    rmSync(ran(), { force: true });
    expect(git('show', '--name-only', '--format=', cycle())).toBe('src/new.ts\n');
    expect(existsSync(ran())).toBe(false);
    // The control: git on its own runs them.
    git('branch', 'other');
    expect(existsSync(ran())).toBe(true);
  });

  it('L9: fetches no missing object, whatever the repository allows', () => {
    const tree = git('rev-parse', 'HEAD:src').trim();
    git('config', 'core.repositoryFormatVersion', '1');
    git('config', 'extensions.partialClone', 'origin');
    git('config', 'remote.origin.promisor', 'true');
    git('config', 'remote.origin.url', `ext::touch ${ran()}`);
    git('config', 'protocol.ext.allow', 'always');
    rmSync(join(root, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    expect(cycle).toThrow();
    expect(existsSync(ran())).toBe(false);
    expect(() => git('ls-tree', '-r', 'HEAD')).toThrow();
    expect(existsSync(ran())).toBe(true);
  });

  it('L9: does not take a folder of the repository as a bare repository', () => {
    const inner = join(root, 'inner');
    cpSync(join(root, '.git'), inner, { recursive: true });
    cpSync(join(root, 'src'), join(inner, 'src'), { recursive: true });
    putHooks(join(inner, 'hooks'));
    execFileSync('git', ['config', '--file', join(inner, 'config'), 'core.bare', 'false']);
    execFileSync('git', ['config', '--file', join(inner, 'config'), 'core.worktree', '.']);
    const outer = root;
    root = inner;
    expect(cycle).toThrow();
    expect(() => requireNewBranch(root, 'cycle-03')).toThrow('not in a git repository');
    root = outer;
    expect(existsSync(ran())).toBe(false);
  });

  it('L9: is not redirected by the environment', () => {
    const other = join(folder, 'other');
    execFileSync('git', ['init', '--quiet', other]);
    vi.stubEnv('GIT_DIR', join(other, '.git'));
    vi.stubEnv('GIT_WORK_TREE', other);
    vi.stubEnv('GIT_OBJECT_DIRECTORY', join(other, '.git/objects'));
    vi.stubEnv('GIT_AUTHOR_NAME', 'Ada');
    const commit = cycle();
    vi.unstubAllEnvs();
    expect(git('show', '--no-patch', '--format=%an', 'cycle-03')).toBe('Ada\n');
    expect(git('rev-parse', 'cycle-03').trim()).toBe(commit);
    expect(readdirSync(join(other, '.git/refs/heads'))).toEqual([]);
  });
});
