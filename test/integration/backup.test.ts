import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { extract, type Header, pack } from 'tar-stream';
import { describe, expect, it, vi } from 'vitest';
import { isCancelled } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { type BackupManifest, findingKindSchema, type VerifyProgress, verifyReportSchema } from '#contract/maintenance.ts';
import { Backups } from '../../server/backup/create-backup.ts';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import { verifyData } from '../../server/backup/verify.ts';
import { lockDataFolder } from '../../server/storage/data-lock.ts';
import { openDatabase } from '../../server/storage/database.ts';
import { DiskUsage, noDiskLimits } from '../../server/storage/disk-usage.ts';
import { createStores } from '../../server/storage/stores.ts';
import { type DataFolder, dataFolder, type KeptProject } from '../fixtures/checkpoints.ts';
import { listTree } from '../fixtures/folder-sandbox.ts';
import { sampleProbe, sampleRender } from '../fixtures/renders.ts';
import { chunk, tempDir, testPerson } from '../fixtures/storage.ts';
import { studioProcess } from '../fixtures/studio-process.ts';

const { signal } = new AbortController();
const logo = readFileSync(new URL('../fixtures/logo.png', import.meta.url));
const kodaFile = fileURLToPath(new URL('../../server/cli/koda.ts', import.meta.url));

interface Kept {
  readonly project: KeptProject;
  readonly other: KeptProject;
  readonly assetFile: string;
  readonly assetId: string;
  readonly renderId: string;
}

async function fill(data: DataFolder): Promise<Kept> {
  const [project, other] = [await data.newProject('Ball'), await data.newProject('Cube')];
  for (const [index, each] of [project, other, project].entries()) {
    each.write('src/App.tsx', `version ${index} ${randomBytes(3000).toString('hex')}`);
    each.write('public/data.bin', randomBytes(50_000));
    await each.save();
  }
  async function* content(): AsyncGenerator<Uint8Array> {
    yield logo;
  }
  const asset = await data.stores.assets.add(project.id, { name: 'logo.png', content: content(), signal });
  const render = sampleRender(project.id);
  const video = randomBytes(200_000);
  const probe = { ...sampleProbe(), sizeBytes: video.length };
  const folder = join(data.dataDir, 'renders', render.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'video.mp4'), video);
  writeFileSync(join(folder, 'thumbnail.jpg'), randomBytes(500));
  await data.stores.projects.record(
    project.id,
    [
      { type: 'render.queued', render },
      { type: 'render.complete', render: { ...render, status: 'complete', probe, percent: 100, finishedAt: render.createdAt } },
    ],
    { by: testPerson },
  );
  return {
    project,
    other,
    assetFile: join(data.dataDir, 'assets', project.id, `${asset.id}.png`),
    assetId: asset.id,
    renderId: render.id,
  };
}

const check = (data: DataFolder, onProgress: (progress: VerifyProgress) => void = () => undefined) =>
  verifyData({ sqlite: data.database.sqlite, dataDir: data.dataDir, signal, onProgress });
const backupsOf = ({ database, stores }: DataFolder) => new Backups({ database, disk: stores.disk, kodaVersion: '0.1.0' });
const archiveOf = async (data: DataFolder, renders = true) => await buffer(await backupsOf(data).create({ renders, signal }));
const restoreTo = (dataDir: string, archive: Buffer, force = false) =>
  restoreBackup(Readable.from([archive]), { dataDir, force, signal, onProgress: () => undefined });

function packsOf(repository: string): string[] {
  const folder = join(repository, 'objects', 'pack');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pack'))
    .map((name) => join(folder, name));
}

