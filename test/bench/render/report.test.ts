import { expect, test } from 'vitest';
import { chartPage } from './chart.ts';
import { costTable } from './cost-table.ts';
import { boundTable, document, speedTable } from './report.ts';
import { type Result, resultSchema } from './result.ts';
import { shippedFileTable } from './shipped-report.ts';
import { markdown, plainText } from './table.ts';

const measured = {
  variant: 'tuned' as const,
  framesPerSecond: 10,
  slowestFramesPerSecond: 9,
  fastestFramesPerSecond: 11,
  cpuSecondsPerFrame: 0.19,
  cpuSecondsPerFrameByKind: { page: 0.1, graphics: 0.02, ffmpeg: 0.05 },
  peakMemoryBytes: 9.1e8,
  sizeBytes: 2_500_000,
  frames: 90,
  slowerVariant: null,
  psnrToOursDb: null,
  ssimToTruth: null,
};

const result: Result = resultSchema.parse({
  area: 'render',
  date: '2026-01-02T03:04:05.000Z',
  machine: {
    cpus: 2,
    cpuModel: 'Model',
    node: '24.0.0',
    chromium: 'Chromium 150',
    ffmpeg: '7.1',
    webgl: 'llvmpipe',
    remotion: '4.0.1',
    hyperframes: null,
  },
  film: { width: 1920, height: 1080, fps: 30, durationSeconds: 3, crf: 18, encoder: 'same', workers: 2, rounds: 3 },
  picturesDate: null,
  cpuSource: 'cgroup',
  rows: [
    {
      name: 'dom-cards',
      nature: 'cards',
      unit: 'frames/s',
      ours: 10,
      peers: { naive: 1, remotion: 4 },
      ratios: { naive: 10, remotion: 2.5 },
      details: {
        ours: measured,
        naive: { ...measured, framesPerSecond: 1, frames: 12 },
        remotion: {
          ...measured,
          framesPerSecond: 4,
          slowerVariant: { variant: 'documented', framesPerSecond: 3.2 },
          psnrToOursDb: 46.8,
        },
      },
      capturePsnr: { frames: 12, lowestDb: 46.1, meanDb: 47.2 },
    },
  ],
  medianRatios: { naive: 10, remotion: 2.5 },
  lowestRatios: { naive: 10, remotion: 2.5 },
});

test('the first factors are of CPU time, then those of speed, for each measured contender', () => {
  const costly = structuredClone(result);
  Object.assign(costly.rows[0]?.details.remotion ?? {}, { cpuSecondsPerFrame: 0.38 });
  expect(plainText(costTable(costly)).split('\n')).toEqual([
    'scene      Koda, CPU s/frame  × naive  × Remotion  Koda, frames/s  × naive  × Remotion',
    'dom-cards              0.190    1.00×       2.00×            10.0   10.00×       2.50×',
    'median                          1.00×       2.00×                   10.00×       2.50×',
    'lowest                          1.00×       2.00×                   10.00×       2.50×',
  ]);
});

test('prints a table as Markdown, with a column for each measured contender', () => {
  expect(markdown(speedTable(result)).split('\n')).toEqual([
    '| scene | Koda | naive | Remotion |',
    '| --- | ---: | ---: | ---: |',
    '| dom-cards | 10.00 | 1.00 | 4.00 |',
  ]);
});

test('says so if the machine did other work', () => {
  expect(document(result, null)).not.toContain('--busy');
  expect(document({ ...result, busy: true }, null)).toContain('did other work at the same time (`--busy`)');
  expect(document(result, { ...result, busy: true })).toContain('did other work at the same time (`--busy`)');
});

test('divides the CPU time of a peer by that of Koda’s encoder', () => {
  const { rows } = boundTable(result);
  expect(rows).toEqual([['dom-cards', '1.00×', '3.80×', '–', '–']]);
});

test('the document contains machine, settings, costs and both settings of a peer', () => {
  const text = document(result, null);
  for (const part of [
    '2 cores (Model)',
    'Remotion](https://www.remotion.dev) 4.0.1',
    '-preset veryfast -crf 17.2',
    'tuned 4.00; documented 3.20',
    '| dom-cards | Koda | 100 | 20 | – | 50 | – |',
    '| dom-cards | 46.1 | 47.2 | 46.8 | – |',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toMatch(/undefined|NaN|null/);
});

test('the section as shipped has the cost and speed of each, then quality and size', () => {
  const shipped = structuredClone(result);
  Object.assign(shipped.rows[0]?.details.remotion ?? {}, { ssimToTruth: 0.98765, cpuSecondsPerFrame: 0.38 });
  expect(markdown(costTable(shipped)).split('\n')).toEqual([
    '| scene | Koda, CPU s/frame | × naive | × Remotion | Koda, frames/s | × naive | × Remotion |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    '| dom-cards | 0.190 | 1.00× | 2.00× | 10.0 | 10.00× | 2.50× |',
    '| median |  | 1.00× | 2.00× |  | 10.00× | 2.50× |',
    '| lowest |  | 1.00× | 2.00× |  | 10.00× | 2.50× |',
  ]);
  expect(markdown(shippedFileTable(shipped)).split('\n')).toEqual([
    '| scene | Koda, SSIM | kB | naive, SSIM | kB | Remotion, SSIM | kB |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    '| dom-cards | – | 2500 | – | 2500 | 0.9877 | 2500 |',
  ]);
  expect(document(result, null)).not.toContain('## As shipped');
  Object.assign(shipped.rows[0] ?? {}, { name: 'title', nature: 'a film of a format' });
  expect(document(result, shipped)).toContain('## As shipped');
  expect(document(result, shipped)).toContain('- `dom-cards`: cards\n- `title`: a film of a format');
});

test('draws bars in proportion to speed, with the fastest across the whole chart', () => {
  const widths = [...chartPage(result).matchAll(/<i style="width:([\d.]+)px/g)].map(([, width]) => Number(width));
  expect(widths).toEqual([760, 304, 76]);
});
