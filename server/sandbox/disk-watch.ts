import { megabytes } from '../lib/megabytes.ts';
import { type DiskSpace, isShort, type ProjectSize, spaceInWords } from './engine-disk.ts';
import type { CallOptions } from './sandbox.ts';

/** The volumes are measured again when the disk has lost this much since, or a quarter of what one sandbox may have. */
const measuredEveryBytes = 1024 ** 3;
/** And in any case after this: while one sandbox writes, another may delete as much. */
const measuredEveryMs = 5 * 60_000;
/** Measuring is a walk over files that a sandbox may have made by the million. */
const measureTimeoutMs = 20_000;
const saveTimeoutMs = 10_000;

export interface DiskWatchOptions {
  /** What a project's sandbox and cache may hold. */
  readonly limitBytes: number;
  /** What has to stay free on the disk. */
  readonly reserveBytes: number;
  /** Null = it cannot be seen from here. */
  readonly disk: (options: CallOptions) => Promise<DiskSpace | null>;
  readonly sizes: (options: CallOptions) => Promise<readonly ProjectSize[]>;
  /** Projects that have a running sandbox. */
  readonly running: (options: CallOptions) => Promise<readonly string[]>;
  /** Removes the caches of projects that have no sandbox. */
  readonly dropCaches: (options: CallOptions) => Promise<void>;
  /** Keeps the files of a sandbox that is about to go. */
  readonly save: (projectId: string, options: CallOptions) => Promise<void>;
  /** Removes a project's sandbox with all its files, its cache too. */
  readonly stop: (projectId: string) => Promise<void>;
  /** `reason` is a sentence for the user. */
  readonly onStop: (projectId: string, reason: string) => void;
  /** A step failed; the others go on. */
  readonly onFailure: (error: unknown, projectId: string | null) => void;
}

/**
 * Keeps sandboxes from filling the disk of the container engine where the kernel does not. It trusts no figure of a
 * sandbox, only the free space of the disk and what the engine counts. An open file without a name, or space that is
 * reserved and not written, is in no count, but it is missing on the disk. So when free space runs short, sandboxes are
 * stopped one by one, the largest first, until there is enough.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #measured: { readonly freeBytes: number; readonly at: number } | null = null;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  /** Looks once; `now` in milliseconds. Call it every few seconds: a sandbox fills a disk at a gigabyte a second. */
  async round({ now, signal }: { now: number; signal: AbortSignal }): Promise<void> {
    const { disk: look, reserveBytes, running: list, limitBytes } = this.#options;
    const disk = await look({ signal });
    if (disk !== null && isShort(disk, reserveBytes)) {
      await this.#freeSpace(await list({ signal }), signal);
      return;
    }
    const freeBytes = disk?.freeBytes ?? 0;
    this.#measured ??= { freeBytes, at: now };
    const lostBytes = this.#measured.freeBytes - freeBytes;
    const isDue = lostBytes >= Math.min(measuredEveryBytes, limitBytes / 4) || now - this.#measured.at >= measuredEveryMs;
    if (!isDue) {
      // Another sandbox may take again what was freed.
      if (lostBytes < 0) this.#measured = { freeBytes, at: this.#measured.at };
      return;
    }
    this.#measured = { freeBytes, at: now };
    const running = await list({ signal });
    if (running.length === 0) return;
    for (const [projectId, sizeBytes] of await this.#sizes(signal)) {
      if (sizeBytes > limitBytes && running.includes(projectId)) await this.#stop(projectId, this.#overLimit(sizeBytes), signal);
    }
  }

  async #freeSpace(running: readonly string[], signal: AbortSignal): Promise<void> {
    const { disk: look, reserveBytes, limitBytes, dropCaches, onFailure } = this.#options;
    // First what no sandbox uses: no work is lost.
    await dropCaches({ signal }).catch((error: unknown) => onFailure(error, null));
    let disk = await look({ signal });
    if (disk === null || !isShort(disk, reserveBytes)) return;
    const sizes = await this.#sizes(signal);
    const bySize = [...running].sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
    for (const projectId of bySize) {
      const sizeBytes = sizes.get(projectId) ?? 0;
      // Saving takes time, in which this sandbox would go on taking what the others need.
      if (sizeBytes > limitBytes) await this.#stop(projectId, this.#overLimit(sizeBytes), null);
      else await this.#stop(projectId, `${spaceInWords(disk)}, so sandboxes are stopped until there is more.`, signal);
      disk = await look({ signal });
      if (disk === null || !isShort(disk, reserveBytes)) return;
    }
  }

  /** Saves before, when there is a signal to save by. */
  async #stop(projectId: string, reason: string, saving: AbortSignal | null): Promise<void> {
    const { save, stop, onStop, onFailure } = this.#options;
    if (saving !== null) {
      const signal = AbortSignal.any([saving, AbortSignal.timeout(saveTimeoutMs)]);
      await save(projectId, { signal }).catch((error: unknown) => onFailure(error, projectId));
    }
    try {
      await stop(projectId);
      onStop(projectId, reason);
    } catch (error) {
      // The others must not fill the disk because one cannot be removed.
      onFailure(error, projectId);
    }
  }

  /** By project. Empty when the engine does not answer in time. */
  async #sizes(signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(measureTimeoutMs)]);
      const sizes = await this.#options.sizes({ signal: limited });
      return new Map(sizes.map(({ projectId, sizeBytes }) => [projectId, sizeBytes]));
    } catch (error) {
      this.#options.onFailure(error, null);
      return new Map();
    }
  }

  #overLimit(sizeBytes: number): string {
    return `Its files take ${megabytes(sizeBytes)} MB, and ${megabytes(this.#options.limitBytes)} MB are allowed (KODA_SANDBOX_DISK_MB).`;
  }
}
