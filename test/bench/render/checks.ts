import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { FilmSettings } from './film.ts';
import { type MeasureContext, taskOf } from './measure.ts';
import { frameHashes } from './quality.ts';
import { runTask } from './run-task.ts';
import { holds, type SceneEntry } from './scene-list.ts';
import { periodSeconds } from './scenes/hold.ts';
import { median } from './statistics.ts';

/** The codec is lossless, so a decoded frame has the same hash as the captured image. */
const losslessCrf = 0;
/** Fraction of static frames in a film with holds. */
const stillShare = 0.4;

interface Arrangement {
  readonly name: string;
  readonly workers: number;
  readonly load: boolean;
}

const arrangements: readonly Arrangement[] = [
  { name: 'one browser', workers: 1, load: false },
  { name: 'two browsers', workers: 2, load: false },
  { name: 'three browsers', workers: 3, load: false },
  { name: 'two browsers under load', workers: 2, load: true },
];

/** Renders each scene in every arrangement and compares every frame. Returns `true` if all are equal. */
export async function checkFrames(context: MeasureContext): Promise<boolean> {
  let agree = true;
  for (const scene of context.options.scenes) {
    const [first, ...others] = await hashesOf(context, scene);
    const different = others.filter((hashes) => !sameHashes(hashes, first ?? []));
    agree &&= first !== undefined && first.length > 0 && different.length === 0;
    const verdict = different.length === 0 ? 'identical' : 'DIFFERENT';
    context.report(`${scene.name.padEnd(17)} ${first?.length ?? 0} frames ${verdict} with 1, 2 and 3 browsers and under load`);
  }
  return agree;
}

export function sameHashes(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((hash, index) => hash === second[index]);
}

async function hashesOf(context: MeasureContext, scene: SceneEntry): Promise<string[][]> {
  const all: string[][] = [];
  for (const { workers, load } of arrangements) {
    const film = { ...context.film, crf: losslessCrf, workers };
    const task = taskOf({ ...context, film }, scene, { contender: 'ours', variant: 'tuned' });
    using _ = load ? busyProcessors() : null;
    const { videoPath } = await runTask(task, context.signal);
    all.push(await frameHashes(context.tools, videoPath));
  }
  return all;
}

/** Keeps every CPU core busy until disposed. */
function busyProcessors(): Disposable {
  const spinners = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return {
    [Symbol.dispose]: () => {
      for (const spinner of spinners) spinner.kill('SIGKILL');
    },
  };
}

type Build = (entries: SceneEntry[], film: FilmSettings) => Promise<void>;

/** Compares films with and without holds. Returns `true` if at least three quarters of the possible savings are achieved. */
export async function checkStillness(context: MeasureContext, build: Build): Promise<boolean> {
  let saves = true;
  for (const pair of holds) {
    const share = await costOfHolds(context, pair, build);
    const percent = (part: number) => `${(part * 100).toFixed(0)} %`;
    const frames = `${percent(stillShare)} of the frames are still`;
    context.report(`${pair.still.name.padEnd(17)} a frame costs ${percent(share)} of what it costs without holds; ${frames}`);
    saves &&= (1 - share) / stillShare >= 0.75;
  }
  return saves;
}

/**
 * Renders a film with and without its holds, alternating, and compares the cost per frame: the extra CPU time of a film twice
 * as long, which excludes browser startup.
 */
async function costOfHolds(context: MeasureContext, { still, moving }: (typeof holds)[number], build: Build): Promise<number> {
  const costs = { still: [] as number[], moving: [] as number[] };
  const films = [periodSeconds, 2 * periodSeconds].map((durationSeconds) => ({ ...context.film, durationSeconds }));
  for (let round = 0; round < context.options.rounds; round++) {
    const cpuSeconds = { still: [] as number[], moving: [] as number[] };
    for (const film of films) {
      await build([still, moving], film);
      for (const [name, scene] of [
        ['still', still],
        ['moving', moving],
      ] as const) {
        const run = await runTask(taskOf({ ...context, film }, scene, { contender: 'ours', variant: 'tuned' }), context.signal);
        cpuSeconds[name].push(run.cpuSeconds);
      }
    }
    for (const name of ['still', 'moving'] as const) costs[name].push((cpuSeconds[name][1] ?? 0) - (cpuSeconds[name][0] ?? 0));
  }
  return median(costs.still) / median(costs.moving);
}
