import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf } from '../http.ts';

/** Between asking (TERM) and forcing (KILL). */
const graceMs = 5_000;
const pollMs = 40;
/** After KILL only a process stuck in the kernel is left; nothing more can be done about it. */
const afterKillMs = 3_000;

/**
 * Every process that belongs together: the members of a process group, and whoever inherited the mark
 * (`NAME=value` in the environment it was started with), also after it left the group by `setsid`.
 */
export interface ProcessTree {
  /** null when there is only the mark. */
  readonly groupId: number | null;
  readonly mark: string;
}

/** Living processes of a tree, read from /proc. Zombies are not alive. */
export function processesOf(tree: ProcessTree): number[] {
  const found: number[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const stat = readProc(`/proc/${name}/stat`);
    if (stat === null) continue;
    // `pid (name) state ppid pgrp …`; the name may hold anything, so count from the last bracket.
    const [state, , groupId] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') continue;
    if (Number(groupId) === tree.groupId || readProc(`/proc/${name}/environ`)?.split('\0').includes(tree.mark)) found.push(pid);
  }
  return found;
}

/** Null for a process that ended in between, or that belongs to somebody else. */
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
  if (signalAll(tree, 'SIGTERM') === 0) return;
  for (let waitedMs = 0; waitedMs < graceMs; waitedMs += pollMs) {
    await delay(pollMs);
    if (processesOf(tree).length === 0) return;
  }
  for (let waitedMs = 0; waitedMs < afterKillMs; waitedMs += pollMs) {
    // Again and again: a process that forks all the time is caught between two forks.
    if (signalAll(tree, 'SIGKILL') === 0) return;
    await delay(pollMs);
  }
}

function signalAll(tree: ProcessTree, signal: NodeJS.Signals): number {
  const alive = processesOf(tree);
  for (const pid of alive) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // It ended by itself.
      if (errnoOf(error) !== 'ESRCH') throw error;
    }
  }
  return alive.length;
}
