import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectUsage } from '#contract/api.ts';
import { hasCode, KodaError } from '#contract/errors.ts';
import { megabytes } from '../lib/megabytes.ts';
import { dataPaths } from './data-paths.ts';

/** Walking the whole data folder on every request would be too slow. */
const maxAgeMs = 30_000;
/** A ticket whose size is unknown grows by this much, and each step is checked. */
const stepBytes = 8 * 1024 * 1024;

export interface DiskLimits {
  /** Limit of the data folder in bytes, or `null` for none. */
  readonly limitBytes: number | null;
  /** Limit of one project's history, uploads and videos in bytes, or `null` for none. */
  readonly projectLimitBytes: number | null;
  /** Space in bytes to keep free on the disk, so that current work can be saved. */
  readonly reserveBytes: number;
}

export const noDiskLimits: DiskLimits = { limitBytes: null, projectLimitBytes: null, reserveBytes: 0 };

interface Options extends DiskLimits {
  readonly dataDir: string;
  readonly rendersOf: (projectId: string) => Promise<readonly { readonly id: string }[]>;
}

/** Disk space that belongs to one write. Disposing returns what was not written. */
export interface DiskTicket extends Disposable {
  /** Call before writing the bytes. Throws STORAGE_FULL if a limit does not allow them. */
  take(bytes: number): Promise<void>;
}

/** Passes content on and takes its bytes from a ticket first, so that a limit ends the write in the middle. */
export async function* ticketed(content: AsyncIterable<Uint8Array>, ticket: DiskTicket): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    await ticket.take(piece.byteLength);
    yield piece;
  }
}

interface Request {
  /** `null` for data that belongs to no single project. */
  readonly projectId: string | null;
  /** Size if it is known. It is then checked as a whole, before the first byte. */
  readonly bytes?: number;
  /**
   * Whether the write saves existing work. It may then use half of the reserve, and a small one is not checked against the disk
   * or the data folder's limit.
   */
  readonly saving?: boolean;
}

interface Grant {
  readonly projectId: string | null;
  readonly saving: boolean;
  grantedBytes: number;
  /** Granted, but not taken yet. */
  leftBytes: number;
}

/** Size of a part of the data folder: the last count, and what tickets have granted since. */
class Meter {
  grownBytes = 0;
  knownBytes: number | null = null;
  readonly #measure: () => Promise<number>;
  readonly #leftBytes: () => number;
  #last: { readonly at: number; readonly bytes: Promise<number> } | null = null;

  constructor(measure: () => Promise<number>, leftBytes: () => number) {
    this.#measure = measure;
    this.#leftBytes = leftBytes;
  }

  counted({ fresh } = { fresh: false }): Promise<number> {
    if (fresh || this.#last === null || performance.now() - this.#last.at > maxAgeMs) {
      this.grownBytes = this.#leftBytes();
      const bytes = this.#measure().then((counted) => {
        this.knownBytes = counted;
        return counted;
      });
      this.#last = { at: performance.now(), bytes };
    }
    return this.#last.bytes;
  }
}

/** Measures the data folder, and checks whether there is space for new work. */
export class DiskUsage {
  readonly #options: Options;
  readonly #grants = new Set<Grant>();
  readonly #total: Meter;
  /** Projects that have open tickets. */
  readonly #projects = new Map<string, Meter>();

