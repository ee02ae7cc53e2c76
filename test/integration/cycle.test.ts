import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routes } from '#contract/routes.ts';
import { type CoderScript, call, coderModel } from '../fixtures/coder-model.ts';
import { koda } from '../fixtures/koda-command.ts';
import { type ModelServer, startModelServer } from '../fixtures/model-server.ts';
import { temporaryStateHome } from '../fixtures/state-home.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';

temporaryStateHome();

const fixtures = join(import.meta.dirname, '../fixtures');
const greeting = 'from words import GREETING\n\n\ndef hello(name):\n    return f"{GREETING}, {name or \'world\'}!"\n';
const tests =
  'from hello import hello\n\n\ndef test_hello():\n    assert hello("Ada") == "Hello, Ada!"\n    assert hello("") == "Hello, world!"\n';

/** The first attempt forgets the empty name, which its own tests find. */
const pythonScript: CoderScript = {
  coding: [
    call('list_files', { path: 'src', recursive: true }),
    call('read_file', { path: 'src/words.py' }),
    call('write_file', { path: 'src/hello.py', content: greeting.replace("name or 'world'", 'name') }),
    call('write_file', { path: 'src/test_hello.py', content: tests }),
  ],
  repairs: [
    [
      call('run', { command: 'PYTHONPATH=src python3 -m pytest -q -p no:cacheprovider src' }),
      call('patch_file', { path: 'src/hello.py', edits: [{ find: '{name}', replace: "{name or 'world'}" }] }),
    ],
  ],
};
const slug = "export function slug(title: string): string {\n  return title.toLowerCase().split(' ').join('-');\n}\n";
const slugTest =
  "import { expect, it } from 'vitest';\nimport { slug } from './slug.ts';\n\nit('joins words', () => expect(slug('A Bee')).toBe('a-bee'));\n";
const typeScript: CoderScript = {
  coding: [
    call('write_file', { path: 'src/slug.ts', content: slug }),
    call('write_file', { path: 'src/slug.test.ts', content: slugTest }),
    call('run', { command: 'rm src/notes.md' }),
  ],
  repairs: [],
};

let script: CoderScript;
let server: ModelServer;
let studio: Studio;
let root: string;

beforeAll(async () => {
  server = await startModelServer((request) => coderModel(() => script)(request));
  studio = await startStudio({
    sandbox: 'docker',
    env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-test', KODA_MODEL: 'claude-sonnet-5-5' },
  });
});
afterAll(async () => {
  await studio?.[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'koda-cycle-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const use = (name: string) => cpSync(join(fixtures, name), root, { recursive: true });
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const cycle = (...flags: string[]) =>
  koda(['--url', studio.url, 'run-cycle', '--id', '03', '--root', root, ...flags], { env: { KODA_DATA_DIR: studio.dataDir } });
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd: root, encoding: 'utf8' });

async function sandboxes(): Promise<string[]> {
  const { items } = await studio.client.call(routes.projects, { query: { limit: 100 } });
  const ids = new Set(items.map(({ id }) => id));
  const labels = execFileSync('docker', ['ps', '--format', '{{.Label "koda.project"}}'], { encoding: 'utf8' });
  return labels.split('\n').filter((id) => ids.has(id));
}

describe('koda run-cycle with real containers', () => {
  it('C1 C2 C3 C4: implements a specification in Python, repairs it after pytest fails, and removes the sandbox', async () => {
    script = pythonScript;
    use('cycle-python');
    const { code, stdout, stderr } = await cycle();
    expect([code, server.complaints], stderr).toEqual([0, []]);
    expect(read('src/hello.py')).toBe(greeting);
    expect(read('src/test_hello.py')).toBe(tests);
    expect(readdirSync(join(root, 'src')).toSorted()).toEqual(['hello.py', 'test_hello.py', 'test_words.py', 'words.py']);
    expect(stdout).toBe(
      'A  src/hello.py       +5 -0\nA  src/test_hello.py  +6 -0\n2 files changed, 11 lines added, 0 deleted.\n',
    );
    const steps = stderr.split('\n').filter((line) => line.startsWith('['));
    expect(steps).toEqual(['[SETUP_SANDBOX]', '[CODING]', '[CODING] attempt 2', '[SYNC_BACK_AND_TEARDOWN]']);
    await expect.poll(sandboxes).toEqual([]);
  });

  it('C1 C3 C4: implements a specification in TypeScript, where vitest runs, and deletes a file', async () => {
    script = typeScript;
    use('cycle-typescript');
    const { code, stdout, stderr } = await cycle();
    expect(code, stderr).toBe(0);
    expect(read('src/slug.ts')).toBe(slug);
    expect(readdirSync(join(root, 'src')).toSorted()).toEqual(['slug.test.ts', 'slug.ts']);
    expect(stdout).toContain('D  src/notes.md      +0 -1\n');
    await expect.poll(sandboxes).toEqual([]);
  });

  it('C3: --dry-run prints a patch that git applies, and changes nothing', async () => {
    script = typeScript;
    use('cycle-typescript');
    const { code, stdout, stderr } = await cycle('--dry-run');
    expect(code, stderr).toBe(0);
    expect(readdirSync(root).toSorted()).toEqual(['dev_documents', 'src']);
    expect(read('src/notes.md')).toBe('Not code.\n');
    writeFileSync(join(root, 'p.patch'), stdout);
    git('apply', '--no-index', 'p.patch');
    expect(read('src/slug.ts')).toBe(slug);
  });

  it('C3: --branch commits the result and touches neither the files nor the index', async () => {
    script = typeScript;
    use('cycle-typescript');
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '-m', 'First');
    writeFileSync(join(root, 'src/notes.md'), 'Edited, not committed.\n');
    const { code, stderr } = await cycle('--branch', 'cycle-03');
    expect(code, stderr).toBe(0);
    expect(git('status', '--porcelain')).toBe(' M src/notes.md\n');
    expect(git('show', 'cycle-03:src/slug.ts')).toBe(slug);
    expect(git('diff', '--name-status', 'main', 'cycle-03')).toBe('D\tsrc/notes.md\nA\tsrc/slug.test.ts\nM\tsrc/slug.ts\n');
    expect(await cycle('--branch', 'cycle-03')).toMatchObject({ code: 5, stdout: '' });
  });

  it('C1 C3: a cycle whose tests keep failing changes nothing and leaves no sandbox', async () => {
    script = { ...pythonScript, repairs: [] };
    use('cycle-python');
    const { code, stdout, stderr } = await cycle();
    expect([code, stdout], stderr).toEqual([7, '']);
    expect(stderr).toContain('Nothing in src/ was changed.');
    expect(readdirSync(join(root, 'src')).toSorted()).toEqual(['test_words.py', 'words.py']);
    await expect.poll(sandboxes).toEqual([]);
  });
});
