import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { readTree } from '../../server/kinds/cycle/cli/tree.ts';
import { textFile, treeOf } from '../fixtures/cycle-trees.ts';
import { type FakeStudio, startFakeStudio } from '../fixtures/fake-studio.ts';
import { koda } from '../fixtures/koda-command.ts';
import { temporaryStateHome } from '../fixtures/state-home.ts';

temporaryStateHome();

let studio: FakeStudio;
let root: string;
beforeAll(async () => {
  studio = await startFakeStudio(treeOf({ 'src/a.ts': textFile('a\n') }));
});
afterAll(async () => await studio?.[Symbol.asyncDispose]());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'koda-sent-'));
  studio.archives.length = 0;
  put('dev_documents/CYCLE03/SPEC.md', '# Something\n');
  put('src/a.ts', 'a\n');
  git('init', '--quiet');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd: root, encoding: 'utf8' });
function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
/** A dry run, so that files that are missing in the result stay. */
const cycle = (...flags: string[]) =>
  koda(['--url', studio.url, 'run-cycle', '--id', '03', '--root', root, '--dry-run', ...flags]);

async function sent(): Promise<string[]> {
  const names: string[] = [];
  for (const archive of studio.archives)
    for await (const entry of (await fromBufferPromise(archive, { lazyEntries: true })).eachEntry()) names.push(entry.fileName);
  return names.toSorted();
}

/** No shape of a secret, and no name of one. */
const ignored = ['src/.env', 'src/build/a.js', 'src/deep/b.log'];
function putMixed(): void {
  put('.gitignore', '.env\nbuild/\n');
  put('src/.gitignore', '*.log\n!kept.log\n');
  for (const path of ignored) put(path, 'x\n');
  for (const path of ['src/deep/kept.log', 'src/tracked.log', 'src/ü.ts', 'src/with\ttab.md']) put(path, 'x\n');
  git('add', '--force', 'src/tracked.log');
}

describe('what a cycle sends', () => {
  it('M4: is what git tracks or would add', async () => {
    putMixed();
    rmSync(join(root, 'src/with\ttab.md'));
    const { code, stderr } = await cycle('--verbose');
    expect(code, stderr).toBe(0);
    const expected = ['SPEC.md', 'src/.gitignore', 'src/a.ts', 'src/deep/kept.log', 'src/tracked.log', 'src/ü.ts'];
    expect(await sent()).toEqual(expected);
    expect(stderr).toContain('Sending SPEC.md and 5 files (');
    for (const path of expected.slice(1)) expect(stderr).toContain(`    ${path}  `);
    expect(stderr).toContain('Files and folders in src/ that git ignores, and that stay as they are: 3.');
  });

  it('M4: includes files that the user names, and refuses names that are none', async () => {
    putMixed();
    rmSync(join(root, 'src/with\ttab.md'));
    expect(await cycle('--include', 'src/missing')).toMatchObject({ code: 2, stdout: '' });
    expect(await cycle('--include', '../a')).toMatchObject({ code: 2, stdout: '' });
    expect(await sent()).toEqual([]);
    const { code, stderr } = await cycle('--include', 'src/.env', '--include', './src/build/a.js');
    expect(code, stderr).toBe(0);
    expect(await sent()).toEqual(expect.arrayContaining(['src/.env', 'src/build/a.js']));
    expect(await sent()).not.toContain('src/deep/b.log');
  });

  it('M4: is everything outside of a git repository', () => {
    putMixed();
    rmSync(join(root, 'src/with\ttab.md'));
    renameSync(join(root, '.git'), join(root, 'no-git'));
    expect([...readTree(root).files.keys()]).toEqual(expect.arrayContaining(ignored));
  });

  it('M4: follows the git repository that src/ itself is, and leaves out those inside', () => {
    put('src/.gitignore', 'b.ts\n');
    put('src/b.ts', 'b\n');
    put('src/nested/c.ts', 'c\n');
    execFileSync('git', ['init', '--quiet', join(root, 'src/nested')]);
    const one = readTree(root);
    expect([...one.files.keys()].toSorted()).toEqual(['src/.gitignore', 'src/a.ts']);
    expect(one.leftOut).toContain('src/nested is a git repository of its own and stays as it is.');
    rmSync(join(root, '.git'), { recursive: true });
    execFileSync('git', ['init', '--quiet', join(root, 'src')]);
    expect([...readTree(root).files.keys()].toSorted()).toEqual(['src/.gitignore', 'src/a.ts']);
  });

  it('M4: is nothing if git cannot read the repository', async () => {
    put('src/.env', 'x\n');
    writeFileSync(join(root, '.git/config'), '[core');
    const { code, stderr } = await cycle();
    expect([code, await sent()], stderr).toEqual([3, []]);
    expect(stderr).toContain('git cannot list the files');
    expect(stderr).toContain('bad config line');
  });

  it('M4: is nothing if a file looks like a secret, unless the user names it', async () => {
    const key = `sk-ant-${'api03-abcdefghijklmnop'}`;
    put('src/.env.local', 'A=1\n');
    put('src/deep/config.ts', `// One line\nexport const key = '${key}';\n`);
    const { code, stdout, stderr } = await cycle();
    expect([code, stdout, await sent()], stderr).toEqual([3, '', []]);
    expect(stderr).toContain('src/.env.local, line 1 (an environment file)');
    expect(stderr).toContain('src/deep/config.ts, line 2 (an Anthropic key)');
    expect(stderr).not.toContain(key);
    expect((await cycle('--include', 'src/.env.local')).code).toBe(3);
    expect((await cycle('--include', 'src/.env.local', '--include', 'src/deep/config.ts')).code).toBe(0);
    expect(await sent()).toEqual(expect.arrayContaining(['src/.env.local', 'src/deep/config.ts']));
    put('dev_documents/CYCLE03/SPEC.md', `Use ${key}.\n`);
    expect((await cycle()).stderr).toContain('dev_documents/CYCLE03/SPEC.md, line 1 (an Anthropic key)');
  });

  it('C1: does not depend on old records in the repository, which are ignored and named', async () => {
    put('.koda/cycles/a/journal.json', 'damaged');
    put('src/.koda-0123456789abcdef-0', 'x\n');
    const { code, stderr } = await cycle();
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('The records of an earlier version in .koda/cycles are ignored.');
    expect(stderr).toContain('src/.koda-0123456789abcdef-0 is from an interrupted cycle');
    expect(await sent()).toEqual(['SPEC.md', 'src/a.ts']);
    expect(readdirSync(join(root, 'src'))).toEqual(['.koda-0123456789abcdef-0', 'a.ts']);
  });
});
