import { megabytes } from '../lib/megabytes.ts';
import { type DiskSpace, describeFreeSpace, isLow, type ProjectSize } from './engine-disk.ts';
import type { CallOptions } from './sandbox.ts';

/** Volumes are measured again after the disk has lost this much, or a quarter of a sandbox's limit. */
const measuredEveryBytes = 1024 ** 3;
/** Maximum interval between measurements, because one sandbox may write as much as another deletes. */
const measuredEveryMs = 5 * 60_000;
/** Measuring walks all files, of which a sandbox may create millions. */
const measureTimeoutMs = 20_000;
const saveTimeoutMs = 10_000;

export interface DiskWatchOptions {
  readonly limitBytes: number;
  readonly reserveBytes: number;
  /** Resolves to `null` if this process cannot access the disk. */
  readonly disk: (options: CallOptions) => Promise<DiskSpace | null>;
  readonly sizes: (options: CallOptions) => Promise<readonly ProjectSize[]>;
  readonly running: (options: CallOptions) => Promise<readonly string[]>;
  readonly dropCaches: (options: CallOptions) => Promise<void>;
  readonly save: (projectId: string, options: CallOptions) => Promise<void>;
  /** Removes a project's sandbox with all its files, including the cache. */
  readonly stop: (projectId: string) => Promise<void>;
  /** `reason` is a sentence for the user. */
  readonly onStop: (projectId: string, reason: string) => void;
  readonly onFailure: (error: unknown, projectId: string | null) => void;
}

/**
 * Keeps sandboxes from filling the container engine's disk if the kernel does not limit them. Relies on free disk space and
 * the engine's measurements, never on figures from a sandbox. Measurements miss deleted files that are still open, and space
 * that is reserved but not written. So if space is low, stops sandboxes one by one, largest first, until enough is free.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #measured: { readonly freeBytes: number; readonly at: number } | null = null;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  /**
   * Checks once; `now` is in milliseconds. Call every few seconds, because a sandbox can fill a disk at a gigabyte per
   * second.
   */
  async check({ now, signal }: { now: number; signal: AbortSignal }): Promise<void> {
    const { disk: readDisk, reserveBytes, running: list, limitBytes } = this.#options;
    const disk = await readDisk({ signal });
    if (disk !== null && isLow(disk, reserveBytes)) {
      await this.#freeSpace(await list({ signal }), signal);
      return;
    }
    const freeBytes = disk?.freeBytes ?? 0;
    this.#measured ??= { freeBytes, at: now };
    const lostBytes = this.#measured.freeBytes - freeBytes;
    const isDue = lostBytes >= Math.min(measuredEveryBytes, limitBytes / 4) || now - this.#measured.at >= measuredEveryMs;
    if (!isDue) {
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
    const { disk: readDisk, reserveBytes, limitBytes, dropCaches, onFailure } = this.#options;
    // Removing unused caches loses no work.
    await dropCaches({ signal }).catch((error: unknown) => onFailure(error, null));
    let disk = await readDisk({ signal });
    if (disk === null || !isLow(disk, reserveBytes)) return;
    const sizes = await this.#sizes(signal);
    const bySize = [...running].sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
    for (const projectId of bySize) {
      const sizeBytes = sizes.get(projectId) ?? 0;
      // Saving would let this sandbox take more of the space that the others need.
      if (sizeBytes > limitBytes) await this.#stop(projectId, this.#overLimit(sizeBytes), null);
      else
        await this.#stop(projectId, `${describeFreeSpace(disk)}, so sandboxes are stopped until enough space is free.`, signal);
      disk = await readDisk({ signal });
      if (disk === null || !isLow(disk, reserveBytes)) return;
    }
  }

  /** Saves the files first, unless `saving` is `null`. */
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
      onFailure(error, projectId);
    }
  }

  /** Returns sizes by project, or an empty map if the engine does not respond in time. */
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
    return `Its files use ${megabytes(sizeBytes)} MB, more than the limit of ${megabytes(this.#options.limitBytes)} MB (KODA_SANDBOX_DISK_MB).`;
  }
}
