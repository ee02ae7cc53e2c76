import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorEnvelopeSchema } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { type Project, projectSchema } from '#contract/project.ts';
import { localPerson } from '../../server/access/access.ts';
import { GitProjectCreator } from '../../server/history/project-creation.ts';
import { openDatabase } from '../../server/storage/database.ts';
import { noDiskLimits } from '../../server/storage/disk-usage.ts';
import { createStores } from '../../server/storage/stores.ts';
import { listTree } from '../fixtures/folder-sandbox.ts';
import { historyFixture } from '../fixtures/history.ts';
import { outlineIn } from '../fixtures/plans.ts';
import { samplePlan, tempDir, testPerson } from '../fixtures/storage.ts';
import { type CraftedEntry, craftZip } from '../fixtures/zip.ts';

let project: Awaited<ReturnType<typeof historyFixture>>;
let folder: ReturnType<typeof tempDir>;
beforeEach(async () => {
  project = await historyFixture();
  folder = tempDir();
});
afterEach(() => {
  project[Symbol.dispose]();
  folder[Symbol.dispose]();
});

/** Files that every project has. */
const base: CraftedEntry[] = [
  { name: 'package.json', content: '{}' },
  { name: 'index.html', content: '<!doctype html>' },
];
const upload = (name: string, content: Buffer) =>
  project.call('/api/projects/import', {
    method: 'POST',
    body: new Uint8Array(content),
    headers: { 'x-filename': encodeURIComponent(name), 'content-type': 'application/octet-stream' },
  });
const imported = async (name: string, content: Buffer): Promise<Project> => {
  const response = await upload(name, content);
  expect([response.status, response.ok ? '' : await response.clone().text()]).toEqual([201, '']);
  return projectSchema.parse(await response.json());
};

async function filesOf({ id }: Project): Promise<Record<string, string>> {
  await project.openSandbox(id);
  return listTree(project.sandboxes.folderOf(id));
}

/** Lists everything in the data folder except the database. */
const leftovers = () => {
  const folder = join(project.stores.dataDir, 'projects');
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder).toSorted();
};

function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@x'];
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }).trim();
}

/** Creates a work tree with a repository, and its bundle. */
function bundleOf(fill: (place: string) => void, ...refs: string[]): Buffer {
  const place = join(folder.path, `work-${randomBytes(4).toString('hex')}`);
  mkdirSync(place);
  git(place, 'init', '--quiet', '--initial-branch=main');
  for (const { name, content } of base) writeFileSync(join(place, name), content);
  fill(place);
  git(place, 'add', '--all', '--force');
  git(place, 'commit', '--quiet', '--allow-empty', '-m', 'last');
  git(place, 'bundle', 'create', 'x.bundle', ...(refs.length === 0 ? ['main'] : refs));
  return readFileSync(join(place, 'x.bundle'));
}

