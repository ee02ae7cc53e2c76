// npm run bench -- progress: measures what progress events of many projects cost the server's thread.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { eventFrame } from '../../server/http/streams/sse.ts';
import { chunk, newProject, tempStores, testPerson } from '../fixtures/storage.ts';

const helpText = `npm run bench -- progress [options]

The real database and event bus, on this machine's disk, while projects stream code. Each project records the next event only
once the last one is durable, or its time has come. Followers receive the events as the text that browsers get.

  --projects N       projects that stream (50)
  --rate N           events a second of each project (10)
  --followers N      followers of each project (2)
  --seconds S        duration (10)
  --json FILE        write the result there as JSON
  --help             this text
`;

const { values } = parseArgs({
  options: {
    projects: { type: 'string' },
    rate: { type: 'string' },
    followers: { type: 'string' },
    seconds: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(helpText);
  process.exit(0);
}
const options = z
  .object({
    projects: z.coerce.number().int().min(1).max(1000).default(50),
    rate: z.coerce.number().min(0.1).max(1000).default(10),
    followers: z.coerce.number().int().min(0).max(100).default(2),
    seconds: z.coerce.number().min(1).max(600).default(10),
    json: z.string().optional(),
  })
  .parse(values);

const text = 'const progress = interpolate(seconds, [start, start + 0.6], [0, 1], easeOutBack);\n'.repeat(8);

using stores = tempStores();
const ids = await Promise.all(
  Array.from({ length: options.projects }, async () => (await stores.projects.create(newProject())).id),
);
const stop = new AbortController();
let receivedCharacters = 0;
const following = ids.flatMap((id) =>
  Array.from({ length: options.followers }, async () => {
    for await (const event of stores.bus.follow(id, { afterSeq: 0, signal: stop.signal }))
      receivedCharacters += eventFrame(event).length;
  }),
);
await sleep(500);

let events = 0;
const latenciesMs: number[] = [];
const loopDelay = monitorEventLoopDelay({ resolution: 1 });
loopDelay.enable();
const startedAtMs = performance.now();
const before = { cpu: process.threadCpuUsage(), loop: performance.eventLoopUtilization() };
await Promise.all(
  ids.map(async (id, index) => {
    const firstAtMs = startedAtMs + (index / options.projects) * (1000 / options.rate);
    for (let count = 0; performance.now() - startedAtMs < options.seconds * 1000; count++) {
      const waitMs = firstAtMs + (count * 1000) / options.rate - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      const calledAtMs = performance.now();
      await stores.projects.record(id, [chunk(count * text.length, text)], { by: testPerson });
      latenciesMs.push(performance.now() - calledAtMs);
      events++;
    }
  }),
);
const seconds = (performance.now() - startedAtMs) / 1000;
const cpu = process.threadCpuUsage(before.cpu);
const busyShare = performance.eventLoopUtilization(before.loop).utilization;
loopDelay.disable();
stop.abort();
await Promise.all(following);

const p99 = (sorted: readonly number[]) => sorted[Math.floor(sorted.length * 0.99)] ?? 0;
const result = {
  eventsPerSecond: events / seconds,
  cpuSecondsPerSecond: (cpu.user + cpu.system) / 1e6 / seconds,
  busyShare,
  loopDelayP99Ms: loopDelay.percentile(99) / 1e6,
  loopDelayMaxMs: loopDelay.max / 1e6,
  durableP99Ms: p99(latenciesMs.toSorted((a, b) => a - b)),
  receivedMegabytes: receivedCharacters / 1e6,
};
for (const [name, value] of Object.entries(result)) console.log(`${name.padEnd(20)} ${value.toFixed(3)}`);
if (options.json) {
  const machine = { cpus: availableParallelism(), model: cpus()[0]?.model ?? null, node: process.version };
  await writeFile(options.json, `${JSON.stringify({ area: 'progress', machine, options, result }, null, 2)}\n`);
}
