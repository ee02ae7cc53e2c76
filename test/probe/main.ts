import { brokenPromises, isDenied, outcome, probe } from './run.ts';

const report = await probe();
const line = (...cells: string[]) => console.log(`${(cells[0] ?? '').padEnd(58)}${(cells[1] ?? '').padEnd(40)}${cells[2] ?? ''}`);

line('SYSTEM CALL', 'SANDBOX', 'WEAK CONTROL');
for (const [index, result] of report.sandbox.calls.entries()) {
  const control = report.control.calls[index];
  line(result.name, `${isDenied(result) ? 'denied' : 'REACHED'}, ${outcome(result)}`, control ? outcome(control) : '');
}
line('');
line('ATTEMPT', 'SANDBOX', 'WEAK CONTROL');
for (const { name, reached, failed } of report.sandbox.attempts) {
  const control = report.control.attempts.find((attempt) => attempt.name === name);
  line(
    name,
    reached === undefined ? `failed, ${failed}`.slice(0, 38) : `REACHED, ${reached}`,
    control ? (control.reached ?? `failed, ${control.failed}`) : 'not made',
  );
}
const broken = brokenPromises(report);
for (const sentence of broken) console.log(sentence);
console.log(
  `\n${report.sandbox.calls.filter(isDenied).length} of ${report.sandbox.calls.length} calls denied; ` +
    `${report.sandbox.attempts.filter(({ reached }) => reached !== undefined).length} of ${report.sandbox.attempts.length} attempts succeeded in the sandbox, ` +
    `${report.control.attempts.filter(({ reached }) => reached !== undefined).length} of ${report.control.attempts.length} in the weak control.`,
);
process.exitCode = broken.length === 0 ? 0 : 1;
