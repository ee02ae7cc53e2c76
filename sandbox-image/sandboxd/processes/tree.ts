import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf } from '../http.ts';

/** Grace period between SIGTERM and SIGKILL. */
const graceMs = 5_000;
const pollMs = 40;
/** After SIGKILL, only processes that are stuck in the kernel remain. They cannot be ended. */
const afterKillMs = 3_000;

/**
 * A group of related processes: a process group, the terminal session with the same number (a shell gives each job its own
 * group), and every process that inherited the tag (`NAME=value` in its environment). The tag finds processes that left both
 * through `setsid`.
 */
export interface ProcessTree {
  /** Process id of the leader; `null` to find processes by tag only. */
  readonly groupId: number | null;
  readonly tag: string;
}

interface Scan {
  readonly alive: number[];
  /** Whether the scan was conclusive. Only then does it prove that no process is alive. */
  readonly conclusive: boolean;
}

/** Limits retries of inconclusive scans. On a busy machine, a process can stay in `execve` for tenths of a second. */
const maxInconclusiveMs = 2_000;
const minScans = 20;
const maxScanDelayMs = 20;
/** Field indices in /proc/PID/stat, counted from the state. In proc_pid_stat(5), field 1 is the pid. */
const flags = 6;
const startTime = 19;
const environmentStart = 47;
const environmentEnd = 48;
/** `PF_KTHREAD` of Linux (include/linux/sched.h): kernel threads have no environment. */
const kernelThread = 0x0020_0000;

/** Returns the ids of the living processes of a tree, without zombies. */
export async function processesOf(tree: ProcessTree): Promise<number[]> {
  const ended = new Set<string>();
  const startedAtMs = performance.now();
  for (let scans = 1; ; scans++) {
    const { alive, conclusive } = scan(tree, ended);
    const isLate = scans >= minScans && performance.now() - startedAtMs > maxInconclusiveMs;
    if (alive.length > 0 || conclusive || isLate) return alive;
    await delay(Math.min(scans, maxScanDelayMs));
  }
}

/**
 * Scans /proc once. A scan can miss a process whose parent forked it and exited before being read, or one in `execve`, which
 * briefly has no environment. Both leave a trace: a vanished process, a zombie that is not in `ended`, or an empty
 * environment. The scan is then inconclusive.
 */
function scan(tree: ProcessTree, ended: Set<string>): Scan {
  const alive: number[] = [];
  let conclusive = true;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const state = scanProcess(name, tree, ended);
    if (state === 'alive') alive.push(pid);
    else if (state === 'unknown') conclusive = false;
  }
  return { alive, conclusive };
}

function scanProcess(name: string, tree: ProcessTree, ended: Set<string>): 'alive' | 'unrelated' | 'unknown' {
  const fields = statFields(name);
  if (fields === null) return 'unknown';
  const [state, , groupId, sessionId] = fields;
  if (state === 'Z' || state === 'X') {
    const identity = `${name} ${fields[startTime]}`;
    const wasEnded = ended.has(identity);
    ended.add(identity);
    return wasEnded ? 'unrelated' : 'unknown';
  }
  if (Number(groupId) === tree.groupId || Number(sessionId) === tree.groupId) return 'alive';
  if ((Number(fields[flags]) & kernelThread) !== 0) return 'unrelated';
  const environment = readProc(`/proc/${name}/environ`);
  if (environment === null) return existsSync(`/proc/${name}`) ? 'unrelated' : 'unknown';
  if (environment.split('\0').includes(tree.tag)) return 'alive';
  return environment !== '' || hasNoEnvironment(name) ? 'unrelated' : 'unknown';
}

/**
 * Returns whether a process was started without an environment. If its environment was empty only because of an `execve`, the
 * end address is 0 until the environment is complete, and differs from the start address afterwards.
 */
function hasNoEnvironment(name: string): boolean {
  const fields = statFields(name);
  const [start, end] = [Number(fields?.[environmentStart] ?? 0), Number(fields?.[environmentEnd] ?? 0)];
  return end !== 0 && start === end;
}

function statFields(name: string): string[] | null {
  const stat = readProc(`/proc/${name}/stat`);
  // `pid (name) state ppid pgrp …` (proc_pid_stat(5)). The name may contain anything, so fields are counted from the last
  // bracket.
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Returns `null` if the process has exited or belongs to another user. */
function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return null;
    throw error;
  }
}

/** Ends all processes of a tree: SIGTERM, and SIGKILL after 5 s. Resolves when they have exited. */
export async function killTree(tree: ProcessTree): Promise<void> {
  if ((await signalAll(tree, 'SIGTERM')) === 0) return;
  // Measured by the clock, because a scan of a busy machine's processes takes longer than the pauses.
  for (const killAtMs = performance.now() + graceMs; performance.now() < killAtMs; ) {
    await delay(pollMs);
    if ((await processesOf(tree)).length === 0) return;
  }
  for (let waitedMs = 0; waitedMs < afterKillMs; waitedMs += pollMs) {
    // Repeats the signal, to catch a process that keeps forking.
    if ((await signalAll(tree, 'SIGKILL')) === 0) return;
    await delay(pollMs);
  }
}

async function signalAll(tree: ProcessTree, signal: NodeJS.Signals): Promise<number> {
  const alive = await processesOf(tree);
  for (const pid of alive) {
    try {
      process.kill(pid, signal);
      // A stopped process receives SIGTERM only when it continues.
      if (signal === 'SIGTERM') process.kill(pid, 'SIGCONT');
    } catch (error) {
      if (errnoOf(error) !== 'ESRCH') throw error;
    }
  }
  return alive.length;
}
