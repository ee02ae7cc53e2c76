// print-totals.ts NAME=EXIT_CODE=REPORT…: prints the failures, the longest test files, one line per test runner, and the totals.
// Exits with 1 if a test failed or none passed.
import { readFileSync } from 'node:fs';
import { describeSlowest, type FileDuration, readDurations } from './slowest-files.ts';
import { describeTotals, readFailures, readTotals, sum, type Totals, withExitCode } from './test-totals.ts';

interface Part {
  readonly name: string;
  readonly totals: Totals;
  readonly durations: readonly FileDuration[];
}

function readPart(argument: string): Part {
  const [name = '', exitCode = '', reportPath = ''] = argument.split('=');
  try {
    const report: unknown = JSON.parse(readFileSync(reportPath, 'utf8'));
    for (const { test, message } of readFailures(report)) {
      console.log(`\nFAILED ${name}: ${test}\n${message.replaceAll(/^/gm, '    ')}`);
    }
    return { name, totals: withExitCode(readTotals(report), Number(exitCode)), durations: readDurations(report) };
  } catch (error) {
    // A runner that crashed before its report counts as one failure.
    console.error(`${name}: failed to read its report (${error instanceof Error ? error.message : String(error)}).`);
    return { name, totals: { passed: 0, failed: 1, skipped: 0 }, durations: [] };
  }
}

const parts = process.argv.slice(2).map(readPart);
const durations = parts.flatMap((part) => part.durations);
console.log(['\nThe longest files:', ...describeSlowest(durations, 10), ''].join('\n'));
for (const { name, totals } of parts) console.log(`${name}: ${describeTotals(totals)}`);
const total = sum(parts.map(({ totals }) => totals));
console.log(describeTotals(total));
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
