import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readOrNull } from './process-tree.ts';

/** A control group (cgroup v2) of one render: the kernel itself adds up what all its processes compute, also short-lived ones. */
export class ControlGroup {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Null where the kernel or its owner does not let us make one. */
  static create(name: string): ControlGroup | null {
    const mount = /^\S+ (\S+) cgroup2 /m.exec(readOrNull('/proc/self/mounts') ?? '')?.[1];
    const own = /^0::(.*)$/m.exec(readOrNull('/proc/self/cgroup') ?? '')?.[1];
    if (mount === undefined || own === undefined) return null;
    const folder = join(mount, own, name);
    try {
      mkdirSync(folder);
    } catch {
      return null;
    }
    const group = new ControlGroup(folder);
    if (group.#readUsage() !== null) return group;
    rmdirSync(folder);
    return null;
  }

  /** Puts a process in it, and so everything that it starts later. False when that is not allowed. */
  add(pid: number): boolean {
    try {
      writeFileSync(join(this.#folder, 'cgroup.procs'), String(pid));
      return true;
    } catch {
      return false;
    }
  }

  /** CPU time of all processes that are or were in it. */
  cpuSeconds(): number {
    return this.#readUsage() ?? 0;
  }

  members(): number[] {
    return (readOrNull(join(this.#folder, 'cgroup.procs')) ?? '').split('\n').filter(Boolean).map(Number);
  }

  /** Takes it away once its last process is gone. */
  async remove(): Promise<void> {
    for (let attempt = 0; attempt < 50; attempt++) {
      try {
        rmdirSync(this.#folder);
        return;
      } catch {
        await delay(20);
      }
    }
  }

  #readUsage(): number | null {
    const microseconds = /^usage_usec (\d+)$/m.exec(readOrNull(join(this.#folder, 'cpu.stat')) ?? '')?.[1];
    return microseconds === undefined ? null : Number(microseconds) / 1e6;
  }
}
