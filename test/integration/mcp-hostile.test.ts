import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { McpServer } from '#contract/mcp-servers.ts';
import { SecretFile } from '../../server/storage/secret-file.ts';
import type { ToolContext } from '../../server/tools/context.ts';
import { McpServers, storedServersSchema } from '../../server/tools/outside/servers.ts';
import { ToolRegistry } from '../../server/tools/tool.ts';
import { endWithThisProcess } from '../fixtures/child-processes.ts';
import { measureLoop } from '../fixtures/loop-delay.ts';
import { until } from '../fixtures/progress.ts';

let hostile: ChildProcess;
let origin: string;
beforeAll(async () => {
  const file = join(import.meta.dirname, '../fixtures/hostile-mcp-servers.ts');
  hostile = endWithThisProcess(spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] }));
  if (hostile.stdout === null) throw new Error('The servers have no output.');
  const [port] = await once(hostile.stdout, 'data');
  origin = `http://127.0.0.1:${String(port).trim()}`;
});
afterAll(() => {
  hostile.kill();
});

/** The connections of one test to these servers. */
async function connections() {
  const folder = await mkdtemp(join(tmpdir(), 'koda-mcp-'));
  const servers = await McpServers.open({
    file: new SecretFile(join(folder, 'mcp-servers.json'), storedServersSchema),
    ...{ listed: new Map(), hasSearchServer: false, version: '0.0.0', privateAddresses: 'allow' as const },
    // The process checks what all servers have sent, one after the other.
    timeouts: { connectMs: 300_000, callMs: 300_000 },
    log: pino({ level: 'silent' }),
  });
  const named = (name: string): McpServer | undefined => servers.view().servers.find((server) => server.name === name);
  return {
    servers,
    named,
    connected: (name: string) => until(`“${name}” is connected`, async () => named(name)?.state === 'connected'),
    async call(name: string, input: unknown) {
      const context = { projectId: 'p', signal: new AbortController().signal, waitsForSandbox: () => false } as ToolContext;
      return await new ToolRegistry(servers.tools()).call(name, input, 'executing', context);
    },
    /** Adds the servers, and allows all tools that are called. A hostile one may have failed by the time that its tools are here. */
    async add(...names: string[]): Promise<void> {
      for (const name of names) await servers.save(name, { url: `${origin}/${name}` });
      for (const name of names) {
        await until(`“${name}” has tools`, async () => named(name)?.tools.length !== 0);
        for (const tool of named(name)?.tools ?? [])
          if (name !== 'lists') await servers.setRisk({ server: name, tool: tool.name, risk: 'allowed' });
      }
    },
    async [Symbol.asyncDispose]() {
      await servers.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Seen = Record<string, { method: string; atMs: number }[]>;
const seen = async (): Promise<Seen> => (await (await fetch(`${origin}/seen`)).json()) as Seen;

/** Returns the process of the connections, a child of this one. */
async function connectionsProcess(): Promise<number | null> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (status.includes(`PPid:\t${process.pid}\n`) && command.includes('connections-process')) return Number(pid);
  }
  return null;
}

// In parallel, because the second test spends most of its time waiting.
describe.concurrent('hostile MCP servers', () => {
  it('H6: do not hold up the app with lists, patterns, references, answers or requests', async () => {
    await using mcp = await connections();
    const measured = measureLoop();
    await mcp.add('lists', 'requests', 'patterns', 'references', 'values', 'texts');
    const text = `${'a'.repeat(40)}!`;
    for (let round = 0; round < 3; round++) {
      const results = await Promise.all(
        ['patterns__slow', 'references__slow', 'values__echo', 'texts__echo'].map((name) => mcp.call(name, { text })),
      );
      expect(results.map((result) => (result.status === 'error' ? result.code : result.status))).toEqual([
        ...['VALIDATION_ERROR', 'VALIDATION_ERROR'],
        ...['SERVICE_UNAVAILABLE', 'completed'],
      ]);
      await delay(2_000);
    }
    const { longTurnsCpuMs, elapsedMs } = measured();
    const seconds = elapsedMs / 1_000;
    // CPU time, because the thread also waits for a busy machine. Code that runs for the first time takes longer.
    expect(longTurnsCpuMs).toBeLessThan(1_000 + 0.01 * elapsedMs);
    for (const [name, requests] of Object.entries(await seen())) expect(requests.length / seconds, name).toBeLessThanOrEqual(5);
    expect(mcp.named('lists')?.tools.map(({ problem }) => problem)).toEqual(Array(64).fill(null));
  });

  it('H6: have failed with a reason when they end their event stream again and again', async () => {
    await using mcp = await connections();
    await mcp.add('storm');
    await until('the connection has failed', async () => mcp.named('storm')?.state === 'failed');
    expect(mcp.named('storm')?.error).toMatch(/ended the stream of its events 1\d times in a minute/);
    const opened = ((await seen())['storm'] ?? []).filter(({ method }) => method === 'GET');
    const inAMinute = opened.map(({ atMs }) => opened.filter((other) => other.atMs >= atMs && other.atMs < atMs + 59_000).length);
    expect(Math.max(...inAMinute)).toBeLessThanOrEqual(11);
    const pauses = opened.slice(1).map(({ atMs }, index) => atMs - (opened[index]?.atMs ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(950);
    for (const [index, least] of [950, 1_950, 3_950].entries()) expect(pauses[index]).toBeGreaterThanOrEqual(least);
  });
});

describe('the process of the MCP connections', () => {
  it('H6: makes all 64 tools of an honest server usable on a busy machine', async () => {
    await using mcp = await connections();
    const busy = Array.from({ length: 6 }, () => endWithThisProcess(spawn(process.execPath, ['-e', 'for (;;);'])));
    try {
      await mcp.add('honest');
      expect(mcp.named('honest')?.tools.map(({ problem }) => problem)).toEqual(Array(64).fill(null));
      expect(await mcp.call('honest__tool_1', { text: 'x' })).toMatchObject({ status: 'completed' });
      expect(await mcp.call('honest__tool_9', { text: 'x' })).toMatchObject({ code: 'VALIDATION_ERROR' });
    } finally {
      for (const child of busy) child.kill('SIGKILL');
    }
  });

  it('H6: is killed when it is stuck, its connections have failed, and they open again', async () => {
    await using mcp = await connections();
    await mcp.add('honest');
    const pid = await connectionsProcess();
    if (pid === null) throw new Error('There is no process.');
    process.kill(pid, 'SIGSTOP');
    // The call ends when the process is killed, a second before the next one starts.
    expect(await mcp.call('honest__tool_1', { text: 'x' })).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(mcp.named('honest')).toMatchObject({ state: 'failed', error: expect.stringContaining('starts again') });
    expect(mcp.named('honest')?.tools).toHaveLength(64);
    expect(await mcp.call('honest__tool_1', { text: 'x' })).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await mcp.connected('honest');
    expect(await connectionsProcess()).not.toBe(pid);
    expect(await mcp.call('honest__tool_1', { text: 'x' })).toMatchObject({ status: 'completed' });
  });

  it('H6: ends with the last connection', async () => {
    await using mcp = await connections();
    await mcp.add('honest');
    const pid = await connectionsProcess();
    expect(pid).not.toBeNull();
    await mcp.servers.remove('honest');
    await vi.waitFor(async () => expect(await connectionsProcess()).toBeNull(), { timeout: 100_000 });
  });

  it('M13: gets none of Koda’s keys', async () => {
    await using mcp = await connections();
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-canary');
    vi.stubEnv('KODA_ACCESS_TOKEN', 'token-canary');
    await mcp.add('honest');
    vi.unstubAllEnvs();
    const environment = await readFile(`/proc/${await connectionsProcess()}/environ`, 'utf8');
    expect(environment).toContain('PATH=');
    expect(environment).not.toMatch(/canary|ANTHROPIC|KODA/);
  });

  it('L2: counts the bytes of each event, so that a stream may last', async () => {
    await using mcp = await connections();
    await mcp.add('talkative');
    await delay(4_000);
    expect(mcp.named('talkative')).toMatchObject({ state: 'connected', error: null });
    expect((await seen())['talkative']?.filter(({ method }) => method === 'initialize')).toHaveLength(1);
  });
});
