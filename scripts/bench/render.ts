// npm run bench -- render: see render/options.ts for what it takes, docs/render-benchmark.md for what it found.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buildScenes } from './render/build.ts';
import { drawChart } from './render/chart.ts';
import { checkFrames, checkStillness } from './render/checks.ts';
import { filmSettings } from './render/film.ts';
import { type MeasureContext, measure } from './render/measure.ts';
import { helpText, readOptions } from './render/options.ts';
import { installPeers, peerVersion } from './render/peers.ts';
import { cpuTable, document, pictureTable, plainText, speedTable } from './render/report.ts';
import { type Result, resultSchema } from './render/result.ts';
import { alwaysMoving } from './render/scene-list.ts';
import { median } from './render/statistics.ts';
import { overScenes } from './render/summary.ts';
import { describeMachine, findTools } from './render/tools.ts';

const root = resolve(import.meta.dirname, '../..');
const work = join(root, '.tools/bench');
const docs = join(root, 'docs');

const options = readOptions(process.argv.slice(2));
if (options.help) {
  console.log(helpText);
  process.exit(0);
}

const film = filmSettings(options.durationSeconds);
const tools = findTools();
const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('Stopped.')));
process.once('SIGTERM', () => stop.abort(new Error('Stopped.')));
const say = (line: string) => console.error(line);
const context: MeasureContext = { options, film, tools, work, signal: stop.signal, report: say };

say('==> Building the scenes');
await rm(join(work, 'remotion'), { recursive: true, force: true });
await buildScenes(options.checks ? [...options.scenes, alwaysMoving] : options.scenes, {
  root,
  work,
  film,
  ffmpegPath: tools.ffmpegPath,
});

if (options.checks) {
  const framesAgree = await checkFrames(context);
  const stillnessSaves = await checkStillness(context);
  process.exitCode = framesAgree && stillnessSaves ? 0 : 1;
} else {
  if (options.contenders.includes('remotion') || options.contenders.includes('hyperframes')) {
    say('==> Installing the peers');
    await installPeers(work);
  }
  say(`==> Measuring ${options.rounds} rounds`);
  const result = await measureAll();
  console.log(`\n${plainText(speedTable(result))}\n\nProcessor seconds per frame\n${plainText(cpuTable(result))}`);
  console.log(`\nPSNR in dB\n${plainText(pictureTable(result))}`);
  if (options.jsonFile !== null) await writeFile(options.jsonFile, json(result));
  if (options.publish) await publish(result);
}
if (!options.keep) await rm(join(work, 'output'), { recursive: true, force: true });

async function measureAll(): Promise<Result> {
  const { rows, cpuSource } = await measure(context);
  return resultSchema.parse({
    area: 'render',
    date: new Date().toISOString(),
    machine: {
      ...(await describeMachine(tools)),
      remotion: options.contenders.includes('remotion') ? await peerVersion('remotion') : null,
      hyperframes: options.contenders.includes('hyperframes') ? await peerVersion('hyperframes') : null,
    },
    film: { ...film, rounds: options.rounds },
    cpuSource,
    rows,
    medianRatios: overScenes(rows, median),
    lowestRatios: overScenes(rows, (ratios) => Math.min(...ratios)),
  });
}

function json(result: Result): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}

async function publish(result: Result): Promise<void> {
  await mkdir(docs, { recursive: true });
  await writeFile(join(docs, 'render-benchmark.json'), json(result));
  await writeFile(join(docs, 'render-benchmark.md'), document(result));
  await drawChart(result, { path: `${join(docs, 'render-benchmark')}.png`, chromiumPath: tools.chromiumPath });
}