describe('a zip out and in again', () => {
  it('X4: exports a checkpoint and the newest state; every kind of file is restored byte by byte, despite attributes', async () => {
    for (const { name, content } of base) project.write(name, content);
    project.write('run.sh', '#!/bin/sh\n', 0o755);
    project.write('src/ü 猫 🎈.ts', 'x');
    project.write('src/a\u0308.ts', 'x');
    project.write('empty', '');
    project.write('public/blob.bin', randomBytes(300_000));
    project.write('crlf.txt', 'a\r\nb\n');
    project.write('.gitattributes', '* text eol=lf export-subst\nsecret export-ignore\n');
    project.write('secret', '$Format:%H$');
    symlinkSync('../run.sh', join(project.sandboxes.folderOf(project.projectId), 'src/link'));
    const first = await project.save();
    const before = listTree(project.sandboxes.folderOf(project.projectId));
    project.write('later', '1');
    await project.save();

    const old = await project.call(`${project.path}/checkpoints/${first}/archive.zip`);
    expect(old.headers.get('content-type')).toBe('application/zip');
    expect(old.headers.get('content-disposition')).toContain('filename="Ball.zip"');
    const made = await imported('My film.zip', Buffer.from(await old.arrayBuffer()));
    expect(made).toMatchObject({ name: 'My film', phase: 'complete', running: false, sandbox: 'stopped' });
    expect(await filesOf(made)).toEqual(before);

    const newest = await project.call(`${project.path}/archive.zip`);
    const again = await imported('x.zip', Buffer.from(await newest.arrayBuffer()));
    expect(Object.keys(await filesOf(again))).toContain('later');
    expect(leftovers()).toEqual([`${again.id}.git`, `${made.id}.git`, `${project.projectId}.git`].toSorted());
  });

  it('X4: has nothing to export before the first checkpoint', async () => {
    const answer = await project.call(`${project.path}/archive.zip`);
    expect([answer.status, errorEnvelopeSchema.parse(await answer.json()).error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('X4: strips an enclosing folder and files that projects do not store', async () => {
    const names = ['package.json', 'index.html', 'src/a.ts', 'node_modules/x/y.js', 'dist/z.js', '.git/config', 'src/.DS_Store'];
    const zip = craftZip([
      { name: 'film-main/', content: '' },
      ...names.map((name) => ({ name: `film-main/${name}`, content: 'x' })),
      { name: '__MACOSX/film-main/._a', content: 'x' },
    ]);
    expect(Object.keys(await filesOf(await imported('film.zip', zip))).toSorted()).toEqual([
      'index.html',
      'package.json',
      'src/a.ts',
    ]);
  });

  it('H8: an archive whose files no longer fit is refused while it is unpacked, and leaves nothing', async () => {
    const database = openDatabase(folder.path);
    const stores = createStores(database, { ...noDiskLimits, limitBytes: 45 * 1024 * 1024 });
    const creator = new GitProjectCreator({ dataDir: folder.path, ledger: stores.checkpointLedger, disk: stores.disk });
    // The upload fits, but not beside its files.
    const zip = craftZip([...base, { name: 'large.txt', content: randomBytes(30 * 1024 * 1024).toString('hex') }]);
    expect(zip.length).toBeLessThan(45 * 1024 * 1024);
    const importing = creator.import(Readable.from([zip]), () => Promise.reject(new Error('not reached')), {
      id: newId('prj'),
      requiredFiles: [],
      signal: new AbortController().signal,
    });
    await expect(importing).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(readdirSync(join(folder.path, 'projects'))).toEqual([]);
    database.close();
  });

  it('X4: an imported project has its own history, and can be cloned and changed', async () => {
    const made = await imported('x.zip', craftZip(base));
    const { items } = (await (await project.call(`/api/projects/${made.id}/checkpoints`)).json()) as { items: unknown[] };
    expect(items).toMatchObject([{ trigger: 'import', changedFiles: 2 }]);
    const snapshot = await project.stores.projects.state(made.id);
    expect(snapshot.plan).toMatchObject({ accepted: true, caveat: expect.stringContaining('film.json') });
    expect(await project.stores.projects.listDue()).not.toContain(made.id);
  });
});

describe('crafted zips', () => {
  const link = (target: string) => ({ name: 'l', content: target, mode: 0o120777 });
  it.each<[string, CraftedEntry[], string]>([
    ['a path out of the project', [{ name: '../evil', content: 'x' }], 'VALIDATION_ERROR'],
    ['a path out of it further in', [{ name: 'src/../../evil', content: 'x' }], 'VALIDATION_ERROR'],
    ['an absolute path', [{ name: '/etc/cron.d/evil', content: 'x' }], 'VALIDATION_ERROR'],
    ['a drive', [{ name: 'C:/evil', content: 'x' }], 'VALIDATION_ERROR'],
    ['backslashes', [{ name: 'a\\..\\..\\evil', content: 'x' }], 'VALIDATION_ERROR'],
    ['a path that is not in its plain form', [{ name: 'src/./a', content: 'x' }], 'INVALID_PATH'],
    ['a git folder in capitals', [{ name: '.GIT/config', content: 'x' }], 'INVALID_PATH'],
    ['a line break', [{ name: 'a\nD src', content: 'x' }], 'INVALID_PATH'],
    ['a NUL', [{ name: 'a\0b', content: 'x' }], 'INVALID_PATH'],
    ['a reserved name', [{ name: 'src/con.txt', content: 'x' }], 'INVALID_PATH'],
    ['a path that is too deep', [{ name: `${'d/'.repeat(20)}x`, content: 'x' }], 'INVALID_PATH'],
    ['a path that is too long', [{ name: `${`${'n'.repeat(200)}/`.repeat(3)}x`, content: 'x' }], 'INVALID_PATH'],
    ['a link out of the project', [link('../../etc/passwd')], 'INVALID_PATH'],
    ['an absolute link', [link('/etc/passwd')], 'INVALID_PATH'],
    ['a link that leads up further in', [link('src/../../x')], 'INVALID_PATH'],
    ['a link that is too long', [link('x'.repeat(5000))], 'VALIDATION_ERROR'],
    ['a file below a link', [link('src'), { name: 'l/x', content: 'x' }], 'VALIDATION_ERROR'],
    ['a device', [{ name: 'd', content: '', mode: 0o020666 }], 'VALIDATION_ERROR'],
    ['a pipe', [{ name: 'p', content: '', mode: 0o010666 }], 'VALIDATION_ERROR'],
    [
      'the same file twice',
      [
        { name: 'a', content: '1' },
        { name: 'a', content: '2' },
      ],
      'VALIDATION_ERROR',
    ],
    ['an encrypted file', [{ name: 'a', content: 'x', flags: 1 }], 'VALIDATION_ERROR'],
    ['a method that nobody knows', [{ name: 'a', content: 'x', method: 99 }], 'VALIDATION_ERROR'],
    ['a file that is larger than it says', [{ name: 'a', content: 'x'.repeat(1000), claimedBytes: 10 }], 'VALIDATION_ERROR'],
    ['a file that is smaller than it says', [{ name: 'a', content: 'x', claimedBytes: 10 }], 'VALIDATION_ERROR'],
    ['damaged content', [{ name: 'a', content: 'x'.repeat(1000), damaged: true }], 'VALIDATION_ERROR'],
    ['more than is allowed when unpacked', [{ name: 'a', content: 'x', claimedBytes: 0xf0000000 }], 'TOO_LARGE'],
  ])('X4: refuses %s and leaves nothing behind', async (_, entries, code) => {
    const before = leftovers();
    const answer = await upload('x.zip', craftZip([...base, ...entries]));
    const { error } = errorEnvelopeSchema.parse(await answer.json());
    expect([error.code, error.message]).toEqual([code, expect.stringContaining('not imported')]);
    expect(leftovers()).toEqual(before);
    expect((await project.stores.projects.list({ cursor: null, limit: 9, search: null })).items).toHaveLength(1);
  });

  it('X4: refuses an archive bomb of files with shared bytes before unpacking it', async () => {
    const zeros = deflateRawSync(Buffer.alloc(200 * 1024 * 1024));
    const bomb = craftZip([
      ...base,
      ...Array.from({ length: 10 }, (_, index) => ({
        name: `z${index}`,
        content: '',
        packed: zeros,
        claimedBytes: 200 * 1024 * 1024,
      })),
    ]);
    const answer = await upload('x.zip', bomb);
    expect(errorEnvelopeSchema.parse(await answer.json()).error.code).toBe('TOO_LARGE');
  });

  it('X4: refuses too many files', async () => {
    const many = Array.from({ length: 20_001 }, (_, index) => ({ name: `f/${index}`, content: '' }));
    const answer = await upload('x.zip', craftZip([...base, ...many]));
    expect(errorEnvelopeSchema.parse(await answer.json()).error.code).toBe('TOO_LARGE');
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'VALIDATION_ERROR'],
    ['text', Buffer.from('hello'), 'UNSUPPORTED_TYPE'],
    ['a zip that is cut off', craftZip(base).subarray(0, 100), 'VALIDATION_ERROR'],
    ['the start of a zip and noise', Buffer.concat([Buffer.from('PK'), Buffer.alloc(5000, 1)]), 'VALIDATION_ERROR'],
    ['a zip that is no project', craftZip([{ name: 'readme.txt', content: 'x' }]), 'VALIDATION_ERROR'],
    [
      'the start of a bundle and noise',
      Buffer.from(`# v2 git bundle\n${'0'.repeat(40)} refs/heads/main\n\nPACKnoise`),
      'VALIDATION_ERROR',
    ],
  ])('X4: refuses %s with the matching error code', async (_, content, code) => {
    const before = leftovers();
    const answer = await upload('x', content);
    expect(errorEnvelopeSchema.parse(await answer.json()).error.code).toBe(code);
    expect(leftovers()).toEqual(before);
  });
});

describe('bundles', () => {
  it('X4: imports a bundle with its history', async () => {
    const bundle = bundleOf((place) => {
      writeFileSync(join(place, 'a'), '1');
      git(place, 'add', '--all');
      git(place, 'commit', '--quiet', '-m', 'first');
      writeFileSync(join(place, 'a'), '2');
      mkdirSync(join(place, 'src'));
      symlinkSync('../a', join(place, 'src/link'));
    });
    const made = await imported('film.bundle', bundle);
    expect(Object.keys(await filesOf(made)).toSorted()).toEqual(['a', 'index.html', 'package.json', 'src/link']);
    const repository = join(project.stores.dataDir, 'projects', `${made.id}.git`);
    expect(git(repository, 'log', '--format=%s', 'main').split('\n')).toEqual(['Imported', 'last', 'first']);
    expect(git(repository, 'for-each-ref', '--format=%(refname)').split('\n')).toEqual(['refs/heads/main', 'refs/koda/incoming']);
  });

  it.each<[string, (place: string) => void, string]>([
    ['a link out of the project', (place) => symlinkSync('../../etc/passwd', join(place, 'l')), 'INVALID_PATH'],
    [
      'a folder that no project keeps',
      (place) => {
        mkdirSync(join(place, 'node_modules'));
        writeFileSync(join(place, 'node_modules', 'x'), '');
      },
      'INVALID_PATH',
    ],
    ['a name that Windows reserves', (place) => writeFileSync(join(place, 'nul.txt'), ''), 'INVALID_PATH'],
    [
      'a name that is not UTF-8',
      (place) => writeFileSync(Buffer.concat([Buffer.from(`${place}/`), Buffer.from([0x61, 0xff])]), ''),
      'INVALID_PATH',
    ],
    [
      'no project',
      (place) => {
        execFileSync('rm', ['index.html'], { cwd: place });
      },
      'VALIDATION_ERROR',
    ],
  ])('X4: refuses %s and leaves nothing behind', async (_, fill, code) => {
    const before = leftovers();
    const answer = await upload('x.bundle', bundleOf(fill));
    expect(errorEnvelopeSchema.parse(await answer.json()).error.code).toBe(code);
    expect(leftovers()).toEqual(before);
  });

  it.each([
    [
      'a git folder',
      (blob: string, tree: (lines: string) => string) => `040000 tree ${tree(`100644 blob ${blob}\tconfig\n`)}\t.git`,
    ],
    ['a submodule', () => `160000 commit ${'1'.repeat(40)}\tsub`],
  ])('X4: refuses a tree that contains %s', async (_, line) => {
    const bundle = bundleOf((place) => {
      const make = (input: string, ...args: string[]) =>
        execFileSync('git', args, { cwd: place, input, encoding: 'utf8' }).trim();
      const tree = (lines: string) => make(lines, 'mktree', '--missing');
      const blob = make('[core]\n', 'hash-object', '-w', '--stdin');
      const files = `100644 blob ${blob}\tindex.html\n100644 blob ${blob}\tpackage.json\n`;
      git(place, 'update-ref', 'refs/heads/evil', git(place, 'commit-tree', '-m', 'x', tree(`${line(blob, tree)}\n${files}`)));
    }, 'evil');
    const answer = await upload('x.bundle', bundle);
    const { code, message } = errorEnvelopeSchema.parse(await answer.json()).error;
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringMatching(/git rejects its content|submodule/)]);
  });

  it('X4: reports how to complete a bundle with missing commits', async () => {
    const place = join(folder.path, 'part');
    mkdirSync(place);
    git(place, 'init', '--quiet', '--initial-branch=main');
    git(place, 'commit', '--quiet', '--allow-empty', '-m', '1');
    git(place, 'commit', '--quiet', '--allow-empty', '-m', '2');
    git(place, 'bundle', 'create', 'x.bundle', 'main~1..main');
    const answer = await upload('x.bundle', readFileSync(join(place, 'x.bundle')));
    expect(errorEnvelopeSchema.parse(await answer.json()).error.message).toContain('git bundle create');
  });
});

describe('branches', () => {
  const branch = async (body: Record<string, unknown>) => {
    const response = await project.send('POST', `${project.path}/branch`, body);
    expect([response.status, response.ok ? '' : await response.clone().text()]).toEqual([201, '']);
    return projectSchema.parse(await response.json());
  };

  it('X4: branches a checkpoint with its files, plan, conversation up to then, history and uploads', async () => {
    project.write('a', '1');
    await project.say('make it red');
    const logo = readFileSync(new URL('../fixtures/logo.png', import.meta.url));
    const sent = await project.call(`${project.path}/assets`, {
      method: 'POST',
      body: logo,
      headers: { 'x-filename': 'logo.png' },
    });
    expect(sent.status).toBe(201);
    const first = await project.save();
    await project.record({
      type: 'plan.proposed',
      plan: samplePlan({ id: project.plan.id, revision: 2, durationSeconds: 9, accepted: true }),
    });
    await project.say('longer');
    project.write('a', '2');
    await project.save();

    const made = await branch({ checkpointId: first, name: 'Red one' });
    expect(made).toMatchObject({ name: 'Red one', phase: 'complete', prompt: 'A red ball bounces', running: false });
    const { plan, messages, assets, approval } = await project.stores.projects.state(made.id);
    expect([outlineIn(plan).durationSeconds, plan?.accepted, approval]).toEqual([6, true, null]);
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'make it red'],
      ['system', expect.stringContaining('Branched from “Ball”')],
    ]);
    expect(assets.map(({ name }) => name)).toEqual(['logo.png']);
    expect(readFileSync(join(project.sandboxes.folderOf(project.projectId), 'a'), 'utf8')).toBe('2');
    await project.openSandbox(made.id);
    expect(readFileSync(join(project.sandboxes.folderOf(made.id), 'a'), 'utf8')).toBe('1');
    const repository = join(project.stores.dataDir, 'projects', `${made.id}.git`);
    expect(git(repository, 'log', '--format=%s', 'main').split('\n')).toEqual(['Branched from “todo”', 'todo']);

    // The copies are independent, even if the other one is deleted.
    await project.projects.as(localPerson).remove(project.projectId, { now: true });
    expect(git(repository, 'fsck', '--strict')).toBe('');
    writeFileSync(join(project.sandboxes.folderOf(made.id), 'a'), '3');
    expect(await project.store.save(made.id, 'todo', { by: testPerson, signal: new AbortController().signal })).not.toBeNull();
  });

  it('X4: branches the current files without a checkpoint', async () => {
    project.write('a', '1');
    await project.save();
    project.write('a', 'not saved yet');
    const made = await branch({});
    expect(made.name).toBe('Ball (branch)');
    await project.openSandbox(made.id);
    expect(readFileSync(join(project.sandboxes.folderOf(made.id), 'a'), 'utf8')).toBe('not saved yet');
  });

  it('X4: a branch from before the accepted plan is idle and starts nothing', async () => {
    project.write('a', '1');
    await project.record({ type: 'plan.proposed', plan: samplePlan({ revision: 2 }) });
    await project.say('A ball');
    const made = await branch({ checkpointId: await project.save() });
    expect(made.phase).toBe('idle');
    expect(await project.stores.projects.listDue()).not.toContain(made.id);
  });

  it('X4: refuses a branch of an empty project', async () => {
    await project.sandboxes.destroy(project.projectId);
    const answer = await project.send('POST', `${project.path}/branch`, {});
    expect([answer.status, errorEnvelopeSchema.parse(await answer.json()).error.code]).toEqual([409, 'INVALID_TRANSITION']);
  });
});
