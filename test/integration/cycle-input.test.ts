import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readTree } from '../../server/kinds/cycle/cli/tree.ts';
import { call, coderModel } from '../fixtures/coder-model.ts';
import { koda } from '../fixtures/koda-command.ts';
import { type ModelServer, startModelServer } from '../fixtures/model-server.ts';
import { temporaryStateHome } from '../fixtures/state-home.ts';

temporaryStateHome();

const slug = "export function slug(title: string): string {\n  return title.toLowerCase().split(' ').join('-');\n}\n";
const test =
  "import { expect, it } from 'vitest';\nimport { slug } from './slug.ts';\n\nit('joins words', () => expect(slug('A Bee')).toBe('a-bee'));\n";
const coding = [
  call('write_file', { path: 'src/slug.ts', content: slug }),
  call('write_file', { path: 'src/slug.test.ts', content: test }),
];

let root: string;
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(coderModel(() => ({ coding, repairs: [] })));
});
afterAll(async () => await server[Symbol.asyncDispose]());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'koda-cycle-test-'));
  cpSync(join(import.meta.dirname, '../fixtures/cycle-typescript'), root, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const specification = () => join(root, 'dev_documents/CYCLE03/SPEC.md');
/** Nothing listens at this address, so that a command which starts anything fails differently. */
const refused = (id = '03', options: Parameters<typeof koda>[1] = {}) =>
  koda(['--url', 'http://127.0.0.1:9', 'run-cycle', '--id', id, '--root', root], options);
const model = () => ({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-test', KODA_MODEL: 'claude-sonnet-5-5' });

it('C1 C3: refuses bad input before anything starts, and names it', async () => {
  for (const id of ['../03', '03/..', '']) expect(await refused(id)).toMatchObject({ code: 2 });
  expect((await refused('99')).stderr).toContain('CYCLE99/SPEC.md does not exist');
  writeFileSync(specification(), ' \n');
  expect((await refused()).stderr).toContain('it is empty');
  writeFileSync(specification(), 'x'.repeat(1024 * 1024));
  expect((await refused()).stderr).toContain('larger than 128 KiB');
  rmSync(specification());
  symlinkSync('/etc/hostname', specification());
  expect((await refused()).stderr).toContain('symbolic link');
  expect(readdirSync(root).toSorted()).toEqual(['dev_documents', 'src']);
});

it('C1: names files that cannot be read', () => {
  // Other users cannot read `os.tmpdir()` during a test run.
  const readable = mkdtempSync('/tmp/koda-cycle-test-');
  cpSync(root, readable, { recursive: true });
  chmodSync(readable, 0o755);
  chmodSync(join(readable, 'src/slug.ts'), 0);
  // Root can read everything, so this process becomes another user.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    expect(() => readTree(readable)).toThrow('src/slug.ts (EACCES');
  } finally {
    if (isRoot) process.seteuid?.(0);
    rmSync(readable, { recursive: true, force: true });
  }
});

it('C1: refuses too many files', async () => {
  mkdirSync(join(root, 'src/many'));
  for (let index = 0; index < 20_000; index += 1) writeFileSync(join(root, 'src/many', String(index)), '');
  expect((await refused()).stderr).toContain('more than 19999 files');
});

it('C1 C3: --local needs no studio, warns, and leaves nothing behind', async () => {
  const { code, stderr } = await koda(['run-cycle', '--id', '03', '--root', root, '--local'], { env: model() });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('NO ISOLATION');
  expect(readFileSync(join(root, 'src/slug.ts'), 'utf8')).toBe(slug);
});

it('C1 C3: Ctrl-C at each step changes nothing and removes the sandbox', async () => {
  for (const step of ['NO ISOLATION', '[SETUP_SANDBOX]', 'Project prj_', '[CODING]', 'write_file:']) {
    let isSent = false;
    const { code, stderr } = await koda(['run-cycle', '--id', '03', '--root', root, '--local'], {
      env: model(),
      onError(text, child) {
        if (isSent || !text.includes(step)) return;
        isSent = true;
        child.kill('SIGINT');
      },
    });
    expect([step, code], stderr).toEqual([step, 130]);
    if (stderr.includes('Project prj_')) expect(stderr).toContain('The sandbox is removed.');
    expect(readdirSync(join(root, 'src')).toSorted()).toEqual(['notes.md', 'slug.ts']);
  }
});

it('C3: overwrites no file that changed during the cycle, and says where the result is', async () => {
  let isEdited = false;
  const { code, stderr } = await koda(['run-cycle', '--id', '03', '--root', root, '--local'], {
    env: model(),
    onError(text) {
      if (isEdited || !text.includes('[CODING]')) return;
      isEdited = true;
      writeFileSync(join(root, 'src/slug.ts'), 'by hand');
    },
  });
  expect(code).toBe(5);
  expect(readFileSync(join(root, 'src/slug.ts'), 'utf8')).toBe('by hand');
  expect(readdirSync(join(root, 'src')).toSorted()).toEqual(['notes.md', 'slug.ts']);
  const folder = /The result is in (\S+)\.\n/.exec(stderr)?.[1] ?? '';
  expect(readFileSync(join(folder, 'src/slug.ts'), 'utf8')).toBe(slug);
});

/** Returns the ids of sandbox processes that belong to studios in a folder. */
function sandboxesIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`KODA_SOCKET_DIR=${folder}/`);
    } catch {
      // The process has ended.
      return false;
    }
  });
}

it('C3: --local removes the sandbox and the folder of a run that was killed, and of no running one', async () => {
  // Short, because a socket path is limited to 107 bytes.
  const folder = mkdtempSync('/tmp/kl-');
  const env = { ...model(), TMPDIR: folder };
  const local = (onError?: NonNullable<Parameters<typeof koda>[1]>['onError']) =>
    koda(['run-cycle', '--id', '03', '--root', root, '--local'], { env, ...(onError && { onError }) });
  const studios = () => readdirSync(folder).filter((name) => name.startsWith('kc-'));
  try {
    const killed = await local((text, child) => void (text.includes('[CODING]') && child.kill('SIGKILL')));
    expect(killed.code, killed.stderr).toBeNull();
    // A process that the sandbox is just starting looks like the sandbox.
    await expect.poll(() => [studios().length, sandboxesIn(folder).length]).toEqual([1, 1]);
    // Folders of a running process, and of something else.
    const { ppid } = process;
    const kept = [`kc-${ppid.toString(36)}-${startTimeOf(ppid)}-abcdef`, 'kc-unrelated'];
    for (const name of kept) mkdirSync(join(folder, name));
    const { code, stderr } = await local();
    expect(code, stderr).toBe(0);
    await expect.poll(() => [studios().toSorted(), sandboxesIn(folder)]).toEqual([kept.toSorted(), []]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Returns the start time of a process as the folders' names contain it. */
function startTimeOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]).toString(36);
}
