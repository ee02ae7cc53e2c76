import Docker from 'dockerode';
import { z } from 'zod';
import { descendants, type ProcessStat, readOrNull, readProcesses, readStat } from '../render/process-tree.ts';

export interface Cost {
  readonly serverCpuSeconds: number;
  readonly sandboxCpuSeconds: number;
}

const sampleIntervalMs = 500;

/** The fields of Docker's statistics that are used. */
const statsSchema = z.object({ cpu_stats: z.object({ cpu_usage: z.object({ total_usage: z.number() }) }) });

/** Measures the CPU time of a studio's server and of its sandboxes, which are containers or processes below the server. */
export class AcceptMeter {
  readonly #serverPid: number;
  readonly #containers: ContainerTimes | null;
  #before: Cost | null = null;
  #timer: NodeJS.Timeout | null = null;

  private constructor(serverPid: number, containers: ContainerTimes | null) {
    this.#serverPid = serverPid;
    this.#containers = containers;
  }

  /** Finds the server among this process's children. Throws an Error if there is none. */
  static of({ sandbox, instance }: { readonly sandbox: 'docker' | 'process'; readonly instance: string }): AcceptMeter {
    const server = readProcesses().find(
      ({ pid, parent }) => parent === process.pid && (readOrNull(`/proc/${pid}/cmdline`) ?? '').includes('server/main.ts'),
    );
    if (!server) throw new Error('The studio’s server is not a child of this process any more.');
    return new AcceptMeter(server.pid, sandbox === 'docker' ? new ContainerTimes(instance) : null);
  }

  async begin(): Promise<void> {
    this.#before = await this.#read();
    // Docker reports nothing for a container that has ended, so its last sample counts.
    this.#timer = setInterval(() => void this.#containers?.sample(), sampleIntervalMs);
  }

  async end(): Promise<Cost> {
    if (this.#timer) clearInterval(this.#timer);
    const [before, after] = [this.#before, await this.#read()];
    if (before === null) throw new Error('The measurement was not begun.');
    return {
      serverCpuSeconds: after.serverCpuSeconds - before.serverCpuSeconds,
      sandboxCpuSeconds: after.sandboxCpuSeconds - before.sandboxCpuSeconds,
    };
  }

  async #read(): Promise<Cost> {
    await this.#containers?.sample();
    const all = readProcesses();
    const server = readStat(this.#serverPid);
    if (server === null) throw new Error('The studio’s server has ended.');
    const below = treeSeconds(all, this.#serverPid) - server.cpuSeconds;
    // With containers, child processes such as Git count as the server's work.
    return this.#containers === null
      ? { serverCpuSeconds: server.cpuSeconds, sandboxCpuSeconds: below }
      : { serverCpuSeconds: server.cpuSeconds + below, sandboxCpuSeconds: this.#containers.seconds() };
  }
}

/** Returns the CPU time of a process and everything that it started, including children that have ended. */
export function treeSeconds(all: readonly ProcessStat[], pid: number): number {
  return descendants(all, pid).reduce((sum, stat) => sum + stat.cpuSeconds + stat.endedChildrenSeconds, 0);
}

class ContainerTimes {
  readonly #docker = new Docker();
  readonly #instance: string;
  readonly #seconds = new Map<string, number>();

  constructor(instance: string) {
    this.#instance = instance;
  }

  async sample(): Promise<void> {
    const filters = { label: [`koda.instance=${this.#instance}`] };
    for (const { Id: id } of await this.#docker.listContainers({ filters })) {
      const stats = await this.#docker
        .getContainer(id)
        .stats({ stream: false, 'one-shot': true })
        // The container may have ended since it was listed.
        .catch(() => null);
      const parsed = statsSchema.safeParse(stats);
      // Docker reports 0 for a container that has ended.
      const used = parsed.success ? parsed.data.cpu_stats.cpu_usage.total_usage / 1e9 : 0;
      this.#seconds.set(id, Math.max(used, this.#seconds.get(id) ?? 0));
    }
  }

  seconds(): number {
    return [...this.#seconds.values()].reduce((sum, seconds) => sum + seconds, 0);
  }
}
