import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectUsage } from '../contract/api.ts';
import { hasCode, KodaError } from '../contract/errors.ts';
import { megabytes } from '../lib/megabytes.ts';
import { dataPaths } from './data-paths.ts';

/** Walking the whole data folder costs too much to do for every request. */
const keepMs = 30_000;

interface Options {
  readonly dataDir: string;
  /** What all data may take, in bytes; null = as much as the disk has. */
  readonly limitBytes: number | null;
  /** What has to stay free on the disk, in bytes, so that work under way can be saved. */
  readonly reserveBytes: number;
  readonly rendersOf: (projectId: string) => Promise<readonly { readonly id: string }[]>;
}

/** What the data folder takes, and whether there is free space to begin something new. */
export class DiskUsage {
  readonly #options: Options;
  #total: { readonly at: number; readonly bytes: Promise<number> } | null = null;
  #known: number | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Bytes on the disk of a project's history, uploads and renders. */
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

  /** Bytes on the disk of everything, at most half a minute old. */
  total(): Promise<number> {
    if (this.#total === null || Date.now() - this.#total.at > keepMs) {
      this.#total = { at: Date.now(), bytes: this.#count() };
    }
    return this.#total.bytes;
  }

  /** The last count, while the next one goes on beside: for frequent callers that must not wait for a large folder. */
  async recent(): Promise<number> {
    const counting = this.total();
    // The waiting call receives the failure.
    counting.catch(() => undefined);
    return this.#known ?? (await counting);
  }

  async #count(): Promise<number> {
    this.#known = await bytesIn(this.#options.dataDir);
    return this.#known;
  }

  /** Whether too little space is free for anything new: then nothing is kept that the user has deleted. */
  async isShort(): Promise<boolean> {
    try {
      await this.assertRoom();
      return false;
    } catch (error) {
      if (error instanceof KodaError && error.code === 'STORAGE_FULL') return true;
      throw error;
    }
  }

  /**
   * To be asked before something new begins: a project, an upload, a render. Throws STORAGE_FULL. Checkpoints do not
   * ask, since what was made must be saved as long as it fits at all.
   */
  async assertRoom(): Promise<void> {
    const { dataDir, limitBytes, reserveBytes } = this.#options;
    const { bavail, bsize } = await statfs(dataDir);
    if (bavail * bsize < reserveBytes) {
      throw noRoom(
        `Only ${megabytes(bavail * bsize)} MB are free on the disk of the data folder, and ${megabytes(reserveBytes)} MB are kept for work under way (KODA_DISK_RESERVE_MB). Delete projects or renders, or free some space.`,
      );
    }
    if (limitBytes !== null && (await this.total()) > limitBytes) {
      // What was deleted in the meantime counts.
      this.#total = null;
      const used = await this.total();
      if (used > limitBytes) {
        throw noRoom(
          `The data folder takes ${megabytes(used)} MB of the ${megabytes(limitBytes)} MB that it may (KODA_DISK_LIMIT_MB). Delete projects or renders.`,
        );
      }
    }
  }
}

function noRoom(message: string): KodaError {
  return new KodaError('STORAGE_FULL', message, { recovery: 'free_disk_space' });
}

/** What a folder takes on the disk; 0 when it is not there. What goes away while it is counted does not count. */
async function bytesIn(path: string): Promise<number> {
  try {
    const stats = await lstat(path);
    // Blocks of 512 bytes, whatever the file system's own are: stat(2).
    if (!stats.isDirectory()) return stats.blocks * 512;
    let sum = 0;
    for (const name of await readdir(path)) sum += await bytesIn(join(path, name));
    return sum;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
}
