// print-totals.ts NAME=EXIT_CODE=REPORT…: prints the failures, one line per test runner, and the totals. Exits with 1 if a test
// failed or none passed.
import { readFileSync } from 'node:fs';
import { describeTotals, readFailures, readTotals, sum, type Totals, withExitCode } from './test-totals.ts';

function totalsOf(name: string, exitCode: number, reportPath: string): Totals {
  try {
    const report: unknown = JSON.parse(readFileSync(reportPath, 'utf8'));
    for (const { test, message } of readFailures(report)) {
      console.log(`\nFAILED ${name}: ${test}\n${message.replaceAll(/^/gm, '    ')}`);
    }
    return withExitCode(readTotals(report), exitCode);
  } catch (error) {
    // A runner that crashed before its report counts as one failure.
    console.error(`${name}: failed to read its report (${error instanceof Error ? error.message : String(error)}).`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const all = process.argv.slice(2).map((argument) => {
  const [name = '', exitCode = '', reportPath = ''] = argument.split('=');
  const totals = totalsOf(name, Number(exitCode), reportPath);
  console.log(`${name}: ${describeTotals(totals)}`);
  return totals;
});
const total = sum(all);
console.log(describeTotals(total));
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
