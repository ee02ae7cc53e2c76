import { writeFile } from 'node:fs/promises';
import type { BrokenStore, ChaosReport } from './chaos.ts';
import { problemKinds } from './checks/problem.ts';

const shownProblems = 20;

/** Returns whether a broken store was detected. */
export function isCaught({ problems }: Pick<ChaosReport, 'problems'>): boolean {
  return problems.some(({ kind }) => kind === 'lost' || kind === 'corrupt' || kind === 'half');
}

const normalResults = { passed: 'Nothing was lost.', failed: 'FAILED.' };
const brokenResults = { passed: 'The broken store was detected.', failed: 'The broken store was NOT detected.' };

/** Prints the report. Returns `true` if the result is as expected: no problems, or a broken store that was detected. */
export async function printReport(
  report: ChaosReport,
  { seed, broken, json }: { seed: number; broken: BrokenStore | null; json: string | null },
): Promise<boolean> {
  const { kills, failpoints, acknowledged, problems, seconds } = report;
  if (json !== null) await writeFile(json, `${JSON.stringify({ seed, broken, ...report }, null, 2)}\n`);
  for (const { kind, what } of problems.slice(0, shownProblems)) process.stdout.write(`${kind}: ${what}\n`);
  if (problems.length > shownProblems) process.stdout.write(`… and ${problems.length - shownProblems} more\n`);
  const rows = [
    ['kills', kills],
    ['  of them at failpoints', failpoints.length],
    ...Object.entries(acknowledged).map(([effect, count]) => [`acknowledged: ${effect}`, count] as const),
    ...problemKinds.map((kind) => [`found: ${kind}`, problems.filter((problem) => problem.kind === kind).length] as const),
    ['seconds', Math.round(seconds)],
  ] as const;
  for (const [name, count] of rows) process.stdout.write(`${name.padEnd(32)}${String(count).padStart(8)}\n`);
  const passed = broken === null ? problems.length === 0 : isCaught(report);
  const results = broken === null ? normalResults : brokenResults;
  process.stdout.write(`${passed ? results.passed : results.failed}\n`);
  return passed;
}
