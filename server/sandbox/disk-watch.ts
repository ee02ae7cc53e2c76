import { megabytes } from '../lib/megabytes.ts';
import { type DiskRoom, isShort, type ProjectSize, roomWords } from './engine-room.ts';
import type { CallOptions } from './sandbox.ts';

/** The volumes are measured again when the disk has lost so much since, or a quarter of what one sandbox may have. */
const measuredEveryBytes = 1024 ** 3;
/** And in any case after this: what one sandbox writes, somebody else may have deleted at the same time. */
const measuredEveryMs = 5 * 60_000;
/** Measuring is a walk over files that a sandbox may have made by the million. */
const measureTimeoutMs = 20_000;
const saveTimeoutMs = 10_000;

export interface DiskWatchOptions {
  /** What a project's sandbox and cache may hold. */
  readonly limitBytes: number;
  /** What has to stay free on the disk. */
  readonly reserveBytes: number;
  /** Null = nobody can see it. */
  readonly room: (options: CallOptions) => Promise<DiskRoom | null>;
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
  /** Something did not work, and the rest goes on. */
  readonly onFailure: (error: unknown, projectId: string | null) => void;
}

/**
 * Keeps sandboxes from filling the disk of the container engine, where the kernel does not do it. Nothing of what it goes
 * by is said by a sandbox: the free space of the disk, and what the engine counts. A file that is open but has no name any
 * more, or space that is taken without being written, is in no count; but it is missing on the disk. So when that gets
 * short, sandboxes are stopped one after the other, the largest first, until it is back.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #measured: { readonly freeBytes: number; readonly at: number } | null = null;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  /** One look; `now` in milliseconds. To be done every few seconds: a sandbox fills a disk at a gigabyte a second. */
  async round({ now, signal }: { now: number; signal: AbortSignal }): Promise<void> {
    const { room: look, reserveBytes, running: list, limitBytes } = this.#options;
    const room = await look({ signal });
    if (room !== null && isShort(room, reserveBytes)) {
      await this.#makeRoom(await list({ signal }), signal);
      return;
    }
    const freeBytes = room?.freeBytes ?? 0;
    this.#measured ??= { freeBytes, at: now };
    const lostBytes = this.#measured.freeBytes - freeBytes;
    const isDue = lostBytes >= Math.min(measuredEveryBytes, limitBytes / 4) || now - this.#measured.at >= measuredEveryMs;
    if (!isDue) {
      // What was freed may be taken again by somebody else.
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

  async #makeRoom(running: readonly string[], signal: AbortSignal): Promise<void> {
    const { room: look, reserveBytes, limitBytes, dropCaches, onFailure } = this.#options;
    // Nobody's work: first what nobody uses.
    await dropCaches({ signal }).catch((error: unknown) => onFailure(error, null));
    let room = await look({ signal });
    if (room === null || !isShort(room, reserveBytes)) return;
    const sizes = await this.#sizes(signal);
    const bySize = [...running].sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
    for (const projectId of bySize) {
      const sizeBytes = sizes.get(projectId) ?? 0;
      // Saving takes time, in which this one would go on to take what the others need.
      if (sizeBytes > limitBytes) await this.#stop(projectId, this.#overLimit(sizeBytes), null);
      else await this.#stop(projectId, `${roomWords(room)}, so sandboxes are stopped until there is more.`, signal);
      room = await look({ signal });
      if (room === null || !isShort(room, reserveBytes)) return;
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
      // The others must not go on filling the disk because of one that cannot be removed.
      onFailure(error, projectId);
    }
  }

  /** By project. Empty when it cannot be told in time. */
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
