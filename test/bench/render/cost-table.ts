import type { ContenderName } from './contenders/contender.ts';
import type { Result, Row } from './result.ts';
import { median } from './statistics.ts';
import { number, peers, type Table, times, titles } from './table.ts';

/** Returns each peer's CPU time per frame relative to Koda's, then Koda's speed relative to each peer's. */
export function costTable({ rows, medianRatios, lowestRatios }: Result): Table {
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
    head: ['scene', `${titles.ours}, CPU s/frame`, ...factors, `${titles.ours}, frames/s`, ...factors],
    rows: [
      ...rows.map((row) => [
        row.name,
        number(row.details.ours?.cpuSecondsPerFrame, 3),
        ...used.map((name) => times(costRatio(row, name))),
        number(row.ours, 1),
        ...used.map((name) => times(row.ratios[name])),
      ]),
      summary('median', median, medianRatios),
      summary('lowest', (ratios) => Math.min(...ratios), lowestRatios),
    ],
  };
}

export function costRatio({ details }: Row, name: ContenderName): number | undefined {
  const [peer, own] = [details[name]?.cpuSecondsPerFrame, details.ours?.cpuSecondsPerFrame];
  return peer === undefined || !own ? undefined : peer / own;
}
