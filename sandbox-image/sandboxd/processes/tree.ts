import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf } from '../http.ts';

/** Between asking (TERM) and forcing (KILL). */
const graceMs = 5_000;
const pollMs = 40;
/** After KILL only a process stuck in the kernel is left; nothing more can be done about it. */
const afterKillMs = 3_000;

/**
 * Every process that belongs together: the members of a process group, those of the terminal session of the same
 * number (a shell gives each of its jobs a group of its own), and every process that inherited the mark (`NAME=value` in the
 * environment it was started with), also after it left both by `setsid`.
 */
export interface ProcessTree {
  /** Process id of the leader; null when there is only the mark. */
  readonly groupId: number | null;
  readonly mark: string;
}

/** What one look at /proc saw of a tree. */
interface Look {
  readonly alive: number[];
  /** Whether something is unknown: only a look that is sure proves that nothing is alive. */
  readonly sure: boolean;
}

/**
 * How long a sure look is tried for. On a machine that has much to do, a process may stand in the middle of `execve` for
 * many a tenth of a second; what the rest of the machine starts and ends makes only single looks unsure.
 */
const maxDoubtMs = 2_000;
/** Between two looks, at most. */
const maxLookDelayMs = 20;
/** Places in /proc/PID/stat, counted from the state (proc_pid_stat(5) counts from the pid, which is two more, from 1). */
const flags = 6;
const startTime = 19;
const environmentStart = 47;
/** `PF_KTHREAD` of Linux (include/linux/sched.h): a thread of the kernel has no environment. */
const kernelThread = 0x0020_0000;

/** Living processes of a tree. Zombies are not alive. */
export async function processesOf(tree: ProcessTree): Promise<number[]> {
  const ended = new Set<string>();
  const startedAtMs = performance.now();
  for (let looks = 1; ; looks++) {
    const { alive, sure } = look(tree, ended);
    if (alive.length > 0 || sure || performance.now() - startedAtMs > maxDoubtMs) return alive;
    await delay(Math.min(looks, maxLookDelayMs));
  }
}

/**
 * Reads /proc once. A look that found none can still have missed a process in two ways: its parent was listed,
 * forked it and ended before it was read (so that neither was seen), or it was in the middle of `execve`, where
 * it has no environment for a moment. Both leave a trace (one that is gone, a zombie that `ended` did not hold
 * before, an empty environment), after which the look is not sure.
 */
function look(tree: ProcessTree, ended: Set<string>): Look {
  const alive: number[] = [];
  let sure = true;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const fields = statFields(name);
    if (fields === null) {
      sure = false;
      continue;
    }
    const [state, , groupId, sessionId] = fields;
    if (state === 'Z' || state === 'X') {
      const identity = `${name} ${fields[startTime]}`;
      sure = sure && ended.has(identity);
      ended.add(identity);
      continue;
    }
    if (Number(groupId) === tree.groupId || Number(sessionId) === tree.groupId) {
      alive.push(pid);
      continue;
    }
    if ((Number(fields[flags]) & kernelThread) !== 0) continue;
    const environment = readProc(`/proc/${name}/environ`);
    if (environment?.split('\0').includes(tree.mark)) alive.push(pid);
    else if (environment === null) sure = sure && existsSync(`/proc/${name}`);
    else if (environment === '') sure = sure && isWithoutEnvironment(name);
  }
  return { alive, sure };
}

/** Whether a process that shows no environment was started so: in the middle of `execve` it has no place for one either. */
function isWithoutEnvironment(name: string): boolean {
  return Number(statFields(name)?.[environmentStart] ?? 0) !== 0;
}

/** State, parent, group and so on; null as for `readProc`. */
function statFields(name: string): string[] | null {
  const stat = readProc(`/proc/${name}/stat`);
  // `pid (name) state ppid pgrp …` (proc_pid_stat(5)); the name may hold anything, so count from the last bracket.
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Null for a process that ended in between, or that belongs to another user. */
function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return null;
    throw error;
  }
}

/** Asks all processes of a tree to end (TERM), and forces those that have not after 5 s (KILL). Resolves when they are gone. */
export async function killTree(tree: ProcessTree): Promise<void> {
  if ((await signalAll(tree, 'SIGTERM')) === 0) return;
  for (let waitedMs = 0; waitedMs < graceMs; waitedMs += pollMs) {
    await delay(pollMs);
    if ((await processesOf(tree)).length === 0) return;
  }
  for (let waitedMs = 0; waitedMs < afterKillMs; waitedMs += pollMs) {
    // Again and again: a process that forks all the time is caught between two forks.
    if ((await signalAll(tree, 'SIGKILL')) === 0) return;
    await delay(pollMs);
  }
}

async function signalAll(tree: ProcessTree, signal: NodeJS.Signals): Promise<number> {
  const alive = await processesOf(tree);
  for (const pid of alive) {
    try {
      process.kill(pid, signal);
      // A stopped process would receive it only when it is continued.
      if (signal === 'SIGTERM') process.kill(pid, 'SIGCONT');
    } catch (error) {
      // It ended by itself.
      if (errnoOf(error) !== 'ESRCH') throw error;
    }
  }
  return alive.length;
}
