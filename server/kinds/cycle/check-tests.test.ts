import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ExecEvent } from '#contract/sandbox/answers.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { checkTests, testRunsFor } from './check-tests.ts';

const commands = (paths: readonly string[], manifest: string | null = null) =>
  testRunsFor(paths, manifest).map(({ command, cwd }) => `${cwd ?? '.'}: ${command.split(' ')[0]}`);

describe('the commands that test a project', () => {
  it('C1: are vitest and pytest, depending on the names of the test files', () => {
    expect(commands(['src/a.ts', 'src/a.py', 'src/latest.py', 'src/contest.ts'])).toEqual([]);
    for (const path of ['src/a.test.ts', 'src/x/b.spec.mjs', 'src/c.test.tsx'])
      expect(commands([path]), path).toEqual(['.: node_modules/.bin/vitest']);
    for (const path of ['src/test_a.py', 'src/x/a_test.py']) expect(commands([path]), path).toEqual(['.: python3']);
    expect(commands(['src/a.test.ts', 'src/test_a.py'])).toHaveLength(2);
  });

  it('C1: are the project’s own if it has a test script', () => {
    expect(commands(['src/a.test.ts'], '{"scripts":{"test":"node --test"}}')).toEqual(['src: npm']);
    for (const manifest of ['{', '[]', '{"scripts":{}}', '{"scripts":{"test":""}}', '{"scripts":{"test":5}}'])
      expect(commands(['src/a.test.ts'], manifest), manifest).toEqual(['.: node_modules/.bin/vitest']);
  });
});

const exit = (exitCode: number, timedOut = false): ExecEvent => ({
  type: 'exit',
  exitCode,
  signal: null,
  timedOut,
  durationMs: 1,
});

/** Checks a sandbox with these files, in which every command has these events. */
async function check(files: Readonly<Record<string, string>>, events: readonly ExecEvent[] = [exit(0)]) {
  const ran: string[] = [];
  const sandbox: Partial<Sandbox> = {
    listFiles: async () => ({
      files: Object.keys(files).map((path) => ({
        path,
        type: 'file' as const,
        sizeBytes: 1,
        executable: false,
      })),
      complete: true,
    }),
    readFile: async (path) => Readable.from([Buffer.from(files[path] ?? '')]),
    async *exec({ command }) {
      ran.push(command.split(' ')[0] ?? '');
      yield* events;
    },
  };
  const { problems, warnings, info } = await checkTests(sandbox as Sandbox, { signal: new AbortController().signal });
  return { problems, warnings, info, ran };
}

describe('the check of a cycle', () => {
  it('C1: passes if all tests pass, and fails with the end of the output', async () => {
    expect(await check({ 'src/a.test.ts': '', 'src/test_a.py': '' })).toMatchObject({
      problems: [],
      ran: ['node_modules/.bin/vitest', 'python3'],
    });
    const { problems } = await check({ 'src/test_a.py': '' }, [
      { type: 'stdout', text: `start${'x'.repeat(8_000)}` },
      { type: 'stderr', text: 'assert 1 == 2' },
      exit(1),
    ]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('failed with exit code 1');
    expect(problems[0]).toContain('assert 1 == 2');
    expect(problems[0]).not.toContain('start');
  });

  it('C1: fails if a command does not finish, cannot start, or loses its sandbox', async () => {
    const of = async (...events: ExecEvent[]) => (await check({ 'src/a.test.ts': '' }, events)).problems.join();
    expect(await of(exit(0, true))).toContain('did not finish within 300 s');
    expect(await of({ type: 'error', code: 'NOT_FOUND', message: 'no such folder' })).toContain('no such folder');
    expect(await of({ type: 'stdout', text: 'half' })).toMatch(/half\n.*connection to the sandbox closed/s);
  });

  it('C1: fails for code without tests, and warns about code that it cannot test', async () => {
    expect((await check({ 'src/a.ts': '' })).problems).toEqual([expect.stringContaining('There are no tests')]);
    expect((await check({ 'src/main.go': '', 'main.test.ts': '' })).warnings).toEqual([expect.stringContaining('no code')]);
  });

  it('C1: reads the manifest in src/ only', async () => {
    const manifest = '{"scripts":{"test":"node --test"}}';
    expect((await check({ 'src/package.json': manifest, 'src/a.test.ts': '' })).ran).toEqual(['npm']);
    expect((await check({ 'package.json': manifest, 'src/a.test.ts': '' })).ran).toEqual(['node_modules/.bin/vitest']);
  });
});
