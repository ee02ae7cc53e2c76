import { expect, test } from 'vitest';
import type { ContenderName, Variant } from './contenders/contender.ts';
import { rowSchema } from './result.ts';
import type { Run } from './run-task.ts';
import { sceneNamed } from './scene-list.ts';
import { overScenes, rowOf, type Sample, summarise } from './summary.ts';

function sample(contender: ContenderName, variant: Variant, run: Partial<Run>): Sample {
  return {
    setup: { contender, variant },
    run: {
      frames: 60,
      wallSeconds: 10,
      startSeconds: null,
      cpuSeconds: 12,
      cpuSource: 'cgroup',
      cpuSecondsByKind: { page: 6, ffmpeg: 3 },
      peakMemoryBytes: 1e9,
      sizeBytes: 1000,
      videoPath: '/video.mp4',
      ...run,
    },
  };
}

const options = { filmFrames: 60, psnrToOursDb: null, ssimToTruth: null };

test('summarises a contender by the medians of its faster setting', () => {
  const samples = [
    sample('remotion', 'documented', { wallSeconds: 20 }),
    sample('remotion', 'tuned', { wallSeconds: 10 }),
    sample('remotion', 'tuned', { wallSeconds: 12, cpuSeconds: 18 }),
    sample('remotion', 'tuned', { wallSeconds: 15 }),
    sample('ours', 'tuned', { wallSeconds: 1 }),
  ];
  expect(summarise(samples, 'remotion', options)).toEqual({
    variant: 'tuned',
    framesPerSecond: 5,
    slowestFramesPerSecond: 4,
    fastestFramesPerSecond: 6,
    cpuSecondsPerFrame: 0.2,
    cpuSecondsPerFrameByKind: { page: 0.1, ffmpeg: 0.05 },
    peakMemoryBytes: 1e9,
    sizeBytes: 1000,
    frames: 60,
    slowerVariant: { variant: 'documented', framesPerSecond: 3 },
    psnrToOursDb: null,
    ssimToTruth: null,
  });
});

test('has no summary for an unmeasured contender', () => {
  expect(summarise([], 'hyperframes', options)).toBeNull();
});

test('a row states the speed ratio to Koda and matches the schema', () => {
  const samples = [
    sample('ours', 'tuned', { wallSeconds: 6 }),
    sample('naive', 'tuned', { frames: 10, wallSeconds: 12, startSeconds: 2 }),
  ];
  const [ours, naive] = [summarise(samples, 'ours', options), summarise(samples, 'naive', options)];
  if (!ours || !naive) throw new Error('Both were measured.');
  const row = rowOf(sceneNamed('dom-cards'), { ours, naive }, null);
  expect(row).toMatchObject({ name: 'dom-cards', unit: 'frames/s', ours: 10, peers: { naive: 0.968 }, ratios: { naive: 10.3 } });
  expect(rowSchema.parse(row)).toEqual(row);
  expect(() => rowOf(sceneNamed('dom-cards'), { naive }, null)).toThrow('Ours was not measured');
});

test('ratios over scenes omit scenes that a peer could not render', () => {
  const ours = summarise([sample('ours', 'tuned', { wallSeconds: 6 })], 'ours', options);
  if (!ours) throw new Error('It was measured.');
  const row = rowOf(sceneNamed('mixed'), { ours }, null);
  const rows = [
    { ...row, ratios: { naive: 6, remotion: 2 } },
    { ...row, ratios: { naive: 8 } },
  ];
  expect(overScenes(rows, (ratios) => Math.min(...ratios))).toEqual({ naive: 6, remotion: 2 });
});
