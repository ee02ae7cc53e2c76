import { beforeAll, describe, expect, it } from 'vitest';
import { brokenPromises, isDenied, type ProbeReport, probe, reachedKernel } from '../probe/run.ts';

describe('attempts to get out of a sandbox', () => {
  let report: ProbeReport;
  beforeAll(async () => {
    report = await probe();
  });

  it('H4: a sandbox is denied every system call of the list, which reach the kernel in the weak control', () => {
    expect(report.sandbox.calls.filter((result) => !isDenied(result))).toEqual([]);
    expect(report.sandbox.calls.filter(({ skipped }) => skipped === undefined).length).toBeGreaterThanOrEqual(25);
    expect(reachedKernel(report).length).toBeGreaterThanOrEqual(25);
  });

  it('X3: a sandbox reaches no host, engine, app, neighbour or Internet; the weak control reaches what it tries', () => {
    const { sandbox, control } = report;
    expect(sandbox.attempts.filter(({ reached }) => reached !== undefined)).toEqual([]);
    expect(sandbox.attempts.length).toBeGreaterThanOrEqual(30);
    expect(new Set(sandbox.attempts.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(10);
    expect(control.attempts.filter(({ reached }) => reached !== undefined).length).toBeGreaterThanOrEqual(10);
    expect(brokenPromises(report)).toEqual([]);
  });

  it('H4, X3: the same judgement rejects the weak control', () => {
    const broken = brokenPromises({ sandbox: report.control, control: report.control });
    expect(broken.filter((sentence) => sentence.startsWith('The sandbox reached')).length).toBeGreaterThanOrEqual(25);
    expect(broken.filter((sentence) => sentence.startsWith('The sandbox succeeded')).length).toBeGreaterThanOrEqual(10);
  });
});