describe('koda verify', () => {
  it('A22: reports a healthy data folder as clean, with the checks that ran', async () => {
    using folder = tempDir();
    using data = dataFolder(folder.path);
    await fill(data);
    expect(await check(data)).toEqual({
      checked: { projects: 2, repositories: 2, checkpoints: 3, assets: 1, renders: 1 },
      damage: [],
      warnings: [],
    });
  });

  it('A22: reports progress before each part and does not block others, even while SQLite reads every page', async () => {
    using folder = tempDir();
    using data = dataFolder(folder.path);
    const { project, other } = await fill(data);
    let turns = 0;
    const others = setInterval(() => turns++, 0);
    const seen: (VerifyProgress & { turns: number })[] = [];
    await check(data, (progress) => seen.push({ ...progress, turns }));
    clearInterval(others);
    const [first, second] = [project.id, other.id].toSorted();
    expect(seen.map(({ turns: _, ...progress }) => progress)).toEqual([
      { step: 'database', done: 0, total: 1, projectId: null },
      { step: 'histories', done: 0, total: 2, projectId: first },
      { step: 'histories', done: 1, total: 2, projectId: second },
      { step: 'uploads', done: 0, total: 1, projectId: project.id },
      { step: 'videos', done: 0, total: 1, projectId: project.id },
      { step: 'leftovers', done: 0, total: 1, projectId: null },
    ]);
    expect(seen[1]?.turns).toBeGreaterThan(seen[0]?.turns ?? 0);
  });

  it('A22: a cancelled check ends at once at any step', async () => {
    using folder = tempDir();
    using data = dataFolder(folder.path);
    await fill(data);
    for (const step of ['database', 'histories', 'uploads', 'videos']) {
      const stop = new AbortController();
      const { sqlite } = data.database;
      const onProgress = (progress: VerifyProgress) => void (progress.step === step && stop.abort());
      const cancelled = verifyData({ sqlite, dataDir: data.dataDir, signal: stop.signal, onProgress });
      await expect(cancelled, step).rejects.toSatisfy(isCancelled, step);
    }
  });

  const damages: Record<string, (data: DataFolder, kept: Kept) => string> = {
    'reference-broken': ({ database }) => {
      database.sqlite.pragma('foreign_keys = OFF');
      database.sqlite.prepare("INSERT INTO todos VALUES ('prj_gone', 0, 'todo_1', 't', 'k', 'pending', 0)").run();
      return 'koda.db';
    },
    'repository-missing': (_, { project }) => {
      rmSync(project.repository, { recursive: true });
      return `projects/${project.id}.git`;
    },
    'repository-damaged': (_, { project }) => {
      const [pack = ''] = packsOf(project.repository);
      const bytes = readFileSync(pack);
      bytes.writeUInt8((bytes[bytes.length >> 1] ?? 0) ^ 0xff, bytes.length >> 1);
      rmSync(pack);
      writeFileSync(pack, bytes);
      return `projects/${project.id}.git`;
    },
    'checkpoint-missing': ({ database }, { project }) => {
      const { id } = database.sqlite
        .prepare(
          'UPDATE checkpoints SET commit_id = ? WHERE id = (SELECT max(id) FROM checkpoints WHERE project_id = ?) RETURNING id',
        )
        .get('f'.repeat(40), project.id) as { id: string };
      return id;
    },
    'asset-missing': (_, { assetFile, assetId }) => {
      rmSync(assetFile);
      return assetId;
    },
    'asset-damaged': (_, { assetFile, assetId }) => {
      truncateSync(assetFile, 10);
      return assetId;
    },
    'asset-damaged: one bit, the size unchanged': (_, { assetFile, assetId }) => {
      const bytes = readFileSync(assetFile);
      bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
      writeFileSync(assetFile, bytes);
      return assetId;
    },
    'render-missing': ({ dataDir }, { renderId }) => {
      rmSync(join(dataDir, 'renders', renderId), { recursive: true });
      return renderId;
    },
    'render-damaged': ({ dataDir }, { renderId }) => {
      truncateSync(join(dataDir, 'renders', renderId, 'video.mp4'), 10);
      return renderId;
    },
  };
  it.each(Object.entries(damages))('A22: finds and names %s, and nothing else', async (kind, damage) => {
    using folder = tempDir();
    using data = dataFolder(folder.path);
    const subject = damage(data, await fill(data));
    const report = await check(data);
    expect(report.damage.map((finding) => [finding.kind, finding.subject])).toEqual([[kind.split(':')[0], subject]]);
    expect(report.warnings).toEqual([]);
  });

  it('A22: finds and names a damaged database without a server', async () => {
    using folder = tempDir();
    const data = dataFolder(folder.path);
    await fill(data);
    data[Symbol.dispose]();
    const file = join(folder.path, 'koda.db');
    const bytes = readFileSync(file);
    randomBytes(8 * 4096).copy(bytes, 12 * 4096);
    writeFileSync(file, bytes);
    const { status, stdout } = await koda('verify', '--data', folder.path);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^DAMAGED {2}database-damaged\n {2}koda\.db/);
    expect(stdout).toContain('restore a backup');
  });

  it('A22: reports that an upload without a stored hash is compared by size only', async () => {
    using folder = tempDir();
    using data = dataFolder(folder.path);
    const { assetId } = await fill(data);
    data.database.sqlite.prepare('UPDATE assets SET sha256 = NULL').run();
    const warnings = [{ kind: 'asset-without-hash', subject: assetId }];
    expect(await check(data)).toMatchObject({ damage: [], warnings });
    // A folder that only an older version has opened lacks the column.
    data.database.sqlite.exec('ALTER TABLE assets DROP COLUMN sha256');
    expect(await check(data)).toMatchObject({ damage: [], warnings });
  });

  it('A22: reports unreferenced data as a warning, not as damage', async () => {
    using folder = tempDir();
    using data = dataFolder(folder.path);
    const { project } = await fill(data);
    const paths = [
      'projects/prj_00000000000000000000.git',
      'projects/.new-1',
      'assets/prj_00000000000000000000',
      `assets/${project.id}/ast_00000000000000000000.png`,
      'renders/rnd_00000000000000000000',
    ];
    for (const path of paths) mkdirSync(join(data.dataDir, path), { recursive: true });
    const report = await check(data);
    expect(report.damage).toEqual([]);
    expect(report.warnings.map(({ kind, subject }) => [kind, subject])).toEqual(
      [...paths]
        .sort()
        .sort((a, b) => order(a) - order(b))
        .map((path) => ['unreferenced', path]),
    );
  });
  const order = (path: string) => ['projects', 'assets', 'renders'].indexOf(path.split('/')[0] ?? '');

  it('A22: every kind of damage has a test', () => {
    const tested = new Set(Object.keys(damages).map((kind) => kind.split(':')[0]));
    for (const kind of ['database-damaged', 'asset-without-hash', 'unreferenced']) tested.add(kind);
    expect([...tested].toSorted()).toEqual(findingKindSchema.options.toSorted());
  });
});

