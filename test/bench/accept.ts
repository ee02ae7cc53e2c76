// npm run bench -- accept: from the accepted plan to the finished file, as in the demo.
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startStudio } from '../fixtures/studio.ts';
import { demoPrompt, type FilmRun, measureFilm } from './accept/measure.ts';
import { AcceptMeter } from './accept/meter.ts';
import { BusyMachineError, requireQuiet } from './render/quiet.ts';
import { median } from './render/statistics.ts';

const helpText = `npm run bench -- accept [options]

Makes the film of \`npm run demo\` in a real studio, over its API, and accepts its plan and its preview at once. Measures the time
from the accepted plan to the downloaded final video, and the CPU time of server and sandbox in between.

  --runs N           films that are made; medians count (3)
  --watch SECONDS    accept the preview this long after it is made; the time does not count (0)
  --sandbox NAME     docker, as shipped, or process (docker)
  --busy             measure although the machine does other work; the result says so
  --json FILE        write the result there as JSON
  --help             this text
`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    watch: { type: 'string' },
    sandbox: { type: 'string' },
    busy: { type: 'boolean' },
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
    runs: z.coerce.number().int().min(1).max(20).default(3),
    watch: z.coerce.number().min(0).max(600).default(0),
    sandbox: z.enum(['docker', 'process']).default('docker'),
    busy: z.boolean().default(false),
    json: z.string().optional(),
  })
  .parse(values);

try {
  await main();
} catch (error) {
  if (!(error instanceof BusyMachineError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const prompt = demoPrompt(await readFile(join(import.meta.dirname, '../../scripts/demo.sh'), 'utf8'));
  await using studio = await startStudio({ sandbox: options.sandbox, env: { KODA_AUTO_FINAL: 'on' } });
  const meter = AcceptMeter.of({ sandbox: options.sandbox, instance: studio.instance });
  const runs: FilmRun[] = [];
  for (let index = 0; index < options.runs; index++) {
    if (!options.busy) await requireQuiet(AbortSignal.timeout(60_000));
    const run = await measureFilm(studio.client, prompt, { meter, watchSeconds: options.watch });
    runs.push(run);
    console.log(`film ${index + 1}: ${described(run)}`);
  }
  const medians: FilmRun = {
    seconds: median(runs.map(({ seconds }) => seconds)),
    previewSeconds: median(runs.map(({ previewSeconds }) => previewSeconds)),
    firstFrameSeconds: median(runs.map(({ firstFrameSeconds }) => firstFrameSeconds)),
    serverCpuSeconds: median(runs.map(({ serverCpuSeconds }) => serverCpuSeconds)),
    sandboxCpuSeconds: median(runs.map(({ sandboxCpuSeconds }) => sandboxCpuSeconds)),
    frames: median(runs.map(({ frames }) => frames)),
    sizeBytes: median(runs.map(({ sizeBytes }) => sizeBytes)),
  };
  console.log(`median of ${runs.length}${options.busy ? ', on a busy machine' : ''}: ${described(medians)}`);
  if (options.json === undefined) return;
  const machine = { cpus: availableParallelism(), model: cpus()[0]?.model ?? null, node: process.version };
  const { sandbox, busy, watch } = options;
  const result = { area: 'accept', at: new Date().toISOString(), machine, sandbox, busy, watch, prompt, medians, runs };
  await writeFile(options.json, `${JSON.stringify(result, null, 2)}\n`);
}

function described(run: FilmRun): string {
  const { seconds, previewSeconds, firstFrameSeconds, serverCpuSeconds, sandboxCpuSeconds, frames, sizeBytes } = run;
  const cpu = (serverCpuSeconds + sandboxCpuSeconds).toFixed(1);
  const parts = `server ${serverCpuSeconds.toFixed(1)}, sandbox ${sandboxCpuSeconds.toFixed(1)}`;
  const file = `${frames} frames, ${(sizeBytes / 1e3).toFixed(0)} kB`;
  const stages = `preview after ${previewSeconds.toFixed(1)} s, the final’s first frame ${firstFrameSeconds.toFixed(1)} s later`;
  return `${seconds.toFixed(1)} s to the file (${stages}), ${cpu} CPU s (${parts}), ${file}`;
}
