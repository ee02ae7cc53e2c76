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
    .map((name) => readOrNull(`/proc/${name}/stat`))
    .map((line) => (line === null ? null : parseStat(line)))
    .filter((stat) => stat !== null);
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
