import { ControlGroup } from './control-group.ts';
import {
  descendants,
  type ProcessKind,
  type ProcessStat,
  readKind,
  readProcesses,
  readPssBytes,
  readStat,
} from './process-tree.ts';

const sampleIntervalMs = 200;
/** Reading shared pages takes the kernel about 10 ms per process, so doing it five times a second would be noticeable. */
const samplesPerMemoryReading = 5;

/**
 * Source of CPU time: the kernel's own sum, or samples of /proc, which miss up to the last fifth of a second of a process.
 */
export type CpuSource = 'cgroup' | 'proc';

export interface Reading {
  readonly cpuSeconds: number;
  /** Maximum sum of the proportional set sizes of all processes, sampled once a second. */
  readonly peakMemoryBytes: number;
  readonly cpuSource: CpuSource;
  /** CPU time by sampled kind, without up to the last fifth of a second of each process. */
  readonly cpuSecondsByKind: Readonly<Partial<Record<ProcessKind, number>>>;
}

interface Seen {
  readonly kind: ProcessKind;
  readonly cpuSeconds: number;
}

/** Measures a process and everything that it starts, from `begin` to `end`. */
export class TreeMeter implements AsyncDisposable {
  readonly #pid: number;
  readonly #group: ControlGroup | null;
  /** Last sample of each process, by pid and start. */
  readonly #seen = new Map<string, Seen>();
  #timer: NodeJS.Timeout | null = null;
  #before = 0;
  #beforeByKind: Reading['cpuSecondsByKind'] = {};
  #peakMemoryBytes = 0;
  #samples = 0;

  constructor(pid: number) {
    this.#pid = pid;
    const group = ControlGroup.create(`koda-bench-${pid}`);
    this.#group = group?.add(pid) ? group : null;
  }

  begin(): void {
    this.#samples = 0;
    this.#sample();
    this.#before = this.#cpuSeconds();
    this.#beforeByKind = this.#byKind();
    this.#peakMemoryBytes = 0;
    this.#timer = setInterval(() => this.#sample(), sampleIntervalMs);
  }

  end(): Reading {
    this.#sample();
    if (this.#timer) clearInterval(this.#timer);
    return {
      cpuSeconds: this.#cpuSeconds() - this.#before,
      peakMemoryBytes: this.#peakMemoryBytes,
      cpuSource: this.#group ? 'cgroup' : 'proc',
      cpuSecondsByKind: difference(this.#byKind(), this.#beforeByKind),
    };
  }

  kill(): void {
    for (const { pid } of this.#members()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has already ended.
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#group?.remove();
  }

  #cpuSeconds(): number {
    if (this.#group) return this.#group.cpuSeconds();
    return [...this.#seen.values()].reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  }

  #byKind(): Partial<Record<ProcessKind, number>> {
    const sums: Partial<Record<ProcessKind, number>> = {};
    for (const { kind, cpuSeconds } of this.#seen.values()) sums[kind] = (sums[kind] ?? 0) + cpuSeconds;
    return sums;
  }

  #sample(): void {
    const members = this.#members();
    for (const stat of members) this.#see(stat);
    if (this.#samples++ % samplesPerMemoryReading !== 0) return;
    const memory = members.reduce((sum, { pid }) => sum + readPssBytes(pid), 0);
    this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes, memory);
  }

  #see(stat: ProcessStat): void {
    const kind = readKind(stat.pid);
    // A process that has just ended no longer has a command line, but keeps its kind.
    const known = kind === 'other' ? this.#seen.get(identity(stat))?.kind : undefined;
    this.#seen.set(identity(stat), { kind: known ?? kind, cpuSeconds: stat.cpuSeconds });
  }

  #members(): ProcessStat[] {
    if (this.#group) {
      return this.#group
        .members()
        .map(readStat)
        .filter((stat) => stat !== null);
    }
    const all = readProcesses();
    const tree = new Set(descendants(all, this.#pid));
    // A process whose parent has ended has another parent now, but was started by this tree.
    for (const stat of all) if (this.#seen.has(identity(stat))) tree.add(stat);
    return [...tree];
  }
}

function identity({ pid, startedTicks }: ProcessStat): string {
  return `${pid}-${startedTicks}`;
}

function difference(after: Reading['cpuSecondsByKind'], before: Reading['cpuSecondsByKind']): Reading['cpuSecondsByKind'] {
  const kinds = Object.keys(after) as ProcessKind[];
  return Object.fromEntries(kinds.map((kind) => [kind, (after[kind] ?? 0) - (before[kind] ?? 0)]));
}
