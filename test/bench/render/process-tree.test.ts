import { expect, test } from 'vitest';
import { descendants, parseStat, processKind } from './process-tree.ts';

/** Fields 4 to 22 of a line in /proc/<pid>/stat. */
const fields = (parent: number, user: number, system: number, started: number) =>
  `S ${parent} 7 7 0 -1 4194304 100 0 0 0 ${user} ${system} 30 20 20 0 1 0 ${started} 1000 10`;

test('parses a line of /proc whatever its process name', () => {
  expect(parseStat(`42 (a) b (c) ${fields(7, 150, 50, 9000)}`)).toEqual({
    pid: 42,
    parent: 7,
    startedTicks: 9000,
    cpuSeconds: 2,
    endedChildrenSeconds: 0.5,
  });
});

test('returns null for any other line', () => {
  expect(parseStat('')).toBeNull();
  expect(parseStat('42 (name) S')).toBeNull();
});

test('returns the root and all its descendants, and no other process', () => {
  const process = (pid: number, parent: number) => ({ pid, parent, startedTicks: pid, cpuSeconds: 0, endedChildrenSeconds: 0 });
  const all = [process(1, 0), process(10, 1), process(11, 10), process(12, 11), process(20, 1)];
  expect(descendants(all, 10).map(({ pid }) => pid)).toEqual([10, 11, 12]);
});

test.each([
  ['/usr/lib/chromium/chromium-headless-shell\0--type=renderer\0--lang=en', 'page'],
  ['/proc/self/exe --type=gpu-process --no-sandbox', 'graphics'],
  ['/usr/lib/chromium/chromium --type=utility', 'browser'],
  ['/usr/bin/chromium-headless-shell\0--headless', 'browser'],
  ['/opt/ffmpeg\0-i\0chromium.mp4', 'ffmpeg'],
  ['node\0worker.ts', 'node'],
  ['', 'other'],
])('%j is %s', (commandLine, kind) => {
  expect(processKind(commandLine)).toBe(kind);
});
