// npm run bench -- render. See render/options.ts for its options and docs/render-benchmark.md for results.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buildScenes } from './render/build.ts';
import { drawChart } from './render/chart.ts';
import { checkFrames, checkStillness } from './render/checks.ts';
import { costTable } from './render/cost-table.ts';
import { type FilmSettings, filmSettings } from './render/film.ts';
import { comparePictures, type MeasureContext, measure } from './render/measure.ts';
import { type BenchOptions, helpText, readOptions } from './render/options.ts';
import { installPeers, peerVersion } from './render/peers.ts';
import { BusyMachineError, requireQuiet } from './render/quiet.ts';
import { cpuTable, document, pictureTable, speedTable } from './render/report.ts';
import { type Result, type Row, resultSchema } from './render/result.ts';
import type { SceneEntry } from './render/scene-list.ts';
import { median } from './render/statistics.ts';
import { overScenes } from './render/summary.ts';
import { plainText, rounds } from './render/table.ts';
import { describeMachine, findTools } from './render/tools.ts';

const root = resolve(import.meta.dirname, '../..');
const work = join(root, '.tools/bench');
const docs = join(root, 'docs');

const options = optionsOrExit();
const film = filmSettings(options.durationSeconds, options.shipped ? 'shipped' : 'same');
const tools = findTools();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error('Stopped.')));
const say = (line: string) => console.error(line);
const context: MeasureContext = { options, film, tools, work, signal: stop.signal, report: say };
try {
  await main();
} catch (error) {
  if (error instanceof BusyMachineError) {
    say(error.message);
    process.exitCode = 1;
  } else if (stop.signal.aborted) {
    say('Stopped.');
    process.exitCode = 130;
  } else {
    throw error;
  }
} finally {
  if (!options.keep) await rm(join(work, 'output'), { recursive: true, force: true });
}

function optionsOrExit(): BenchOptions {
  try {
    const read = readOptions(process.argv.slice(2));
    if (!read.help) return read;
    console.log(helpText);
    process.exit(0);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    console.error(helpText);
    process.exit(2);
  }
}

async function main(): Promise<void> {
  if (options.fromFile !== null) {
    await publish(resultSchema.parse(JSON.parse(await readFile(options.fromFile, 'utf8'))));
    return;
  }
  const measures = !options.checks && !options.pictures;
  if (measures && !options.busy) await requireQuiet(stop.signal);
  say('==> Building the scenes');
  await rm(join(work, 'remotion'), { recursive: true, force: true });
  await build(options.scenes, film);
  if (options.checks) {
    say('==> Checking');
    const framesAgree = await checkFrames(context);
    const stillnessSaves = await checkStillness(context, build);
    process.exitCode = framesAgree && stillnessSaves ? 0 : 1;
    return;
  }
  if (options.pictures) {
    say('==> Comparing pictures');
    await comparePicturesOnly();
    return;
  }
  if (options.contenders.includes('remotion') || options.contenders.includes('hyperframes')) {
    say('==> Installing the peers');
    await installPeers(work);
  }
  say(`==> Measuring ${rounds(options.rounds)}`);
  const result = await measureAll();
  console.log(
    `\n${plainText(costTable(result))}\n\nFrames per second\n${plainText(speedTable(result))}\n\nCPU seconds per frame\n${plainText(cpuTable(result))}`,
  );
  console.log(`\nPSNR in dB\n${plainText(pictureTable(result))}`);
  if (options.jsonFile !== null) await writeFile(options.jsonFile, json(result));
  if (options.publish) await publish(result);
}

function build(entries: readonly SceneEntry[], settings: FilmSettings): Promise<void> {
  return buildScenes(entries, { root, work, film: settings, ffmpegPath: tools.ffmpegPath });
}

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
    busy: options.busy,
    picturesDate: null,
    cpuSource,
    rows,
    medianRatios: overScenes(rows, median),
    lowestRatios: overScenes(rows, (ratios) => Math.min(...ratios)),
  });
}

/** Compares a published result's images again, which takes two minutes and does not need an idle machine. */
async function comparePicturesOnly(): Promise<void> {
  const published = options.publish
    ? resultSchema.parse(JSON.parse(await readFile(join(docs, 'render-benchmark.json'), 'utf8')))
    : null;
  if (published && published.film.durationSeconds !== film.durationSeconds) {
    throw new Error(
      `The published films are ${published.film.durationSeconds} s long; say --seconds ${published.film.durationSeconds}.`,
    );
  }
  const compared = new Map<string, Row['capturePsnr']>();
  for (const scene of options.scenes) {
    const psnr = await comparePictures(context, scene);
    compared.set(scene.name, psnr);
    say(`${scene.name.padEnd(17)} lowest ${psnr.lowestDb} dB, mean ${psnr.meanDb} dB over ${psnr.frames} frames`);
  }
  if (!published) return;
  const rows = published.rows.map((row) => ({ ...row, capturePsnr: compared.get(row.name) ?? row.capturePsnr }));
  await publish({ ...published, rows, picturesDate: new Date().toISOString() });
}

function json(result: Result): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}

/** Writes the figures and the page. A result as shipped is one section of the page. */
async function publish(result: Result): Promise<void> {
  await mkdir(docs, { recursive: true });
  const [samePath, shippedPath] = [join(docs, 'render-benchmark.json'), join(docs, 'render-benchmark-shipped.json')];
  const isShipped = result.film.encoder === 'shipped';
  await writeFile(isShipped ? shippedPath : samePath, json(result));
  const same = isShipped ? await published(samePath) : result;
  if (same === null) throw new Error('Publish a result with the same encoder first.');
  await writeFile(join(docs, 'render-benchmark.md'), document(same, isShipped ? result : await published(shippedPath)));
  await drawChart(same, { path: `${join(docs, 'render-benchmark')}.png`, chromiumPath: tools.chromiumPath });
}

async function published(path: string): Promise<Result | null> {
  if (!existsSync(path)) return null;
  return resultSchema.parse(JSON.parse(await readFile(path, 'utf8')));
}
