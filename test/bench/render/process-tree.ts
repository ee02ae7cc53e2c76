import { readdirSync, readFileSync } from 'node:fs';

/** Reading /proc: which processes belong to a render, what they have computed, and what memory is theirs. */

const clockTicksPerSecond = 100;

export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** In clock ticks since boot: with the pid, the identity of a process. */
  readonly startedTicks: number;
  /** User and system time of its own, in seconds. */
  readonly cpuSeconds: number;
}

/** One line of /proc/<pid>/stat. Null for what is none. */
export function parseStat(line: string): ProcessStat | null {
  // `pid (name) state ppid …`; the name may hold anything, so count from the last bracket.
  const end = line.lastIndexOf(')');
  if (end < 0) return null;
  const fields = line.slice(end + 2).split(' ');
  const [parent, userTicks, systemTicks, startedTicks] = [1, 11, 12, 19].map((index) => Number(fields[index]));
  const pid = Number.parseInt(line, 10);
  if (parent === undefined || userTicks === undefined || systemTicks === undefined || startedTicks === undefined) return null;
  if (![pid, parent, userTicks, systemTicks, startedTicks].every(Number.isFinite)) return null;
  return { pid, parent, startedTicks, cpuSeconds: (userTicks + systemTicks) / clockTicksPerSecond };
}

/** `root` and all below it. */
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

/** Null when there is no such process (any more). */
export function readStat(pid: number): ProcessStat | null {
  const line = readOrNull(`/proc/${pid}/stat`);
  return line === null ? null : parseStat(line);
}

/** What a process does in a render. */
export const processKinds = ['page', 'graphics', 'browser', 'ffmpeg', 'node', 'other'] as const;
export type ProcessKind = (typeof processKinds)[number];

/**
 * By its command line as /proc has it: words separated by NUL, or by spaces once Chromium has renamed a
 * process. Chromium names the part that each of them plays, and may start them as /proc/self/exe.
 */
export function processKind(commandLine: string): ProcessKind {
  const type = /[\0 ]--type=([\w-]+)/.exec(commandLine)?.[1];
  if (type !== undefined) return type === 'renderer' ? 'page' : type === 'gpu-process' ? 'graphics' : 'browser';
  const [program = ''] = commandLine.split(/[\0 ]/);
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (/^ff(mpeg|probe)$/.test(name)) return 'ffmpeg';
  if (name.startsWith('node')) return 'node';
  return /chrom/.test(name) ? 'browser' : 'other';
}

export function readKind(pid: number): ProcessKind {
  return processKind(readOrNull(`/proc/${pid}/cmdline`) ?? '');
}

/** Proportional set size: shared pages count for each process by its share, so that a sum over a tree is right. 0 when it ended. */
export function readPssBytes(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readOrNull(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** Null for what does not exist, or not any more. */
export function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
