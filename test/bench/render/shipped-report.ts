import type { ContenderName } from './contenders/contender.ts';
import type { Result, Row } from './result.ts';
import { median } from './statistics.ts';
import { markdown, none, number, order, peers, rounds, type Table, times, titles } from './table.ts';

/** Returns each peer's CPU time per frame relative to Koda's, then Koda's speed relative to each peer's. */
export function shippedCostTable({ rows, medianRatios, lowestRatios }: Result): Table {
  const used = peers.filter((name) => rows.some((row) => row.details[name]));
  const costs = used.map((name) => rows.map((row) => costRatio(row, name)).filter((ratio) => ratio !== undefined));
  const summary = (name: string, combine: (ratios: readonly number[]) => number, speeds: Result['medianRatios']) => [
    name,
    '',
    ...costs.map((ratios) => times(combine(ratios))),
    '',
    ...used.map((peer) => times(speeds[peer])),
  ];
  const factors = used.map((name) => `× ${titles[name]}`);
  return {
    head: ['scene', `${titles.ours}, CPU ms/frame`, ...factors, `${titles.ours}, frames/s`, ...factors],
    rows: [
      ...rows.map((row) => [
        row.name,
        number((row.details.ours?.cpuSecondsPerFrame ?? Number.NaN) * 1000, 0),
        ...used.map((name) => times(costRatio(row, name))),
        number(row.ours, 1),
        ...used.map((name) => times(row.ratios[name])),
      ]),
      summary('median', median, medianRatios),
      summary('lowest', (ratios) => Math.min(...ratios), lowestRatios),
    ],
  };
}

function costRatio({ details }: Row, name: ContenderName): number | undefined {
  const [peer, own] = [details[name]?.cpuSecondsPerFrame, details.ours?.cpuSecondsPerFrame];
  return peer === undefined || own === undefined ? undefined : peer / own;
}

/** Returns the quality and size of the files. */
export function shippedFileTable({ rows }: Result): Table {
  const used = order.filter((name) => rows.some((row) => row.details[name]));
  const kilobytes = (bytes: number | undefined) => (bytes === undefined ? none : (bytes / 1e3).toFixed(0));
  return {
    head: ['scene', ...used.flatMap((name) => [`${titles[name]}, SSIM`, 'kB'])],
    rows: rows.map((row) => [
      row.name,
      ...used.flatMap((name) => {
        const measured = row.details[name];
        return [number(measured?.ssimToTruth, 4), kilobytes(measured?.sizeBytes)];
      }),
    ]),
  };
}

export function shippedSection(shipped: Result | null): string {
  if (shipped === null) return '';
  const { film, date } = shipped;
  return `## As shipped

The same scenes, each renderer with its own defaults and its documented way: Remotion with its own FFmpeg, x264's \`medium\`, CRF
18 and JPEG quality 80; HyperFrames with its quality \`standard\`; the naive way with FFmpeg's defaults; Koda's default final.
Measured on ${date.slice(0, 10)} with a film of ${film.durationSeconds} s in ${rounds(film.rounds)} (\`npm run bench -- render --shipped --publish\`).

The first factors are each peer's CPU time per frame relative to Koda's, which other work on the machine affects least. The
others are Koda's speed relative to each peer's.

${markdown(shippedCostTable(shipped))}

SSIM compares the luma of sampled frames with lossless screenshots.

${markdown(shippedFileTable(shipped))}

`;
}