/** Runs `koda` for the studio in a data folder, if it needs one. */
async function kodaFor(
  dataDir: string,
  ...parameters: string[]
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [kodaFile, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, KODA_DATA_DIR: dataDir },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, stdout, stderr };
}

const koda = (...parameters: string[]) => kodaFor('', ...parameters);

describe('koda backup and koda restore', () => {
  it('X10, A22: restores rows, histories, uploads and videos byte by byte', async () => {
    using folder = tempDir();
    using data = dataFolder(join(folder.path, 'data'));
    const { project } = await fill(data);
    data.stores.tokens.add(
      { id: newId('tok'), name: 'Agent', scopes: ['read'], projects: 'all', createdAt: '', lastUsedAt: null, expiresAt: null },
      'hash',
    );
    const target = join(folder.path, 'restored');
    const { counts, missing, movedTo, report } = await restoreTo(target, await archiveOf(data));
    expect(counts).toEqual({ projects: 2, checkpoints: 3, assets: 1, renders: 1 });
    expect([missing, movedTo, report.damage, report.warnings]).toEqual([[], null, [], []]);
    const mutable = (path: string) => path.startsWith('koda.db') || path.endsWith('/config');
    const files = (dataDir: string) => Object.entries(listTree(dataDir)).filter(([path]) => !mutable(path));
    expect(files(target)).toEqual(files(data.dataDir));
    expect(readdirSync(folder.path).toSorted()).toEqual(['data', 'restored']);
    expect(readdirSync(data.dataDir).filter((name) => name.startsWith('.'))).toEqual([]);

    const restored = openDatabase(target);
    const [before, after] = [
      await data.stores.projects.state(project.id),
      await createStores(restored).projects.state(project.id),
    ];
    // Sequence numbers continue after a gap, so that clients with later events than the backup's start over.
    expect(after.seq).toBeGreaterThan(before.seq + 1000);
    expect({ ...after, seq: 0 }).toEqual({ ...before, seq: 0 });
    // A token may have been revoked since the backup.
    expect([data.stores, createStores(restored)].map(({ tokens }) => tokens.list().length)).toEqual([1, 0]);
    restored.close();
  });

  it('A22: omits files and rows of renders on request', async () => {
    using folder = tempDir();
    using data = dataFolder(join(folder.path, 'data'));
    await fill(data);
    const target = join(folder.path, 'restored');
    const { counts, report } = await restoreTo(target, await archiveOf(data, false));
    expect(counts).toEqual({ projects: 2, checkpoints: 3, assets: 1, renders: 0 });
    expect(report.damage).toEqual([]);
    expect(existsSync(join(target, 'renders'))).toBe(false);
  });

  it('A22: a backup of a busy server is consistent despite new checkpoints, repacking and deletions', async () => {
    using folder = tempDir();
    using data = dataFolder(join(folder.path, 'data'));
    const { project, other, assetId } = await fill(data);
    let isDone = false;
    const working = (async () => {
      for (let count = 0; !isDone; count++) {
        project.write('src/App.tsx', `at work ${count}`);
        await project.save();
        if (count === 2) await data.stores.assets.remove(project.id, assetId);
        if (count === 4) {
          await data.stores.projects.delete(other.id);
          rmSync(other.repository, { recursive: true });
        }
        await sleep(1);
      }
    })();
    // Reads slowly, so that much happens between the first file and the last.
    const pieces: Uint8Array[] = [];
    for await (const piece of await backupsOf(data).create({ renders: true, signal })) {
      pieces.push(piece as Uint8Array);
      await sleep(40);
    }
    isDone = true;
    await working;
    const target = join(folder.path, 'restored');
    const { counts, missing, report } = await restoreTo(target, Buffer.concat(pieces));
    expect([missing, report.damage]).toEqual([[], []]);
    expect(counts.checkpoints).toBeGreaterThanOrEqual(2);
    expect((await check(data)).damage).toEqual([]);
  });

  it('X10, A22: the command line backs up a running studio, refuses invalid restores, restores into a new studio and checks it', async () => {
    using folder = tempDir();
    await using studio = await studioProcess();
    const at = (name: string) => join(folder.path, name);
    await studio.start();
    const headers = { 'content-type': 'application/json' };
    const made = await fetch(`${studio.url}/api/projects`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ prompt: 'A red ball', start: false }),
    });
    const { id } = (await made.json()) as { id: string };
    await fetch(`${studio.url}/api/projects/${id}/assets`, { method: 'POST', headers: { 'x-filename': 'a.png' }, body: logo });

    const saved = await kodaFor(studio.dataDir, 'backup', at('koda.tar.gz'), '--url', studio.url);
    expect(saved).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Saved .+koda\.tar\.gz \(\d+\.\d MB\)\.\n$/) });
    expect(readdirSync(folder.path)).toEqual(['koda.tar.gz']);
    const verified = await kodaFor(studio.dataDir, 'verify', '--json', '--url', studio.url);
    expect([verified.status, verified.stderr]).toEqual([0, expect.stringContaining('Checking the database …')]);
    expect(verifyReportSchema.parse(JSON.parse(verified.stdout))).toMatchObject({
      checked: { projects: 1, assets: 1 },
      damage: [],
    });

    const running = await koda('restore', at('koda.tar.gz'), '--data', studio.dataDir, '--force', '--url', studio.url);
    expect([running.status, running.stderr]).toEqual([6, expect.stringMatching(/Another Koda server is using .+ Stop it first/)]);
    // The lock is in the folder itself, so it is detected whatever the studio's address is.
    for (const url of [studio.url, 'http://localhost:9']) {
      const beside = await koda('verify', '--data', studio.dataDir, '--url', url);
      expect([beside.status, beside.stderr]).toEqual([6, expect.stringContaining('Stop it first')]);
    }
    await studio.end('SIGTERM');
    const occupied = await koda('restore', at('koda.tar.gz'), '--data', studio.dataDir, '--url', studio.url);
    expect([occupied.status, occupied.stderr]).toEqual([5, expect.stringContaining('--force')]);
    const forced = await koda('restore', at('koda.tar.gz'), '--data', studio.dataDir, '--force', '--url', studio.url);
    expect([forced.status, forced.stdout]).toEqual([0, expect.stringMatching(/^Restored 1 project, /)]);
    expect(forced.stderr).toMatch(/The previous data folder is now in .+before-restore-/);

    await studio.start();
    const snapshot = await (await fetch(`${studio.url}/api/projects/${id}`)).json();
    expect(snapshot).toMatchObject({ project: { id }, assets: [{ name: 'a.png' }] });
    await studio.end('SIGTERM');
    const offline = await koda('verify', '--data', studio.dataDir);
    expect([offline.status, offline.stdout]).toEqual([0, expect.stringContaining('no damage')]);
    expect((await koda('backup', at('other.tar'), '--url', studio.url)).status).toBe(6);
    expect(readdirSync(folder.path)).toEqual(['koda.tar.gz']);
  });
});

