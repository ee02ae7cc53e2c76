// npm run bench -- scale: measures requests and the start of a server with many projects and a long history.
import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openDatabase } from '../../server/storage/database.ts';
import { createStores } from '../../server/storage/stores.ts';
import { startTestStudio } from '../fixtures/app.ts';
import { buildScaleData } from '../fixtures/scale-data.ts';
import { measureRequests, readRequests } from '../fixtures/scale-requests.ts';
import { tempDir } from '../fixtures/storage.ts';
import { studioProcess } from '../fixtures/studio-process.ts';

const helpText = `npm run bench -- scale [options]

A data folder with many projects, one of which has 30 % of all events. Measures how long the server takes to start, and the CPU
time of its thread for each request that reads, and for what it does when a run starts and every minute.

  --projects N       projects (1000)
  --events N         events of all projects (1000000)
  --json FILE        write the result there as JSON
  --help             this text
`;

const { values } = parseArgs({
  options: { projects: { type: 'string' }, events: { type: 'string' }, json: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(helpText);
  process.exit(0);
}
const options = z
  .object({
    projects: z.coerce.number().int().min(2).max(100_000).default(1000),
    events: z.coerce.number().int().min(1000).max(10_000_000).default(1_000_000),
    json: z.string().optional(),
  })
  .parse(values);

const goals = { cpuMsPerRequest: 100, startSeconds: 10 };

using folder = tempDir();
const dataDir = join(folder.path, 'data');
const data = await buildScaleData(dataDir, options);
const megabytes = statSync(join(dataDir, 'koda.db')).size / 1e6;
console.log(
  `built ${options.projects} projects, ${options.events} events in ${data.buildSeconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`,
);

async function timeStart(): Promise<number> {
  await using studio = await studioProcess({ dataDir });
  const startedAtMs = performance.now();
  await studio.start();
  const seconds = (performance.now() - startedAtMs) / 1000;
  await studio.end('SIGTERM');
  return seconds;
}
// The first start renews the addresses of previews.
const startSeconds = [await timeStart(), await timeStart()];
console.log(
  `start until ready: ${startSeconds.map((seconds) => `${seconds.toFixed(1)} s`).join(', then ')} (goal ${goals.startSeconds} s)`,
);

const requests = await (async () => {
  await using studio = await startTestStudio({ dataDir });
  return await measureRequests(studio.url, readRequests(data));
})();

const database = openDatabase(dataDir);
const stores = createStores(database);
const internal: Record<string, () => Promise<unknown>> = {
  'start of a run': () => stores.runs.active(data.longest),
  'plan at a checkpoint': () => stores.projects.stateAt(data.longest, data.lastSeq),
  'starts of a render': () => stores.renders.timesQueued(data.renderId),
  'ids of all projects': () => stores.projects.listIds({ changedSince: null }),
  'due projects': () => stores.projects.listDue(),
};
const queries = [];
for (const [name, query] of Object.entries(internal)) {
  await query();
  const before = process.threadCpuUsage();
  for (let round = 0; round < 5; round++) await query();
  const { user, system } = process.threadCpuUsage(before);
  queries.push({ name, cpuMs: (user + system) / 5000 });
}
database.close();

for (const { name, cpuMs, wallMs, status } of requests)
  console.log(`${name.padEnd(26)} ${status}  ${cpuMs.toFixed(1).padStart(7)} ms CPU  ${wallMs.toFixed(1).padStart(7)} ms`);
for (const { name, cpuMs } of queries) console.log(`${name.padEnd(31)} ${cpuMs.toFixed(1).padStart(7)} ms CPU`);
const slow = [...requests, ...queries].filter(({ cpuMs }) => cpuMs > goals.cpuMsPerRequest);
const isSlowToStart = Math.max(...startSeconds) > goals.startSeconds;
console.log(`${slow.length} of ${requests.length + queries.length} need more than ${goals.cpuMsPerRequest} ms`);
if (options.json) {
  const machine = { cpus: availableParallelism(), model: cpus()[0]?.model ?? null, node: process.version };
  const result = { buildSeconds: data.buildSeconds, megabytes, startSeconds, requests, queries };
  await writeFile(options.json, `${JSON.stringify({ area: 'scale', machine, options, goals, result }, null, 2)}\n`);
}
process.exitCode = slow.length === 0 && !isSlowToStart ? 0 : 1;
