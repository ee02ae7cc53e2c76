import { costTable } from './cost-table.ts';
import type { Result } from './result.ts';
import { busyNote, markdown, none, number, order, rounds, type Table, titles } from './table.ts';

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
  const { film, date, busy } = shipped;
  return `## As shipped

The same scenes, each renderer with its own defaults and its documented way: Remotion with its own FFmpeg, x264's \`medium\`, CRF
18 and JPEG quality 80; HyperFrames with its quality \`standard\`; the naive way with FFmpeg's defaults; Koda's default final.
Measured on ${date.slice(0, 10)} with a film of ${film.durationSeconds} s in ${rounds(film.rounds)} (\`npm run bench -- render --shipped --publish\`).${busyNote(busy)}

The first factors are each peer's CPU time per frame relative to Koda's, which other work on the machine affects least. The
others are Koda's speed relative to each peer's.

${markdown(costTable(shipped))}

SSIM compares the luma of sampled frames with lossless screenshots.

${markdown(shippedFileTable(shipped))}

`;
}
