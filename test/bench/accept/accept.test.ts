import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoPrompt } from './measure.ts';
import { treeSeconds } from './meter.ts';

test('makes the film of the demo', () => {
  const script = readFileSync(join(import.meta.dirname, '../../../scripts/demo.sh'), 'utf8');
  expect(demoPrompt(script)).toMatch(/^Sunday at the lake\n[\s\S]*candy theme$/);
  expect(() => demoPrompt('echo')).toThrow('no default prompt');
});

test('counts the CPU time of a process, its children, and those that have ended', () => {
  const stat = (pid: number, parent: number, cpuSeconds: number, endedChildrenSeconds: number) => ({
    ...{ pid, parent, startedTicks: pid },
    ...{ cpuSeconds, endedChildrenSeconds },
  });
  expect(treeSeconds([stat(1, 0, 100, 100), stat(5, 1, 2, 0.5), stat(6, 5, 1, 0.25), stat(7, 1, 50, 0)], 5)).toBe(3.75);
});
