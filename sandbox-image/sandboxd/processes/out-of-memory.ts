import { readFileSync, writeFileSync } from 'node:fs';
import { errnoOf } from '../http.ts';

/** Score adjustments of proc_pid_oom_score_adj(5): a process with 100 more counts as if it used 10 % more of all memory. */
const maxAdjustment = 1000;
const headStart = 100;
/** Chromium gives its pages 300, whatever it has itself, where the kernel lets it. */
const belowChromium = 200;

/**
 * Makes the kernel kill the pages of Chromium before the daemon and its parent, the container's first process, if memory runs
 * out. If the engine has CAP_SYS_RESOURCE, no process in the container can lower its adjustment, so all keep theirs; otherwise
 * daemon and Chromium can.
 */
export function outlivePages(): void {
  if (ownAdjustment() <= belowChromium) return;
  adjust('self', belowChromium);
  adjust(process.ppid, belowChromium);
}

/**
 * Starts a program that the kernel kills, with all its descendants, before the daemon if memory runs out. Otherwise the daemon
 * can be the next victim while the first one still releases its memory. `start` must be synchronous: the program inherits what
 * the daemon has for that moment, so that not even its first child can escape.
 */
export function killedBeforeDaemon<T>(start: () => T): T {
  const own = ownAdjustment();
  adjust('self', Math.min(maxAdjustment, own + headStart));
  try {
    return start();
  } finally {
    adjust('self', own);
  }
}

function ownAdjustment(): number {
  try {
    return Number(readFileSync('/proc/self/oom_score_adj', 'utf8'));
  } catch (error) {
    return ignoreMissing(error) ?? 0;
  }
}

function adjust(pid: number | 'self', adjustment: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(adjustment));
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') ignoreMissing(error);
  }
}

/** Returns `null` if the system has no such setting. Otherwise throws the error. */
function ignoreMissing(error: unknown): null {
  if (errnoOf(error) === 'ENOENT') return null;
  throw error;
}