type Entry = Omit<Partial<Header>, 'size'> & Pick<Header, 'name'> & { readonly content: Buffer };

async function entriesOf(archive: Buffer): Promise<Entry[]> {
  const reader = extract();
  Readable.from([archive]).pipe(reader as unknown as NodeJS.WritableStream);
  const entries: Entry[] = [];
  for await (const entry of reader)
    entries.push({ name: entry.header.name, content: await buffer(entry as unknown as Readable) });
  return entries;
}

async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { content, ...header } of entries) archive.entry(header, content);
  archive.finalize();
  return await buffer(Readable.from(archive, { objectMode: false }));
}

/** Adds a valid manifest to the entries, as a malicious author can. */
function withManifest(entries: readonly Entry[]): Entry[] {
  const manifest = JSON.parse(entries.at(-1)?.content.toString() ?? '') as BackupManifest;
  const files = entries.slice(0, -1).map(({ name, content }) => ({
    path: name,
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  return [...entries.slice(0, -1), { name: 'manifest.json', content: Buffer.from(JSON.stringify({ ...manifest, files })) }];
}

describe('back-ups that are none', () => {
  const added = (entry: Partial<Entry> & { name: string }) => (entries: Entry[]) =>
    tarOf(
      withManifest([
        ...entries.slice(0, -1),
        { content: Buffer.from('type' in entry ? '' : 'x'), ...entry },
        ...entries.slice(-1),
      ]),
    );
  const changed = (change: (entry: Entry, index: number) => Entry) => (entries: Entry[]) => tarOf(entries.map(change));
  const json = (entry: Entry, change: object): Entry => ({
    ...entry,
    content: Buffer.from(JSON.stringify({ ...JSON.parse(entry.content.toString()), ...change })),
  });
  const project = 'projects/prj_00000000000000000000.git';
  const database = (sql: string) => (entries: Entry[]) =>
    tarOf(
      withManifest(
        entries.map((entry) => {
          if (entry.name !== 'koda.db') return entry;
          const sqlite = new BetterSqlite3(entry.content);
          sqlite.exec(sql);
          return { ...entry, content: sqlite.serialize() };
        }),
      ),
    );

  it.each<[string, string, (entries: Entry[]) => Promise<Buffer>]>([
    ['an absolute path', 'not a valid backup file', added({ name: '/etc/koda' })],
    ['a path upwards', 'not a valid backup file', added({ name: '../koda.db' })],
    ['a path upwards inside a repository', 'not a valid backup file', added({ name: `${project}/refs/../../../x` })],
    ['a path with a backslash', 'not a valid backup file', added({ name: 'assets\\..\\x' })],
    ['a symbolic link', 'is a symlink', added({ name: `${project}/packed-refs`, type: 'symlink', linkname: '/etc/passwd' })],
    ['a hard link', 'is a link', added({ name: `${project}/packed-refs`, type: 'link', linkname: 'koda.db' })],
    [
      'a device',
      'is a character-device',
      added({ name: 'renders/rnd_00000000000000000000/video.mp4', type: 'character-device' }),
    ],
    ['a pipe', 'is a fifo', added({ name: 'renders/rnd_00000000000000000000/video.mp4', type: 'fifo' })],
    ['a folder', 'is a directory', added({ name: 'assets', type: 'directory' })],
    ['settings of git', 'not a valid backup file', added({ name: `${project}/config` })],
    ['a hook of git', 'not a valid backup file', added({ name: `${project}/hooks/post-receive` })],
    ['objects elsewhere', 'not a valid backup file', added({ name: `${project}/objects/info/alternates` })],
    [
      'a branch that is a link',
      'is not a commit id',
      added({ name: `${project}/refs/heads/main`, content: Buffer.from('ref: /etc/passwd') }),
    ],
    ['the key of sandboxes', 'not a valid backup file', added({ name: 'sandbox.key' })],
    ['a file twice', 'twice', (entries) => added({ name: 'koda.db' })(entries)],
    [
      'a file that the manifest does not list',
      'not in its manifest',
      (entries) =>
        tarOf([...entries.slice(0, -1), { name: `${project}/packed-refs`, content: Buffer.from('') }, ...entries.slice(-1)]),
    ],
    [
      'a file less than the manifest lists',
      'is missing',
      (entries) => tarOf(entries.filter(({ name }) => !name.startsWith('assets/'))),
    ],
    [
      'a changed byte',
      'content does not match its hash',
      changed((entry) =>
        entry.name.startsWith('assets/')
          ? { ...entry, content: Buffer.concat([entry.content.subarray(1), Buffer.from('x')]) }
          : entry,
      ),
    ],
    ['no database', 'no database', (entries) => tarOf(withManifest(entries.filter(({ name }) => name !== 'koda.db')))],
    [
      'a program in the database',
      'contains triggers or views',
      database('CREATE TRIGGER t AFTER UPDATE ON projects BEGIN DELETE FROM projects; END'),
    ],
    [
      'a database that is none',
      'database cannot be used',
      (entries) =>
        tarOf(
          withManifest(entries.map((entry) => (entry.name === 'koda.db' ? { ...entry, content: randomBytes(9000) } : entry))),
        ),
    ],
    [
      'a database of a newer version',
      'database cannot be used',
      database("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('future', 99999999999999)"),
    ],
    ['a newer format', 'newer version', changed((entry, index) => (index === 0 ? json(entry, { format: 2 }) : entry))],
    [
      'a newer schema',
      'newer version',
      changed((entry, index) => (index === 0 ? json(entry, { schemaVersion: 99999999999999 }) : entry)),
    ],
    ['no header', 'does not start with a backup header', (entries) => tarOf(entries.slice(1))],
    ['nothing', 'manifest is missing', async () => Buffer.alloc(1024)],
    ['no tar', 'damaged', async () => randomBytes(5000)],
    ['no gzip', 'damaged', async () => Buffer.concat([Buffer.from([0x1f, 0x8b]), randomBytes(5000)])],
    [
      'a bomb',
      'times its size',
      async (entries) =>
        gzipSync(
          await added({ name: 'renders/rnd_00000000000000000000/video.mp4', content: Buffer.alloc(300 * 1024 * 1024) })(entries),
          { level: 9 },
        ),
    ],
  ])('G2, A22: with %s it is refused, and nothing is changed', async (_, reason, craft) => {
    using folder = tempDir();
    using data = dataFolder(join(folder.path, 'data'));
    await fill(data);
    const crafted = await craft(await entriesOf(await archiveOf(data)));
    const target = join(folder.path, 'target');
    mkdirSync(target);
    writeFileSync(join(target, 'mine'), 'x');
    await expect(restoreTo(target, crafted, true)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(reason),
    });
    // The lock file, which is held during the restore, remains as an empty file.
    expect(listTree(target)).toEqual({ 'koda.lock': expect.any(String), mine: expect.any(String) });
    expect(readdirSync(folder.path).toSorted()).toEqual(['data', 'target']);
  });

  it('A22: refuses a backup that is cut off anywhere, and accepts the complete one (control)', async () => {
    using folder = tempDir();
    using data = dataFolder(join(folder.path, 'data'));
    await fill(data);
    const archive = await archiveOf(data);
    const target = join(folder.path, 'target');
    for (const whole of [archive, gzipSync(archive)]) {
      for (let part = 0; part < 12; part++) {
        const cut = whole.subarray(0, Math.floor((whole.length * part) / 12));
        await expect(restoreTo(target, cut), `${cut.length} of ${whole.length}`).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      }
    }
    expect(readdirSync(folder.path)).toEqual(['data']);
    expect((await restoreTo(target, gzipSync(archive))).counts.projects).toBe(2);
  });

  it('A22: leaves a non-empty folder unchanged unless it may be moved aside, and then keeps all of it', async () => {
    using folder = tempDir();
    using data = dataFolder(join(folder.path, 'data'));
    await fill(data);
    const archive = await archiveOf(data);
    const target = join(folder.path, 'target');
    mkdirSync(target);
    writeFileSync(join(target, 'mine'), 'x');
    await expect(restoreTo(target, archive)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('--force'),
    });
    expect(readdirSync(target)).toEqual(['mine']);
    const { movedTo } = await restoreTo(target, archive, true);
    expect(readdirSync(movedTo ?? '')).toEqual(['koda.lock', 'mine']);
    expect(existsSync(join(target, 'koda.db'))).toBe(true);
  });

  it('A22: a restore and a running server lock each other out', async () => {
    using folder = tempDir();
    using data = dataFolder(join(folder.path, 'data'));
    await fill(data);
    const archive = await archiveOf(data);
    const target = join(folder.path, 'target');
    await restoreTo(target, archive);
    const server = lockDataFolder(target);
    await expect(restoreTo(target, archive, true)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('Stop it first'),
    });
    server.release();
    const kept = listTree(target);
    async function* whileRead(): AsyncGenerator<Buffer> {
      expect(() => lockDataFolder(target)).toThrow('Stop it first');
      yield archive;
    }
    const { movedTo } = await restoreBackup(whileRead(), { dataDir: target, force: true, signal, onProgress: () => undefined });
    expect(listTree(movedTo ?? '')).toEqual(kept);
    lockDataFolder(target).release();
  });

  it('A22: leaves files that appear in the folder during a restore, and keeps the previous ones', async () => {
    using folder = tempDir();
    using data = dataFolder(join(folder.path, 'data'));
    await fill(data);
    const archive = await archiveOf(data);
    const target = join(folder.path, 'target');
    async function* whileRead(): AsyncGenerator<Buffer> {
      mkdirSync(target);
      lockDataFolder(target).release();
      yield archive;
    }
    const late = restoreBackup(whileRead(), { dataDir: target, force: false, signal, onProgress: () => undefined });
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('Nothing was changed') });
    expect(readdirSync(folder.path).toSorted()).toEqual(['data', 'target']);
    expect(readdirSync(target)).toEqual(['koda.lock']);
  });

  it('H8: makes one backup at a time, and the next one once the reader of the first has gone', async () => {
    using folder = tempDir();
    using data = dataFolder(join(folder.path, 'data'));
    await fill(data);
    const backups = backupsOf(data);
    const options = { renders: true, signal };
    const first = await backups.create(options);
    const copies = () => readdirSync(data.dataDir).filter((name) => name.startsWith('.backup-'));
    for (let count = 0; count < 20; count++) {
      await expect(backups.create(options)).rejects.toMatchObject({ code: 'CONFLICT', recovery: 'wait' });
    }
    expect(copies()).toHaveLength(1);
    first.destroy();
    await expect.poll(copies).toEqual([]);
    // The first one ends just after its copy is gone.
    const next = await vi.waitFor(() => backups.create(options));
    expect((await buffer(next)).length).toBeGreaterThan(100_000);
    await expect.poll(copies).toEqual([]);
  });

  it('H8: refuses a backup if its copy of the database does not fit; a small one is always copied', async () => {
    using folder = tempDir();
    using data = dataFolder(join(folder.path, 'data'));
    await fill(data);
    const disk = new DiskUsage({ ...noDiskLimits, limitBytes: 1, dataDir: data.dataDir, rendersOf: async () => [] });
    const backups = new Backups({ database: data.database, disk, kodaVersion: '0.1.0' });
    // A small database is copied without a check.
    const small = await backups.create({ renders: true, signal });
    small.destroy();
    await expect.poll(() => readdirSync(data.dataDir).filter((name) => name.startsWith('.backup-'))).toEqual([]);
    await data.stores.projects.record(
      (await data.newProject('Large')).id,
      Array.from({ length: 50 }, () => chunk(0, 'x'.repeat(200_000))),
      { by: testPerson },
    );
    await vi.waitFor(() => expect(backups.create({ renders: true, signal })).rejects.toMatchObject({ code: 'STORAGE_FULL' }));
    expect(readdirSync(data.dataDir).filter((name) => name.startsWith('.backup-'))).toEqual([]);
  });

  it('A22: leaves nothing behind if the reader of a backup disconnects', async () => {
    using folder = tempDir();
    using data = dataFolder(join(folder.path, 'data'));
    await fill(data);
    const stream = await backupsOf(data).create({ renders: true, signal });
    await new Promise((resolve) => stream.once('readable', resolve));
    stream.destroy();
    const left = () => readdirSync(data.dataDir).filter((name) => name.startsWith('.'));
    await expect.poll(left).toEqual([]);
  });
});
