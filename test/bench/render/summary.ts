import type { ContenderName } from './contenders/contender.ts';
import type { Setup } from './plan.ts';
import { fastest } from './plan.ts';
import { processKinds } from './process-tree.ts';
import type { Measurement, Row } from './result.ts';
import type { Run } from './run-task.ts';
import type { SceneEntry } from './scene-list.ts';
import { filmSpeed, median, significant } from './statistics.ts';

export interface Sample {
  readonly setup: Setup;
  readonly run: Run;
}

export function speedOf(samples: readonly Sample[], setup: Setup, filmFrames: number): number | null {
  const runs = runsOf(samples, setup);
  return runs.length === 0 ? null : median(runs.map((run) => filmSpeed(run, filmFrames)));
}

function runsOf(samples: readonly Sample[], { contender, variant }: Setup): Run[] {
  return samples.filter(({ setup }) => setup.contender === contender && setup.variant === variant).map(({ run }) => run);
}

/** Returns the medians of a contender's faster variant, or `null` if it has not run. */
export function summarise(
  samples: readonly Sample[],
  contender: ContenderName,
  options: { readonly filmFrames: number } & Pick<Measurement, 'psnrToOursDb' | 'ssimToTruth'>,
): Measurement | null {
  const setups = [
    ...new Map(samples.filter(({ setup }) => setup.contender === contender).map(({ setup }) => [setup.variant, setup])).values(),
  ];
  if (setups.length === 0) return null;
  const speed = (setup: Setup) => speedOf(samples, setup, options.filmFrames);
  const best = fastest(setups, speed);
  const other = setups.find((setup) => setup !== best);
  const runs = runsOf(samples, best);
  const speeds = runs.map((run) => filmSpeed(run, options.filmFrames));
  return {
    variant: best.variant,
    framesPerSecond: significant(median(speeds)),
    slowestFramesPerSecond: significant(Math.min(...speeds)),
    fastestFramesPerSecond: significant(Math.max(...speeds)),
    cpuSecondsPerFrame: significant(median(runs.map((run) => run.cpuSeconds / run.frames))),
    cpuSecondsPerFrameByKind: mediansByKind(runs),
    peakMemoryBytes: Math.round(median(runs.map((run) => run.peakMemoryBytes))),
    sizeBytes: Math.round(median(runs.map((run) => run.sizeBytes))),
    frames: runs[0]?.frames ?? 0,
    slowerVariant: other ? { variant: other.variant, framesPerSecond: significant(speed(other) ?? 0) } : null,
    psnrToOursDb: options.psnrToOursDb,
    ssimToTruth: options.ssimToTruth,
  };
}

function mediansByKind(runs: readonly Run[]): Measurement['cpuSecondsPerFrameByKind'] {
  const medians: Measurement['cpuSecondsPerFrameByKind'] = {};
  for (const kind of processKinds) {
    const cost = median(runs.map((run) => (run.cpuSecondsByKind[kind] ?? 0) / run.frames));
    if (cost > 0) medians[kind] = significant(cost);
  }
  return medians;
}

export function rowOf(scene: SceneEntry, details: Row['details'], capturePsnr: Row['capturePsnr']): Row {
  const ours = details.ours?.framesPerSecond;
  if (ours === undefined) throw new Error(`Ours was not measured on ${scene.name}.`);
  const peers: Row['peers'] = {};
  const ratios: Row['ratios'] = {};
  for (const name of ['naive', 'remotion', 'hyperframes'] as const) {
    const speed = details[name]?.framesPerSecond;
    if (speed === undefined) continue;
    peers[name] = speed;
    ratios[name] = significant(ours / speed);
  }
  return { name: scene.name, nature: scene.nature, unit: 'frames/s', ours, peers, ratios, details, capturePsnr };
}

export function overScenes(rows: readonly Row[], combine: (ratios: readonly number[]) => number): Row['ratios'] {
  const combined: Row['ratios'] = {};
  for (const name of ['naive', 'remotion', 'hyperframes'] as const) {
    const ratios = rows.map((row) => row.ratios[name]).filter((ratio) => ratio !== undefined);
    if (ratios.length > 0) combined[name] = significant(combine(ratios));
  }
  return combined;
}