  constructor(options: Options) {
    this.#options = options;
    this.#total = new Meter(
      () => bytesIn(options.dataDir),
      () => this.#leftBytes(null),
    );
  }

  /** Returns the disk space in bytes used by a project's history, uploads and renders. */
  async ofProject(projectId: string): Promise<ProjectUsage> {
    const paths = dataPaths(this.#options.dataDir);
    const renders = (await this.#options.rendersOf(projectId)).map(({ id }) => paths.render(id));
    const [historyBytes, assetBytes, ...renderBytes] = await Promise.all(
      [paths.repository(projectId), paths.assets(projectId), ...renders].map(bytesIn),
    );
    return {
      historyBytes: historyBytes ?? 0,
      assetBytes: assetBytes ?? 0,
      renderBytes: renderBytes.reduce((sum, bytes) => sum + bytes, 0),
    };
  }

  /** Returns the disk space in bytes used by the data folder, at most 30 s old. */
  total(): Promise<number> {
    return this.#total.counted();
  }

  /** Returns the last total and recounts in the background, for frequent callers that must not wait for a large folder. */
  async recent(): Promise<number> {
    const counting = this.total();
    // The waiting call receives the error.
    counting.catch(() => undefined);
    return this.#total.knownBytes ?? (await counting);
  }

  /** Returns whether free space is low. Deleted projects are then removed without delay. */
  async isLow(): Promise<boolean> {
    try {
      await this.assertFreeSpace();
      return false;
    } catch (error) {
      if (error instanceof KodaError && error.code === 'STORAGE_FULL') return true;
      throw error;
    }
  }

  /** Throws STORAGE_FULL if there is no space for new work. Checkpoints skip this check, so that work is still saved. */
  async assertFreeSpace(projectId: string | null = null): Promise<void> {
    using _ = await this.reserve({ projectId, bytes: 0 });
  }

  /** Opens a ticket for a large write, which holds its space against all others. Throws STORAGE_FULL. */
  async reserve({ projectId, bytes, saving = false }: Request): Promise<DiskTicket> {
    const grant: Grant = { projectId, saving, grantedBytes: 0, leftBytes: 0 };
    this.#grants.add(grant);
    const release = (): void => this.#release(grant);
    try {
      if (bytes !== undefined) await this.#grow(grant, bytes);
    } catch (error) {
      release();
      throw error;
    }
    return {
      take: async (taken) => {
        if (taken > grant.leftBytes) await this.#grow(grant, Math.max(taken - grant.leftBytes, stepBytes));
        grant.leftBytes -= taken;
      },
      [Symbol.dispose]: release,
    };
  }

  async #grow(grant: Grant, bytes: number): Promise<void> {
    const { dataDir, limitBytes, projectLimitBytes } = this.#options;
    const project = grant.projectId === null ? null : this.#meterOf(grant.projectId);
    // Counts again before it refuses, because data may have been deleted since the last count.
    for (const fresh of [false, true]) {
      const [{ bavail, bsize }, totalBytes, projectBytes] = await Promise.all([
        statfs(dataDir),
        limitBytes === null ? 0 : this.#total.counted({ fresh }),
        project === null || projectLimitBytes === null ? 0 : project.counted({ fresh }),
      ]);
      // Nothing is awaited from here on, so no other ticket gets the same space.
      const problem =
        this.#problemOfProject(projectBytes + (project?.grownBytes ?? 0) + bytes, grant) ??
        this.#problemOfDisk(bavail * bsize, totalBytes + this.#total.grownBytes, { grant, bytes });
      if (problem === null) {
        grant.grantedBytes += bytes;
        grant.leftBytes += bytes;
        this.#total.grownBytes += bytes;
        if (project !== null) project.grownBytes += bytes;
        return;
      }
      if (fresh) throw problem;
    }
  }

  #problemOfProject(bytes: number, { projectId }: Grant): KodaError | null {
    const { projectLimitBytes } = this.#options;
    if (projectId === null || projectLimitBytes === null || bytes <= projectLimitBytes) return null;
    return diskFull(
      `This needs ${megabytes(bytes)} MB for the project, more than its limit of ${megabytes(projectLimitBytes)} MB (KODA_PROJECT_DISK_MB). Delete uploads or videos of the project.`,
    );
  }

  #problemOfDisk(freeBytes: number, usedBytes: number, { grant, bytes }: { grant: Grant; bytes: number }): KodaError | null {
    const { limitBytes, reserveBytes } = this.#options;
    if (grant.saving && grant.grantedBytes + bytes <= stepBytes) return null;
    const extraBytes = grant.saving ? reserveBytes / 2 : 0;
    const promisedBytes = this.#leftBytes(null);
    if (freeBytes - promisedBytes - bytes < reserveBytes - extraBytes) {
      const needed = bytes === 0 ? '' : ` ${megabytes(bytes)} MB are needed,`;
      const promised = promisedBytes === 0 ? '' : ` ${megabytes(promisedBytes)} MB are promised to other writes,`;
      return diskFull(
        `The disk that holds the data folder has only ${megabytes(freeBytes)} MB free:${needed}${promised} and ${megabytes(reserveBytes)} MB are reserved for running work (KODA_DISK_RESERVE_MB). Delete projects or renders, or free some space.`,
      );
    }
    if (limitBytes === null || usedBytes + bytes <= limitBytes + extraBytes) return null;
    return diskFull(
      `The data folder would use ${megabytes(usedBytes + bytes)} MB, more than its limit of ${megabytes(limitBytes)} MB (KODA_DISK_LIMIT_MB). Delete projects or renders.`,
    );
  }

  #release(grant: Grant): void {
    if (!this.#grants.delete(grant)) return;
    this.#total.grownBytes -= grant.leftBytes;
    if (grant.projectId === null) return;
    const project = this.#meterOf(grant.projectId);
    project.grownBytes -= grant.leftBytes;
    if (![...this.#grants].some(({ projectId }) => projectId === grant.projectId)) this.#projects.delete(grant.projectId);
  }

  #meterOf(projectId: string): Meter {
    const known = this.#projects.get(projectId);
    if (known !== undefined) return known;
    const measure = async () => Object.values(await this.ofProject(projectId)).reduce((sum, bytes) => sum + bytes, 0);
    const meter = new Meter(measure, () => this.#leftBytes(projectId));
    this.#projects.set(projectId, meter);
    return meter;
  }

  /** Returns the bytes that open tickets may still write, of one project or of all. */
  #leftBytes(projectId: string | null): number {
    let sum = 0;
    for (const grant of this.#grants) if (projectId === null || grant.projectId === projectId) sum += grant.leftBytes;
    return sum;
  }
}

function diskFull(message: string): KodaError {
  return new KodaError('STORAGE_FULL', message, { recovery: 'free_disk_space' });
}

/**
 * Returns the disk space in bytes used by a file or folder, or 0 if it does not exist. Ignores files that disappear during
 * the count.
 */
async function bytesIn(path: string): Promise<number> {
  try {
    const stats = await lstat(path);
    // `blocks` counts units of 512 bytes on every file system (stat(2)).
    if (!stats.isDirectory()) return stats.blocks * 512;
    let sum = 0;
    for (const name of await readdir(path)) sum += await bytesIn(join(path, name));
    return sum;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
}
