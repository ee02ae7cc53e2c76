import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '#contract/routes.ts';
import { koda as runKoda } from '../fixtures/koda-command.ts';
import { startStudio } from '../fixtures/studio.ts';

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

const run = (...args: string[]) => spawnSync(koda, args, { encoding: 'utf8', cwd: folder, timeout: 300_000 });

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

  it('47.8: an error of an argument prints one line and where to look', () => {
    const { status, stderr } = run('render', 'prj_x', '--fps', '7');
    expect(status).toBe(2);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining("argument '7' is invalid"),
      'Add --help to see what the command takes.',
    ]);
  });

  it('46.9: a plan is changed and accepted, its state is JSON, and a reader may leave early', async () => {
    await using studio = await startStudio({ sandbox: 'process' });
    const { client, url } = studio;
    const prompt = 'Title: Hello. Subtitle: World. 5 seconds.';
    const { id } = await client.call(routes.createProject, { body: { prompt, hints: { style: 'smooth' } } });
    const env = { KODA_URL: url, KODA_DATA_DIR: studio.dataDir };
    const said = async (...args: string[]) => {
      const { code, stdout, stderr } = await runKoda(args, { env });
      return { code, stderr, json: stdout === '' ? null : JSON.parse(stdout) };
    };
    await expect.poll(async () => (await said('show', id, '--json')).json.approval?.type).toBe('plan');
    const changed = await said('message', id, 'make it 8 seconds', '--json');
    expect(changed).toMatchObject({ code: 0, json: { id, phase: 'plan', approval: { type: 'plan' }, video: null } });
    expect(changed.json.plan.document.scenes.reduce((sum: number, { seconds }: { seconds: number }) => sum + seconds, 0)).toBe(8);
    expect(await said('answer', id, 'calm', '--json')).toMatchObject({
      code: 5,
      json: { error: { code: 'INVALID_TRANSITION' } },
    });
    expect(await said('accept', id, '--no-wait', '--json')).toMatchObject({ code: 0, json: { phase: 'executing' } });
    await client.call(routes.stop, { id });
    const command = `"${process.execPath}" server/cli/koda.ts list | true; echo "\${PIPESTATUS[0]}"`;
    expect(execFileSync('bash', ['-c', command], { env: { ...process.env, ...env }, encoding: 'utf8' })).toBe('0\n');
  });
});
