import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from './contenders/contender.ts';
import { capturePsnr } from './contenders/ours.ts';
import { takeTruths } from './contenders/truth.ts';
import { type FilmSettings, frameCount, sampledFrames } from './film.ts';
import type { BenchOptions } from './options.ts';
import { type Setup, setupsOfRound } from './plan.ts';
import { countVideoFrames, truthSsim, videoPsnr } from './quality.ts';
import { requireQuiet } from './quiet.ts';
import type { Row } from './result.ts';
import { runTask } from './run-task.ts';
import type { SceneEntry } from './scene-list.ts';
import { significant } from './statistics.ts';
import { rowOf, type Sample, speedOf, summarise } from './summary.ts';
import type { Tools } from './tools.ts';

/** Number of frames that are compared. The naive approach renders only these, unless its files are to be compared too. */
const comparedFrames = 12;
/** Time limit of a run, four times the slowest that was observed. */
const taskTimeoutMs = 600_000;

export interface MeasureContext {
  readonly options: Pick<BenchOptions, 'scenes' | 'contenders' | 'rounds' | 'busy'>;
  readonly film: FilmSettings;
  readonly tools: Tools;
  readonly work: string;
  readonly signal: AbortSignal;
  /** Receives a progress line per run. */
  readonly report: (line: string) => void;
}

/** Runs all rounds for all scenes, alternating between contenders. Returns one row per scene. Errors from `requireQuiet` propagate. */
export async function measure(context: MeasureContext): Promise<{ rows: Row[]; cpuSource: 'cgroup' | 'proc' }> {
  const { options, film } = context;
  const frames = frameCount(film);
  const samples = new Map<string, Sample[]>(options.scenes.map((scene) => [scene.name, []]));
  for (let round = 0; round < options.rounds; round++) {
    if (!options.busy) await requireQuiet(context.signal);
    for (const scene of options.scenes) {
      const known = samples.get(scene.name) ?? [];
      for (const setup of setupsOfRound(options.contenders, film.encoder, round, (candidate) =>
        speedOf(known, candidate, frames),
      )) {
        const sample = await runOnce(context, scene, setup);
        if (sample) known.push(sample);
      }
    }
  }
  const rows: Row[] = [];
  for (const scene of options.scenes) rows.push(await concludeScene(context, scene, samples.get(scene.name) ?? []));
  const cpuSource = [...samples.values()].flat().every(({ run }) => run.cpuSource === 'cgroup') ? 'cgroup' : 'proc';
  return { rows, cpuSource };
}

export function taskOf(context: Pick<MeasureContext, 'film' | 'tools' | 'work'>, scene: SceneEntry, setup: Setup): Task {
  const { film, tools, work } = context;
  return {
    ...setup,
    scene: scene.name,
    work,
    output: join(work, 'output', `${scene.name}-${setup.contender}-${setup.variant}`),
    film,
    sampleFrames: film.encoder === 'shipped' ? frameCount(film) : comparedFrames,
    ...tools,
  };
}

/** Runs a contender once. A peer that fails is retried once and then skipped. If Koda fails, there is nothing to measure. */
async function runOnce(context: MeasureContext, scene: SceneEntry, setup: Setup): Promise<Sample | null> {
  const task = taskOf(context, scene, setup);
  const limited = () => AbortSignal.any([context.signal, AbortSignal.timeout(taskTimeoutMs)]);
  const name = `${scene.name.padEnd(17)} ${setup.contender.padEnd(12)} ${setup.variant.padEnd(11)}`;
  for (const last of [false, true]) {
    try {
      const run = await runTask(task, limited());
      const counted = await countVideoFrames(context.tools, run.videoPath);
      if (counted !== run.frames) throw new Error(`The video has ${counted} frames instead of ${run.frames}.`);
      const sample = { setup, run };
      const speed = speedOf([sample], setup, frameCount(context.film)) ?? 0;
      const cpu = (run.cpuSeconds / run.frames).toFixed(3);
      context.report(
        `${name} ${speed.toFixed(2).padStart(6)} frames/s  ${cpu} CPU s/frame  ${(run.peakMemoryBytes / 1e6).toFixed(0).padStart(5)} MB`,
      );
      return sample;
    } catch (error) {
      context.signal.throwIfAborted();
      if (setup.contender === 'ours') throw error;
      context.report(`${name} failed${last ? ', left out' : ', once more'}: ${String(error).slice(0, 2000)}`);
    }
  }
  return null;
}

async function concludeScene(context: MeasureContext, scene: SceneEntry, samples: readonly Sample[]): Promise<Row> {
  const { tools, film } = context;
  const ours = samples.findLast(({ setup }) => setup.contender === 'ours');
  const { scratch, truths } = await truthsOf(context, scene);
  const details: Row['details'] = {};
  for (const contender of context.options.contenders) {
    const options = { filmFrames: frameCount(film), psnrToOursDb: null, ssimToTruth: null };
    const measured = summarise(samples, contender, options);
    if (!measured) continue;
    const video = samples.findLast(({ setup }) => setup.contender === contender && setup.variant === measured.variant)?.run
      .videoPath;
    // A film that each renderer has as its own is alike, but has other pixels.
    const isOwn = contender === 'ours' || scene.film === undefined;
    const comparable = isOwn && contender !== 'ours' && contender !== 'naive' && ours !== undefined && video !== undefined;
    const psnrToOursDb = comparable ? significant(await videoPsnr(tools, ours.run.videoPath, video)) : null;
    const rendersAll = measured.frames === frameCount(film);
    const frames = truths.map(({ frame }, index) => (rendersAll ? frame : index));
    const ssimToTruth = video === undefined || !isOwn ? null : await truthSsim(tools, { video, frames, truths, scratch });
    details[contender] = { ...measured, psnrToOursDb, ssimToTruth };
  }
  return rowOf(scene, details, await comparePictures(context, scene));
}

async function truthsOf(context: Pick<MeasureContext, 'film' | 'tools' | 'work'>, scene: SceneEntry) {
  const scratch = join(context.work, 'output', `${scene.name}-comparison`);
  await rm(scratch, { recursive: true, force: true });
  const task = taskOf(context, scene, { contender: 'ours', variant: 'tuned' });
  return { scratch, truths: await takeTruths(task, sampledFrames(frameCount(context.film), comparedFrames), scratch) };
}

/** Compares Koda's frames before encoding with references across the film. */
export async function comparePictures(
  context: Pick<MeasureContext, 'film' | 'tools' | 'work'>,
  scene: SceneEntry,
): Promise<NonNullable<Row['capturePsnr']>> {
  const { scratch, truths } = await truthsOf(context, scene);
  const psnrDb = await capturePsnr(taskOf(context, scene, { contender: 'ours', variant: 'tuned' }), truths, scratch);
  return {
    frames: psnrDb.length,
    lowestDb: significant(Math.min(...psnrDb)),
    meanDb: significant(psnrDb.reduce((sum, value) => sum + value, 0) / psnrDb.length),
  };
}
