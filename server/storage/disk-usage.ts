import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectUsage } from '#contract/api.ts';
import { hasCode, KodaError } from '#contract/errors.ts';
import { megabytes } from '../lib/megabytes.ts';
import { dataPaths } from './data-paths.ts';

/** Walking the whole data folder on every request would be too slow. */
const maxAgeMs = 30_000;

interface Options {
  readonly dataDir: string;
  /** Limit of the data folder in bytes, or `null` for none. */
  readonly limitBytes: number | null;
  /** Space in bytes to keep free on the disk, so that current work can be saved. */
  readonly reserveBytes: number;
  readonly rendersOf: (projectId: string) => Promise<readonly { readonly id: string }[]>;
}

/** Measures the data folder, and checks whether there is space for new work. */
export class DiskUsage {
  readonly #options: Options;
  #total: { readonly at: number; readonly bytes: Promise<number> } | null = null;
  #known: number | null = null;

  constructor(options: Options) {
    this.#options = options;
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
    if (this.#total === null || Date.now() - this.#total.at > maxAgeMs) {
      this.#total = { at: Date.now(), bytes: this.#count() };
    }
    return this.#total.bytes;
  }

  /** Returns the last total and recounts in the background, for frequent callers that must not wait for a large folder. */
  async recent(): Promise<number> {
    const counting = this.total();
    // The waiting call receives the error.
    counting.catch(() => undefined);
    return this.#known ?? (await counting);
  }

  async #count(): Promise<number> {
    this.#known = await bytesIn(this.#options.dataDir);
    return this.#known;
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
  async assertFreeSpace(): Promise<void> {
    const { dataDir, limitBytes, reserveBytes } = this.#options;
    const { bavail, bsize } = await statfs(dataDir);
    if (bavail * bsize < reserveBytes) {
      throw diskFull(
        `The disk that holds the data folder has only ${megabytes(bavail * bsize)} MB free, and ${megabytes(reserveBytes)} MB are reserved for running work (KODA_DISK_RESERVE_MB). Delete projects or renders, or free some space.`,
      );
    }
    if (limitBytes !== null && (await this.total()) > limitBytes) {
      // Recounts, because data may have been deleted since the last count.
      this.#total = null;
      const used = await this.total();
      if (used > limitBytes) {
        throw diskFull(
          `The data folder uses ${megabytes(used)} MB, more than its limit of ${megabytes(limitBytes)} MB (KODA_DISK_LIMIT_MB). Delete projects or renders.`,
        );
      }
    }
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
