import { readFileSync, writeFileSync } from 'node:fs';
import { errnoOf } from '../http.ts';

/** `oom_score_adj` values, see proc_pid_oom_score_adj(5): an extra 100 counts like an extra 10 % of the memory. */
const maxAdjustment = 1000;
const headStart = 100;
/** Chromium sets its renderers to 300 if the kernel allows it. */
const belowChromium = 200;

/**
 * Ranks the daemon and its parent, the container's init process, below Chromium's renderers, so that the kernel kills a page
 * first if memory runs out. Fails silently if the engine has CAP_SYS_RESOURCE: then renderers cannot lower their score either.
 */
export function outlivePages(): void {
  if (ownAdjustment() <= belowChromium) return;
  adjust('self', belowChromium);
  adjust(process.ppid, belowChromium);
}

/**
 * Starts a program that the kernel kills before the daemon if memory runs out. `start` must be synchronous: the daemon raises its
 * own score for the duration of the call, because children inherit it at the fork.
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
