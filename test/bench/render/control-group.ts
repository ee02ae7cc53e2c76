import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readOrNull } from './process-tree.ts';

/** The control group (cgroup v2) of one render. The kernel adds up the CPU time of all its processes, even short-lived ones. */
export class ControlGroup {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates a group. Returns `null` if the kernel or the owner of the parent group does not allow it. */
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

  /** Adds a process and everything that it starts later. Returns `false` if that is not allowed. */
  add(pid: number): boolean {
    try {
      writeFileSync(join(this.#folder, 'cgroup.procs'), String(pid));
      return true;
    } catch {
      return false;
    }
  }

  /** Returns the CPU time of all processes that are or were in the group. */
  cpuSeconds(): number {
    return this.#readUsage() ?? 0;
  }

  members(): number[] {
    return (readOrNull(join(this.#folder, 'cgroup.procs')) ?? '').split('\n').filter(Boolean).map(Number);
  }

  /** Removes the group once its last process has ended. */
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
