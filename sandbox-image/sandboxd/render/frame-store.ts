import { link, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../http.ts';

const partialSuffix = '.partial';

/**
 * Pictures of films by what they show: one folder a key (a hash of everything that decides a picture but its
 * time), one file a moment. Everything in it can be made again, so nothing is synced to the disk, a damaged
 * picture counts as missing, and a full disk only ends the storing.
 */
export class FrameStore {
  readonly #root: string;
  readonly #maxBytes: number;
  #bytes = 0;
  #full = false;

  /** `maxBytes` is what all pictures together may take. */
  constructor(root: string, maxBytes: number) {
    this.#root = root;
    this.#maxBytes = maxBytes;
  }

  /**
   * Before a render: makes room by removing the keys that were used longest ago, until half of the store is
   * free or only `keep` (the keys that will be asked for) is left.
   */
  async makeRoom(keep: ReadonlySet<string>): Promise<void> {
    await mkdir(this.#root, { recursive: true });
    const folders = await Promise.all((await readdir(this.#root)).map((key) => this.#measure(key)));
    let bytes = folders.reduce((sum, folder) => sum + folder.bytes, 0);
    for (const folder of folders.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (bytes <= this.#maxBytes / 2) break;
      if (keep.has(folder.key)) continue;
      await this.forget(folder.key);
      bytes -= folder.bytes;
    }
    this.#bytes = bytes;
    this.#full = bytes >= this.#maxBytes;
  }

  /** The moments (microseconds) that have pictures under a key. */
  async moments(key: string): Promise<Set<number>> {
    try {
      const names = await readdir(join(this.#root, key));
      const now = new Date();
      await utimes(join(this.#root, key), now, now);
      return new Set(names.filter((name) => /^\d+$/.test(name)).map(Number));
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return new Set();
      throw error;
    }
  }

  /** The picture, or null when it is missing or damaged. */
  async get(key: string, momentUs: number): Promise<Buffer | null> {
    try {
      const picture = await readFile(join(this.#root, key, String(momentUs)));
      return isWhole(picture) ? picture : null;
    } catch {
      // Whatever keeps it from being read, it can be captured again.
      return null;
    }
  }

  /**
   * Keeps a picture, and says whether it did. `sameAs`: a moment whose picture has the same bytes, so that
   * they need not be stored twice.
   */
  async put(key: string, momentUs: number, picture: Buffer, sameAs: number | null): Promise<boolean> {
    if (this.#full) return false;
    const folder = join(this.#root, key);
    const path = join(folder, String(momentUs));
    try {
      if (sameAs !== null) {
        await link(join(folder, String(sameAs)), path);
        return true;
      }
      await mkdir(folder, { recursive: true });
      await writeFile(`${path}${partialSuffix}`, picture);
      await rename(`${path}${partialSuffix}`, path);
      this.#bytes += picture.length;
      if (this.#bytes >= this.#maxBytes) this.#full = true;
      return true;
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'EEXIST') return true;
      // The other one was not kept.
      if (sameAs !== null && code === 'ENOENT') return false;
      this.#stopWhenFull(error);
      await rm(`${path}${partialSuffix}`, { force: true });
      return false;
    }
  }

  /** A note beside the pictures, such as a page's description of itself. Null when there is none. */
  async note(key: string, name: string): Promise<string | null> {
    try {
      return await readFile(join(this.#root, key, `${name}.note`), 'utf8');
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return null;
      throw error;
    }
  }

  async putNote(key: string, name: string, text: string): Promise<void> {
    const path = join(this.#root, key, `${name}.note`);
    try {
      await mkdir(join(this.#root, key), { recursive: true });
      await writeFile(`${path}${partialSuffix}`, text);
      await rename(`${path}${partialSuffix}`, path);
    } catch (error) {
      this.#stopWhenFull(error);
      await rm(`${path}${partialSuffix}`, { force: true });
    }
  }

  /** Throws what is not a full disk. */
  #stopWhenFull(error: unknown): void {
    const code = errnoOf(error);
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    this.#full = true;
  }

  /** Removes all pictures and notes of a key. */
  async forget(key: string): Promise<void> {
    await rm(join(this.#root, key), { recursive: true, force: true });
  }

  async #measure(key: string): Promise<{ key: string; bytes: number; usedAtMs: number }> {
    const folder = join(this.#root, key);
    const { mtimeMs } = await stat(folder);
    const files = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))));
    // A picture that stands for several moments takes its room once.
    return { key, bytes: files.reduce((sum, file) => sum + file.size / file.nlink, 0), usedAtMs: mtimeMs };
  }
}

/** Whether a JPEG or PNG has its beginning and its end; what a crash cut off has not. */
export function isWhole(picture: Buffer): boolean {
  const jpeg = picture.length > 4 && picture.readUInt16BE(0) === 0xffd8;
  if (jpeg) return picture.readUInt16BE(picture.length - 2) === 0xffd9;
  // A PNG ends with the chunk IEND: its name and checksum.
  return picture.length > 20 && picture.readUInt32BE(0) === 0x89504e47 && picture.readUInt32BE(picture.length - 8) === 0x49454e44;
}
