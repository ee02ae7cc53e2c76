import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readLocalKey } from '../../server/access/local-key.ts';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { startConformanceServer } from '../fixtures/conformance-server.ts';

const run = promisify(execFile);
const conformance = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const checksSchema = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }));

/** Scenarios that need no tools, resources or prompts of their own. */
const general = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'completion-complete',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

let results: string;
let studio: TestStudio;

beforeAll(async () => {
  results = await mkdtemp(join(tmpdir(), 'koda-conformance-'));
  studio = await startTestStudio();
});
afterAll(async () => {
  await studio[Symbol.asyncDispose]();
  await rm(results, { recursive: true, force: true });
});

/** Adds the studio's key to the requests of the tests, which have no option for headers, and changes nothing else in them. */
async function keyedStudio({ url, dataDir }: TestStudio): Promise<{ url: string } & AsyncDisposable> {
  const { port } = new URL(url);
  let own = '';
  const renamed = (value: string | undefined) => value?.replace(`:${own}`, `:${port}`);
  const server = createServer((incoming, outgoing) => {
    const { host, origin, ...others } = incoming.headers;
    const headers = {
      ...others,
      host: renamed(host),
      ...(origin !== undefined && { origin: renamed(origin) }),
      authorization: `Bearer ${readLocalKey(dataDir)}`,
    };
    const passed = request({ host: '127.0.0.1', port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  own = String((server.address() as AddressInfo).port);
  return {
    url: `http://localhost:${own}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Runs scenarios. Returns the number of passed checks by scenario, and all failed ones. */
async function check(url: string, folder: string, ...args: string[]) {
  const output = join(results, folder);
  // A failed check also fails the command, but the files say which one.
  const ended = await run(process.execPath, [conformance, 'server', '--url', url, '--output-dir', output, ...args]).catch(
    (error: { stdout: string }) => error,
  );
  const passed = new Map<string, number>();
  const failed: string[] = [];
  for (const name of await readdir(output)) {
    const scenario = name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, '');
    const checks = checksSchema.parse(JSON.parse(await readFile(join(output, name, 'checks.json'), 'utf8')));
    passed.set(scenario, checks.filter(({ status }) => status === 'SUCCESS').length);
    for (const { id, status, errorMessage } of checks)
      if (status === 'FAILURE') failed.push(`${scenario}, ${id}: ${errorMessage}`);
  }
  return { passed, failed, text: ended.stdout };
}

describe('the conformance tests of MCP', () => {
  it('G11: pass on the transport, in every scenario for servers', async () => {
    await using server = await startConformanceServer();
    const { stdout } = await run(process.execPath, [conformance, 'list', '--server']);
    const scenarios = [...stdout.matchAll(/^ {2}- ([\w-]+)/gm)].map(([, name]) => name);
    const { passed, failed, text } = await check(server.url, 'all', '--suite', 'all');
    expect(failed, text).toEqual([]);
    expect([...passed.keys()].sort()).toEqual(scenarios.sort());
    // This one only warns: it speaks a revision from before the events that it looks for.
    for (const [scenario, checks] of passed)
      if (scenario !== 'server-sse-polling') expect([scenario, checks > 0]).toEqual([scenario, true]);
  });

  it.each(general)('G11: pass on the studio: %s', async (scenario) => {
    await using keyed = await keyedStudio(studio);
    const { passed, failed, text } = await check(`${keyed.url}/mcp`, scenario, '--scenario', scenario);
    expect(failed, text).toEqual([]);
    expect(passed.get(scenario), text).toBeGreaterThan(0);
  });
});
