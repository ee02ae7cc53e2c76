import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { connectMcp, type McpClient } from '../fixtures/mcp-client.ts';
import { until } from '../fixtures/progress.ts';

const root = join(import.meta.dirname, '../..');
const inspector = new Session();
/** Longer than the interval of the slowest job that runs again within the test. */
const idleMs = 61_000;

let studio: TestStudio;
let mcp: McpClient;
let projectId: string;
/** Files that also run while nobody does anything: timers, health checks. */
let idle: ReadonlySet<string>;

beforeAll(async () => {
  studio = await startTestStudio();
  mcp = await connectMcp(studio.url);
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await filesThatRan();
  await sleep(idleMs);
  idle = await filesThatRan();
});
afterAll(async () => {
  inspector.disconnect();
  await mcp[Symbol.asyncDispose]();
  await studio[Symbol.asyncDispose]();
});

/** Returns the server's files of which a function has run since the last call. Evaluating a module does not count. */
async function filesThatRan(): Promise<Set<string>> {
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const ran = result.filter(
    ({ url, functions }) =>
      url.includes(`${root}/server/`) &&
      functions.some(({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0)),
  );
  return new Set(ran.map(({ url }) => url.slice(url.indexOf('/server/') + 1)));
}

/** Waits until what an earlier walk has begun is over, such as a checkpoint. The health checks of sandboxes go on forever. */
async function untilQuiet(): Promise<void> {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const files = await filesThatRan();
    if ([...files].every((file) => idle.has(file))) return;
    await sleep(250);
  }
}

/** Returns the files that run for what somebody does. */
async function walk(act: () => Promise<unknown>): Promise<string[]> {
  await untilQuiet();
  await act();
  return [...(await filesThatRan())].filter((file) => !idle.has(file)).toSorted();
}

/** Waits for a phase without asking the server, whose files would otherwise count. */
async function untilPhase(phase: string): Promise<void> {
  const database = new Database(join(studio.dataDir, 'koda.db'), { readonly: true });
  try {
    const phaseOf = database.prepare('SELECT phase FROM projects WHERE id = ?').pluck();
    await until(`the phase ${phase}`, () => phaseOf.get(projectId) === phase);
    // What follows a phase belongs to it.
    await sleep(500);
  } finally {
    database.close();
  }
}

/** Ceilings of the walks, with one or two files for background work that falls into them. Lower a number when a walk becomes shorter. */
const most = { plan: 117, preview: 105, read: 25, run: 56, render: 53 };

it('a newcomer who follows a request through the server meets no more files than before', async () => {
  const walks: Record<keyof typeof most, string[][]> = { plan: [], preview: [], read: [], run: [], render: [] };
  const projects: string[] = [];
  // Timers and the garbage collector add files now and then, the more the longer a walk takes, so what is in all three counts.
  for (let round = 0; round < 3; round += 1) {
    walks.plan.push(
      await walk(async () => {
        const prompt = 'A title card that says “Why we still write by hand”, smooth';
        projectId = (await studio.send<{ id: string }>('POST', '/api/projects', { prompt })).id;
        await untilPhase('plan');
      }),
    );
    walks.preview.push(
      await walk(async () => {
        await studio.send('POST', `/api/projects/${projectId}/plan`, { action: 'accept' });
        await untilPhase('preview');
      }),
    );
    walks.read.push(await walk(() => mcp.call('read_plan', { project_id: projectId })));
    walks.run.push(await walk(() => mcp.call('run_command', { project_id: projectId, command: 'ls' })));
    projects.push(projectId);
  }
  // Last, because renders go on while the next walk is taken.
  for (const id of projects) walks.render.push(await walk(() => mcp.call('render', { project_id: id, wait: false })));
  for (const [name, limit] of Object.entries(most)) {
    const [first = [], ...others] = walks[name as keyof typeof most];
    const files = first.filter((file) => others.every((walked) => walked.includes(file)));
    expect.soft(files.length, `${name}:\n${files.join('\n')}`).toBeLessThanOrEqual(limit);
    // A walk of hardly any files is a fault of the measurement.
    expect(files.length, name).toBeGreaterThan(limit / 2);
  }
});
