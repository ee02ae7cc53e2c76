import { readdirSync, readFileSync } from 'node:fs';

/** Reads /proc: a render's processes, their CPU time and memory. */

const clockTicksPerSecond = 100;

export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** Start time in clock ticks since boot. Together with its pid, it identifies a process. */
  readonly startedTicks: number;
  /** User and system time of the process itself, in seconds. */
  readonly cpuSeconds: number;
  /** User and system time of its children that have ended, in seconds. */
  readonly endedChildrenSeconds: number;
}

export function parseStat(line: string): ProcessStat | null {
  // `pid (name) state ppid …`. The name may contain anything, so fields are counted from the last bracket.
  const end = line.lastIndexOf(')');
  if (end < 0) return null;
  const fields = line.slice(end + 2).split(' ');
  const seconds = (...indexes: number[]) => indexes.reduce((sum, index) => sum + Number(fields[index]), 0) / clockTicksPerSecond;
  const stat = {
    pid: Number.parseInt(line, 10),
    parent: Number(fields[1]),
    startedTicks: Number(fields[19]),
    cpuSeconds: seconds(11, 12),
    endedChildrenSeconds: seconds(13, 14),
  };
  return Object.values(stat).every(Number.isFinite) ? stat : null;
}

export function descendants(all: readonly ProcessStat[], root: number): ProcessStat[] {
  const children = Map.groupBy(all, (stat) => stat.parent);
  const found: ProcessStat[] = all.filter((stat) => stat.pid === root);
  for (const stat of found) found.push(...(children.get(stat.pid) ?? []));
  return found;
}

export function readProcesses(): ProcessStat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat !== null);
}

export function readStat(pid: number): ProcessStat | null {
  const line = readOrNull(`/proc/${pid}/stat`);
  return line === null ? null : parseStat(line);
}

export const processKinds = ['page', 'graphics', 'browser', 'ffmpeg', 'node', 'other'] as const;
export type ProcessKind = (typeof processKinds)[number];

/**
 * Returns the kind by the command line in /proc: words separated by NUL, or by spaces once Chromium has renamed a process.
 * Chromium names the role of each process and may start it as /proc/self/exe.
 */
export function processKind(commandLine: string): ProcessKind {
  const type = /[\0 ]--type=([\w-]+)/.exec(commandLine)?.[1];
  if (type === 'renderer') return 'page';
  if (type === 'gpu-process') return 'graphics';
  if (type !== undefined) return 'browser';
  const [program = ''] = commandLine.split(/[\0 ]/);
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (/^ff(mpeg|probe)$/.test(name)) return 'ffmpeg';
  if (name.startsWith('node')) return 'node';
  return /chrom/.test(name) ? 'browser' : 'other';
}

export function readKind(pid: number): ProcessKind {
  return processKind(readOrNull(`/proc/${pid}/cmdline`) ?? '');
}

/**
 * Returns the proportional set size, which counts shared pages proportionally, so that sums over a tree are correct. 0 if the
 * process has ended.
 */
export function readPssBytes(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readOrNull(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

export function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
