import { ControlGroup } from './control-group.ts';
import { descendants, type ProcessStat, readProcesses, readPssBytes } from './process-tree.ts';

const sampleIntervalMs = 200;
/** Adding up shared pages takes the kernel some 10 ms a process: five times a second it would be felt. */
const samplesPerMemoryReading = 5;

/** How the CPU time was found: the kernel's own sum, or a sum over samples of /proc, which misses a process's last fifth of a second. */
export type CpuSource = 'cgroup' | 'proc';

export interface Reading {
  readonly cpuSeconds: number;
  /** Highest sum of the proportional set sizes of all processes, sampled once a second. */
  readonly peakMemoryBytes: number;
  readonly cpuSource: CpuSource;
}

/** Measures a process with everything it starts, from `begin` to `end`. */
export class TreeMeter implements AsyncDisposable {
  readonly #pid: number;
  readonly #group: ControlGroup | null;
  /** The last seen CPU time of each process, by pid and start. */
  readonly #seen = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #before = 0;
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
    };
  }

  /** Ends every process of it at once. */
  kill(): void {
    for (const pid of this.#members()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself.
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#group?.remove();
  }

  #cpuSeconds(): number {
    if (this.#group) return this.#group.cpuSeconds();
    return [...this.#seen.values()].reduce((sum, seconds) => sum + seconds, 0);
  }

  #sample(): void {
    const members = this.#members();
    if (this.#samples++ % samplesPerMemoryReading !== 0) return;
    const memory = members.reduce((sum, pid) => sum + readPssBytes(pid), 0);
    this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes, memory);
  }

  #members(): number[] {
    if (this.#group) return this.#group.members();
    const all = readProcesses();
    const tree = new Set(descendants(all, this.#pid));
    // One whose parent ended belongs to somebody else now, but was started by this tree.
    for (const stat of all) if (this.#seen.has(identity(stat))) tree.add(stat);
    for (const stat of tree) this.#seen.set(identity(stat), stat.cpuSeconds);
    return [...tree].map(({ pid }) => pid);
  }
}

function identity({ pid, startedTicks }: ProcessStat): string {
  return `${pid}-${startedTicks}`;
}
