import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { git } from '../../server/history/git.ts';
import { GitCheckpointStore } from '../../server/history/git-store.ts';
import { ProcessProvider } from '../../server/sandbox/process-provider.ts';
import { operatorLimits, type Sandbox, type SandboxProvider } from '../../server/sandbox/sandbox.ts';
import { openTokens } from '../../server/sandbox/tokens.ts';
import { noDiskLimits } from '../../server/storage/disk-usage.ts';
import { FolderSandbox, listTree } from '../fixtures/folder-sandbox.ts';
import { newProject, tempDir, tempStores, testPerson } from '../fixtures/storage.ts';

const signal = new AbortController().signal;

/** A project with a sandbox on a folder, and a checkpoint store on real git. */
async function setUp(limits = noDiskLimits) {
  const stores = tempStores(limits);
  const folders = tempDir();
  const { id: projectId } = await stores.projects.create(newProject());
  let count = 0;
  const newSandbox = () => {
    const folder = join(folders.path, `sandbox-${++count}`);
    mkdirSync(folder);
    return new FolderSandbox({ id: `sbx_${count}`, projectId, folder });
  };
  const context = { sandbox: newSandbox() };
  const repository = join(stores.dataDir, 'projects', `${projectId}.git`);
  const newStore = ({ hasSandbox } = { hasSandbox: true }) =>
    new GitCheckpointStore({
      dataDir: stores.dataDir,
      // FolderSandbox implements only the sandbox methods that checkpoints use.
      sandboxOf: async () => (hasSandbox ? (context.sandbox as unknown as Sandbox) : null),
      ledger: stores.checkpointLedger,
      disk: stores.disk,
    });
  const store = newStore();
  return {
    stores,
    store,
    newStore,
    projectId,
    repository,
    context,
    newSandbox,
    list: async () => (await stores.checkpointLedger.list(projectId, { cursor: null, limit: 100 })).items,
    save: (trigger = 'todo') => store.save(projectId, trigger, { by: testPerson, signal }),
    restore: () => store.restore(projectId, { signal }),
    write: (path: string, content: string | Buffer, mode = 0o644) => {
      const place = join(context.sandbox.folder, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
      chmodSync(place, mode);
    },
    events: () =>
      stores.database.sqlite.prepare("SELECT type FROM events WHERE type LIKE 'checkpoint.%' ORDER BY seq").pluck().all(),
    git: (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).trim(),
    [Symbol.dispose]: () => {
      stores[Symbol.dispose]();
      folders[Symbol.dispose]();
    },
  };
}

describe('checkpoints of a real sandboxd', () => {
  it('A22: restores files written over the protocol and by a command in a new sandbox', async () => {
    using stores = tempStores();
    // The socket is not in the test's own long path, because a socket path is limited to 107 bytes.
    const socketsDir = mkdtempSync('/tmp/koda-chk-');
    const provider: SandboxProvider = new ProcessProvider({
      instance: 'checkpoint',
      socketsDir,
      tokens: openTokens(stores.dataDir),
      environment: process.env,
    });
    const { id: projectId } = await stores.projects.create(newProject());
    const store = new GitCheckpointStore({
      dataDir: stores.dataDir,
      sandboxOf: (id, signal) => provider.find(id, { signal }),
      ledger: stores.checkpointLedger,
      disk: stores.disk,
    });
    const contents = async (sandbox: Sandbox) => {
      const { files } = await sandbox.listFiles('.', { recursive: true, signal });
      const found: Record<string, string> = {};
      for (const { path, type, executable } of files) {
        if (type === 'directory') continue;
        // A link is not followed, so it has no content.
        const bytes = type === 'file' ? await buffer(await sandbox.readFile(path, { signal })) : '';
        found[path] = `${type} ${executable} ${createHash('sha256').update(bytes).digest('hex')}`;
      }
      return found;
    };
    try {
      expect(await store.save(projectId, 'todo', { by: testPerson, signal })).toBeNull();
      const first = await provider.create(projectId, { limits: operatorLimits, signal });
      await first.writeFile('src/ümläut 猫.ts', Buffer.from('x'), { signal });
      await first.writeFile('public/blob.bin', randomBytes(2_000_000), { signal });
      const command =
        'mkdir -p scripts && echo "#!/bin/sh" > scripts/run.sh && chmod +x scripts/run.sh && ln -s ../src public/link && : > empty';
      for await (const event of first.exec({ command, cwd: null, env: {}, timeoutMs: 60_000 }, { signal })) {
        if (event.type === 'exit') expect(event.exitCode).toBe(0);
      }
      expect(await store.save(projectId, 'todo', { by: testPerson, signal })).toMatch(/^chk_/);
      expect(await store.save(projectId, 'todo', { by: testPerson, signal })).toBeNull();
      await first.deleteFile('empty', { signal });
      await first.writeFile('src/new.ts', Buffer.from('new'), { signal });
      const saved = await store.save(projectId, 'interval', { by: testPerson, signal });
      const before = await contents(first);
      expect(Object.keys(before).toSorted()).toEqual([
        'public/blob.bin',
        'public/link',
        'scripts/run.sh',
        'src/new.ts',
        'src/ümläut 猫.ts',
      ]);

      await provider.destroy(first.id, { signal });
      const second = await provider.create(projectId, { limits: operatorLimits, signal });
      expect(await store.restore(projectId, { signal })).toBe(saved);
      expect(await contents(second)).toEqual(before);
      expect(await store.save(projectId, 'todo', { by: testPerson, signal })).toBeNull();

      // An oversized file is rejected before it is sent, and earlier checkpoints stay.
      const grow = 'truncate -s 1100M public/huge.bin';
      for await (const event of second.exec({ command: grow, cwd: null, env: {}, timeoutMs: 60_000 }, { signal })) {
        if (event.type === 'exit') expect(event.exitCode).toBe(0);
      }
      await expect(store.save(projectId, 'todo', { by: testPerson, signal })).rejects.toMatchObject({
        code: 'TOO_LARGE',
        message: expect.stringContaining('"public/huge.bin"'),
      });
      expect((await stores.checkpointLedger.latest(projectId))?.id).toBe(saved);
      await second.deleteFile('public/huge.bin', { signal });
      await second.writeFile('src/new.ts', Buffer.from('newer'), { signal });
      expect(await store.save(projectId, 'todo', { by: testPerson, signal })).toMatch(/^chk_/);
    } finally {
      for (const { id } of await provider.list({ signal })) await provider.destroy(id, { signal });
      rmSync(socketsDir, { recursive: true, force: true });
    }
  });
});

describe('checkpoints on real git', () => {
  it('X4, A22: restores every kind of file byte by byte in a new sandbox', async () => {
    using project = await setUp();
    const { write, context } = project;
    write('src/App.tsx', 'export const App = () => null;\n');
    write('scripts/build.sh', '#!/bin/sh\n', 0o755);
    write('empty.txt', '');
    write('public/blob.bin', randomBytes(3_000_000));
    write('public/crlf.txt', 'a\r\nb\n\r');
    write('public/zeros.bin', Buffer.alloc(70_000));
    write('src/ümläut 猫 🎈.ts', 'x');
    write('src/a\u0308-decomposed.ts', 'x');
    write('src/"quoted" \'name\' $(x) `y`; %.ts', 'x');
    write(`${'deep/'.repeat(14)}leaf`, 'x');
    write(`long/${'n'.repeat(200)}/${'m'.repeat(200)}`, 'x');
    write('-leading-dash', 'x');
    symlinkSync('../src/App.tsx', join(context.sandbox.folder, 'public/link.tsx'));
    symlinkSync('missing', join(context.sandbox.folder, 'dangling'));
    const before = listTree(context.sandbox.folder);
    expect(Object.keys(before)).toHaveLength(14);

    const id = await project.save();
    context.sandbox = project.newSandbox();
    expect(await project.restore()).toBe(id);

    expect(listTree(context.sandbox.folder)).toEqual(before);
    expect(project.events()).toEqual(['checkpoint.saved', 'checkpoint.restored']);
    expect(project.git('fsck', '--strict')).toBe('');
    expect(project.git('log', '--format=%s|%(trailers:key=Koda-Checkpoint,valueonly)', 'main')).toBe(`todo|${id}`);
  });

  it('X4: attributes in a project do not affect stored files', async () => {
    using project = await setUp();
    const { write, context } = project;
    write(
      '.gitattributes',
      '* text eol=crlf ident filter=x working-tree-encoding=UTF-16\nsecret export-ignore\n*.txt export-subst\n[attr]z -text\n* z\n',
    );
    write('src/.gitattributes', '* text eol=crlf export-ignore\n');
    write('src/a.ts', 'one\ntwo\n');
    write('a.txt', '$Id$ $Format:%H$\n');
    write('secret', 'kept\n');
    const before = listTree(context.sandbox.folder);
    await project.save();
    context.sandbox = project.newSandbox();
    await project.restore();
    expect(listTree(context.sandbox.folder)).toEqual(before);
  });

  it('X4: describes a checkpoint in one line in the list and in the git log, including older checkpoints', async () => {
    using project = await setUp();
    const titles = async () => (await project.list()).map(({ title }) => title);
    const write = (content: string) => project.write('a', content);
    write('1');
    await project.store.save(project.projectId, 'written', {
      by: testPerson,
      signal,
      title: 'Ran npm install\n&& echo "\u001b[2J"',
    });
    write('2');
    await project.save('autosave');
    write('3');
    await project.store.save(project.projectId, 'manual', { by: testPerson, signal, name: 'Blue' });
    const expected = ['Blue', 'Autosave', 'Ran npm install && echo " [2J"'];
    expect(await titles()).toEqual(expected);
    expect(project.git('log', '--format=%s', 'main').split('\n')).toEqual(expected);
    project.stores.database.sqlite.exec("UPDATE events SET body = json_remove(body, '$.title') WHERE type = 'checkpoint.saved'");
    expect(await titles()).toEqual(['Blue', 'Autosave', 'Files written']);
  });

  it('A21: requests only changed files from the sandbox, and stores every kind of change', async () => {
    using project = await setUp();
    const { write, context } = project;
    const at = (path: string) => join(context.sandbox.folder, path);
    for (const name of ['stays', 'changes', 'goes', 'gets-executable', 'file-to-folder']) write(name, name);
    write('folder-to-file/inner', 'x');
    await project.save();

    write('changes', 'other');
    rmSync(at('goes'));
    chmodSync(at('gets-executable'), 0o755);
    rmSync(at('file-to-folder'));
    write('file-to-folder/inner', 'x');
    rmSync(at('folder-to-file'), { recursive: true });
    write('folder-to-file', 'x');
    renameSync(at('stays'), at('moved'));
    const before = listTree(context.sandbox.folder);
    expect(await project.save('interval')).not.toBeNull();

    expect(context.sandbox.exports[0]).toBe(0);
    expect(context.sandbox.exports[1]).toBeGreaterThan(0);
    context.sandbox = project.newSandbox();
    await project.restore();
    expect(listTree(context.sandbox.folder)).toEqual(before);
    expect(project.git('rev-list', '--count', 'main')).toBe('2');
  });

  it('A21: creates no checkpoint without changes: in the same sandbox, in another one, and after a restart', async () => {
    using project = await setUp();
    expect(await project.newStore().restore(project.projectId, { signal })).toBeNull();
    project.write('a', '1');
    const first = await project.save();
    expect(first).toMatch(/^chk_/);
    expect(await project.save()).toBeNull();
    project.write('a', '1');
    expect(await project.save()).toBeNull();
    expect(await project.newStore().save(project.projectId, 'todo', { by: testPerson, signal })).toBeNull();
    project.context.sandbox = project.newSandbox();
    await project.restore();
    expect(await project.save()).toBeNull();
    expect(await project.list()).toMatchObject([{ id: first, trigger: 'todo' }]);
    rmSync(join(project.context.sandbox.folder, 'a'));
    expect(await project.save('stop')).toMatch(/^chk_/);
    expect(project.git('ls-tree', '-r', 'main')).toBe('');
    expect((await project.list()).map((entry) => entry.trigger)).toEqual(['stop', 'todo']);
  });

  it('A21: starts git while the sandbox scans for changes, and leaves nothing if there are none', async () => {
    using project = await setUp();
    project.write('a', '1');
    await project.save();
    const packs = join(project.repository, 'objects', 'pack');
    const before = [readdirSync(packs), readdirSync(project.repository)];
    const { sandbox } = project.context;
    const look = sandbox.changes.bind(sandbox);
    sandbox.changes = async (options) => {
      await vi.waitFor(() => expect(readdirSync(packs)).toContainEqual(expect.stringMatching(/^tmp_pack_/)), 120_000);
      return await look(options);
    };
    expect(await project.save()).toBeNull();
    expect([readdirSync(packs), readdirSync(project.repository)]).toEqual(before);
    project.write('a', '2');
    expect(await project.save()).toMatch(/^chk_/);
    sandbox.changes = async () => {
      throw new KodaError('SANDBOX_DEAD', 'It is gone.');
    };
    await expect(project.save()).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
    expect(readdirSync(packs).filter((name) => name.startsWith('tmp_'))).toEqual([]);
    expect(project.git('fsck', '--strict')).toBe('');
  });

  it('A21: omits files in the .gitignore of the project until they are removed from it, and keeps files of the history', async () => {
    using project = await setUp();
    const names = () => project.git('ls-tree', '-r', '--name-only', 'main').split('\n').sort();
    project.write('kept.log', '1');
    await project.save();
    project.write('.gitignore', '*.log\n/cache/\n');
    project.write('new.log', '1');
    project.write('cache/deep/a', '1');
    project.write('src/a', '1');
    await project.save();
    expect(names()).toEqual(['.gitignore', 'kept.log', 'src/a']);
    // The archive includes later changes, and comes from a sandbox that a new server has not used before.
    project.write('kept.log', '2');
    project.write('new.log', '2');
    await project.save();
    project.write('cache/b', '1');
    expect(await project.newStore().save(project.projectId, 'todo', { by: testPerson, signal })).toBeNull();
    expect(names()).toEqual(['.gitignore', 'kept.log', 'src/a']);
    expect(project.git('show', 'main:kept.log')).toBe('2');
    project.write('.gitignore', '*.log\n');
    await project.save();
    expect(names()).toEqual(['.gitignore', 'cache/b', 'cache/deep/a', 'kept.log', 'src/a']);
    rmSync(join(project.context.sandbox.folder, '.gitignore'));
    rmSync(join(project.context.sandbox.folder, 'src/a'));
    await project.save();
    expect(names()).toEqual(['cache/b', 'cache/deep/a', 'kept.log', 'new.log']);
    expect(project.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('A22: a restore replaces the files in the sandbox, and the next save stores exactly those', async () => {
    using project = await setUp();
    project.write('kept', '1');
    await project.save();
    project.context.sandbox = project.newSandbox();
    project.write('from-the-template', 'x');
    await project.restore();
    expect(Object.keys(listTree(project.context.sandbox.folder))).toEqual(['kept']);
    project.write('new', '2');
    await project.save();
    expect(project.git('ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual(['kept', 'new']);
  });

  it('X7: after a crash between commit and row, the last row is authoritative and work continues from there', async () => {
    using project = await setUp();
    project.write('a', '1');
    const first = await project.save();
    project.write('a', '2');
    const add = project.stores.checkpointLedger.add.bind(project.stores.checkpointLedger);
    project.stores.checkpointLedger.add = async () => {
      throw new Error('killed');
    };
    await expect(project.save()).rejects.toThrow('killed');
    project.stores.checkpointLedger.add = add;
    expect(project.git('show', 'refs/koda/incoming:a')).toBe('2');

    const restarted = project.newStore();
    project.context.sandbox = project.newSandbox();
    expect(await restarted.restore(project.projectId, { signal })).toBe(first);
    expect(listTree(project.context.sandbox.folder)).toEqual({ a: expect.stringMatching(/^file 6b86b273/) });
    project.write('a', '3');
    expect(await restarted.save(project.projectId, 'todo', { by: testPerson, signal })).not.toBeNull();
    expect(project.git('rev-list', '--count', 'main')).toBe('2');
    expect(project.git('show', 'main:a')).toBe('3');
  });

  it('A22: the next save makes up for one whose row could not be written', async () => {
    using project = await setUp();
    project.write('a', '1');
    await project.save();
    project.write('a', '2');
    const { checkpointLedger } = project.stores;
    const add = checkpointLedger.add.bind(checkpointLedger);
    checkpointLedger.add = async () => {
      throw new KodaError('STORAGE_FULL', 'full');
    };
    await expect(project.save()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    checkpointLedger.add = add;
    project.write('b', '1');
    await project.save();
    expect(project.git('show', 'main:a')).toBe('2');
    expect(project.git('show', 'main:b')).toBe('1');
  });

  it('X7: after a crash between row and branch, the row is authoritative', async () => {
    using project = await setUp();
    project.write('a', '1');
    await project.save();
    const older = project.git('rev-parse', 'main');
    project.write('a', '2');
    const second = await project.save();
    project.git('update-ref', 'refs/heads/main', older);

    const restarted = project.newStore();
    expect(await restarted.restore(project.projectId, { signal })).toBe(second);
    project.write('a', '3');
    await restarted.save(project.projectId, 'todo', { by: testPerson, signal });
    expect(project.git('rev-list', '--count', 'main')).toBe('3');
  });

  it('A22: an aborted archive creates no checkpoint, and is requested again once', async () => {
    using project = await setUp();
    const { sandbox } = project.context;
    project.write('a', randomBytes(200_000));
    const whole = sandbox.exportTar.bind(sandbox);
    const cut = async (options: { since: number; signal: AbortSignal }) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of await whole(options)) pieces.push(piece as Uint8Array);
      return Readable.from([Buffer.concat(pieces).subarray(0, 100_000)], { objectMode: false });
    };
    sandbox.exportTar = cut;
    await expect(project.save()).rejects.toThrow();
    expect(await project.list()).toEqual([]);

    let calls = 0;
    sandbox.exportTar = (options) => (calls++ === 0 ? cut(options) : whole(options));
    expect(await project.save()).not.toBeNull();
    expect(calls).toBe(2);
    expect(project.git('fsck', '--strict')).toBe('');
    expect(readdirSync(project.repository).filter((name) => name.startsWith('fast_import_crash'))).toEqual([]);
  });

  it('A10: cancelling a save while the sandbox hangs ends it at once and leaves nothing partial', async () => {
    using project = await setUp();
    project.write('a', '1');
    await project.save();
    project.write('a', '2');
    const { sandbox } = project.context;
    const whole = sandbox.exportTar.bind(sandbox);
    const stop = new AbortController();
    sandbox.exportTar = async () => {
      setTimeout(() => stop.abort(), 50);
      return new Readable({ read: () => undefined });
    };
    await expect(project.store.save(project.projectId, 'todo', { by: testPerson, signal: stop.signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    sandbox.exportTar = whole;
    expect(await project.save()).not.toBeNull();
    expect(project.git('show', 'main:a')).toBe('2');
    expect(readdirSync(join(project.repository, 'objects', 'pack')).filter((name) => name.startsWith('tmp_'))).toEqual([]);
  });

  it('A21: saves of one project run in sequence, and saves of two projects do not mix', async () => {
    using project = await setUp();
    using other = await setUp();
    project.write('a', '1');
    other.write('b', '1');
    const ids = await Promise.all([project.save(), project.save(), other.save(), project.save()]);
    expect(ids.map((id) => id === null)).toEqual([false, true, false, true]);
    expect(project.git('ls-tree', '--name-only', 'main')).toBe('a');
    expect(other.git('ls-tree', '--name-only', 'main')).toBe('b');
  });

  it('A21: many checkpoints use few packs and stay readable', async () => {
    using project = await setUp();
    const hashes: string[] = [];
    for (let index = 0; index < 60; index++) {
      project.write('counter', `${index}`);
      await project.save();
      hashes.push(project.git('rev-parse', 'main'));
    }
    expect(
      readdirSync(join(project.repository, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length,
    ).toBeLessThanOrEqual(51);
    expect(hashes.map((hash) => project.git('show', `${hash}:counter`))).toEqual(hashes.map((_, index) => `${index}`));
    expect(project.git('fsck', '--strict')).toBe('');
  });

  it('X7: data from a sandbox never runs on the host: no hooks, no settings of the machine', async () => {
    using project = await setUp();
    project.write('hooks/reference-transaction', '#!/bin/sh\ntouch /tmp/koda-hook-ran\n', 0o755);
    project.write('config', '[core]\n\tfsmonitor = touch /tmp/koda-hook-ran\n');
    await project.save();
    await project.restore();
    expect(existsSync('/tmp/koda-hook-ran')).toBe(false);
    expect(existsSync(join(project.repository, 'hooks'))).toBe(false);
  });

  it('A22: reports a repository with a missing commit as damaged, and leaves the sandbox unchanged', async () => {
    using project = await setUp();
    project.write('a', '1');
    await project.save();
    for (const name of readdirSync(join(project.repository, 'objects', 'pack')))
      rmSync(join(project.repository, 'objects', 'pack', name));
    await expect(project.restore()).rejects.toMatchObject({ code: 'INTERNAL_ERROR', recovery: 'restore_backup' });
    expect(Object.keys(listTree(project.context.sandbox.folder))).toEqual(['a']);
  });

  it('A22: reports a sandbox that dies during a restore, and records no restore', async () => {
    using project = await setUp();
    project.write('a', randomBytes(2_000_000));
    await project.save();
    project.context.sandbox.importTar = async (tar) => {
      for await (const _ of tar) throw new KodaError('SANDBOX_DEAD', 'gone');
      return { files: 0, bytes: 0 };
    };
    await expect(project.restore()).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
    project.context.sandbox.importTar = async () => {
      throw new KodaError('SANDBOX_DEAD', 'gone');
    };
    await expect(project.restore()).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
    expect(project.events()).toEqual(['checkpoint.saved']);
  });

  it('A24: deletes the history of a deleted project, and no save recreates it', async () => {
    using project = await setUp();
    project.write('a', '1');
    await project.save();
    await project.stores.projects.delete(project.projectId);
    await project.store.removeAll(project.projectId);
    await project.store.removeAll(project.projectId);
    await expect(project.save()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(readdirSync(join(project.stores.dataDir, 'projects'))).toEqual([]);
  });

  it('A22: reports that a sandbox that has died since the last write cannot be saved', async () => {
    using project = await setUp();
    const dead = project.newSandbox();
    dead.changes = async () => {
      throw new KodaError('SANDBOX_DEAD', 'gone');
    };
    const sandbox = dead as unknown as Sandbox;
    await expect(project.store.save(project.projectId, 'user_edit', { by: testPerson, signal, sandbox })).rejects.toMatchObject({
      code: 'SANDBOX_DEAD',
    });
  });

  it('X7: removes the lock files of a killed git, which block nothing', async () => {
    using project = await setUp();
    project.write('a', '1');
    await project.save();
    const packs = join(project.repository, 'objects', 'pack');
    const litter = [
      join(project.repository, 'HEAD.lock'),
      join(project.repository, 'refs', 'heads', 'main.lock'),
      join(project.repository, 'refs', 'koda', 'incoming.lock'),
      join(project.repository, 'fast_import_crash_1'),
      join(packs, 'tmp_pack_x'),
      join(packs, '.tmp-1-pack-x.pack'),
      join(packs, 'pack-0123.pack'),
      join(
        packs,
        readdirSync(packs)
          .find((name) => name.endsWith('.pack'))
          ?.replace('.pack', '.keep') ?? '',
      ),
    ];
    for (const path of litter) writeFileSync(path, '');
    project.write('a', '2');
    expect(await project.newStore().save(project.projectId, 'todo', { by: testPerson, signal })).toMatch(/^chk_/);
    expect(litter.filter((path) => existsSync(path))).toEqual([]);
    expect(project.git('show', 'main:a')).toBe('2');
    expect(project.git('fsck', '--strict')).toBe('');
  });

  it('A24: the sweep removes only incomplete histories and histories without a project', async () => {
    using project = await setUp();
    project.write('a', '1');
    await project.save();
    const folder = join(project.stores.dataDir, 'projects');
    const gone = newId('prj');
    for (const name of [`${gone}.git`, `${gone}.git.deleted`, '.incoming-0000-1', 'notes.txt']) mkdirSync(join(folder, name));
    await project.store.sweep();
    expect(readdirSync(folder).toSorted()).toEqual(['notes.txt', `${project.projectId}.git`]);
    expect(project.git('show', 'main:a')).toBe('1');
    expect(await project.store.sweep()).toBe(0);
  });

  it('X4: a standard git client clones the repository', async () => {
    using project = await setUp();
    using folder = tempDir();
    project.write('src/a.ts', 'x');
    project.write('run.sh', '#!/bin/sh\n', 0o755);
    await project.save();
    execFileSync('git', ['clone', '--quiet', project.repository, join(folder.path, 'clone')], { stdio: 'pipe' });
    rmSync(join(folder.path, 'clone', '.git'), { recursive: true });
    expect(listTree(join(folder.path, 'clone'))).toEqual(listTree(project.context.sandbox.folder));
  });

  it('H8: prunes objects that nothing has referred to for two weeks, and keeps every checkpoint', async () => {
    using project = await setUp();
    const { add } = project.stores.checkpointLedger;
    const ids: string[] = [];
    for (const round of [1, 2, 3, 4]) {
      project.write('a', String(round));
      ids.push((await project.save()) ?? '');
    }
    // Its row could not be written, so nothing refers to the large file after the next save.
    project.stores.checkpointLedger.add = () => Promise.reject(new Error('no row'));
    project.write('large.bin', randomBytes(500_000));
    await expect(project.save()).rejects.toThrow('no row');
    project.stores.checkpointLedger.add = add;
    const [lost = ''] = project.git('ls-tree', '-r', '--object-only', 'refs/koda/incoming', 'large.bin').split('\n');
    rmSync(join(project.context.sandbox.folder, 'large.bin'));
    project.write('a', '5');
    await project.save();
    const packs = join(project.repository, 'objects', 'pack');
    const exists = () => spawnSync('git', ['-C', project.repository, 'cat-file', '-e', lost]).status === 0;

    // While the project has a sandbox, nothing is packed.
    expect(await project.store.pruneNext({ signal })).toBeNull();
    const idle = project.newStore({ hasSandbox: false });
    expect(await idle.pruneNext({ signal })).toBe(project.projectId);
    expect(exists()).toBe(true);
    const longAgo = new Date(Date.now() - 15 * 24 * 3_600_000);
    // The time of an object is in a file beside its pack, which a fresh copy takes from the pack.
    for (const name of readdirSync(packs)) if (name.endsWith('.mtimes')) rmSync(join(packs, name));
    for (const name of readdirSync(packs)) utimesSync(join(packs, name), longAgo, longAgo);
    for (const round of [6, 7, 8]) {
      project.write('a', String(round));
      ids.push((await project.save()) ?? '');
    }
    expect(await idle.pruneNext({ signal })).toBe(project.projectId);
    expect(exists()).toBe(false);
    expect(project.git('fsck', '--strict', '--full')).toBe('');
    expect(readdirSync(packs).filter((name) => name.endsWith('.pack'))).toHaveLength(1);
    expect(await project.restore()).toBe(ids.at(-1));
    for (const { commitId } of await project.list()) expect(project.git('cat-file', '-t', `${commitId}^{tree}`)).toBe('tree');
    expect(await idle.pruneNext({ signal })).toBeNull();
  });

  it('H8: a checkpoint ends in the middle when its project reaches the limit, and the next one is saved', async () => {
    using project = await setUp({ ...noDiskLimits, projectLimitBytes: 20 * 1024 * 1024 });
    project.write('a', '1');
    await project.save();
    project.write('large.bin', randomBytes(40 * 1024 * 1024));
    await expect(project.save()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    const packs = readdirSync(join(project.repository, 'objects', 'pack'));
    expect(packs.filter((name) => name.startsWith('tmp_'))).toEqual([]);
    expect(await project.list()).toHaveLength(1);
    rmSync(join(project.context.sandbox.folder, 'large.bin'));
    project.write('a', '2');
    expect(await project.save()).toMatch(/^chk_/);
    expect(project.git('fsck', '--strict')).toBe('');
  });

  it('M14: git contacts no other machine, whatever the repository asks for', async () => {
    using project = await setUp();
    using folder = tempDir();
    project.write('a', '1');
    await project.save();
    const options = { repository: project.repository, signal, input: null };
    for (const url of ['https://127.0.0.1:9/x.git', 'ssh://127.0.0.1:9/x.git', `ext::touch ${folder.path}/made`]) {
      await expect(git(['ls-remote', url], options), url).rejects.toThrow(/transport '.*' not allowed/);
    }
    expect(readdirSync(folder.path)).toEqual([]);
    expect(await git(['ls-remote', project.repository], options)).toContain('refs/heads/main');
  });
});
