import { expect, test } from 'vitest';
import type { ProcessStat } from './process-tree.ts';
import { busySecondsOf, describeOtherWork, otherWork } from './quiet.ts';

const stat = (pid: number, cpuSeconds: number, parent = 1): ProcessStat => ({
  ...{ pid, parent, startedTicks: pid, endedChildrenSeconds: 0 },
  cpuSeconds,
});

const observed = { ownPid: 10, seconds: 2, cores: 2 };

test('counts CPU time without idle time and waiting for disks', () => {
  expect(busySecondsOf('cpu  100 20 30 9000 800 5 6 7 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n')).toBe(1.68);
  expect(() => busySecondsOf('')).toThrow('/proc/stat');
});

test('other work is that of all processes but the benchmark and its children', () => {
  const before = { busySeconds: 100, processes: [stat(10, 5), stat(11, 1, 10), stat(20, 3), stat(30, 4)] };
  const after = { busySeconds: 103, processes: [stat(10, 5.5), stat(11, 1.5, 10), stat(20, 3.4), stat(30, 5), stat(40, 0.6)] };
  const { share, most } = otherWork(before, after, observed);
  expect(share).toBeCloseTo(0.5);
  expect(most.map(({ pid, cores }) => [pid, Number(cores.toFixed(2))])).toEqual([
    [30, 0.5],
    [40, 0.3],
    [20, 0.2],
  ]);
});

test('work of processes that have ended counts as other work', () => {
  const { share, most } = otherWork({ busySeconds: 0, processes: [] }, { busySeconds: 1, processes: [] }, observed);
  expect(share).toBe(0.25);
  expect(most).toEqual([]);
});

test('the refusal has the limit, the busiest processes and the way around it', () => {
  const text = describeOtherWork({ share: 0.4, most: [{ pid: 30, cores: 0.75 }] }, (pid) => `program ${pid}`);
  expect(text).toContain('use 40 % of its CPU time, and at most 5 % is allowed');
  expect(text).toContain('75 % of a core  30  program 30');
  expect(text).toContain('--busy');
});
