import { link, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../http.ts';

const partialSuffix = '.partial';
/** RFC 8878, section 3.1.1. */
const zstdMagic = 0x28b52ffd;

/**
 * Stores frames in one folder per key (a hash of all inputs except time), one file per timestamp. Frames are reproducible, so
 * files are not synced, damaged ones count as missing, and a full disk only ends storing.
 */
export class FrameStore {
  readonly #root: string;
  readonly #maxBytes: number;
  #bytes = 0;
  #full = false;

  constructor(root: string, maxBytes: number) {
    this.#root = root;
    this.#maxBytes = maxBytes;
  }

  /** Call before a render. Evicts the least recently used keys except `keep` until half of the store is free. */
  async evict(keep: ReadonlySet<string>): Promise<void> {
    await mkdir(this.#root, { recursive: true });
    const folders = await Promise.all((await readdir(this.#root)).map((key) => this.#measure(key)));
    let bytes = folders.reduce((sum, folder) => sum + folder.bytes, 0);
    for (const folder of folders.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (bytes <= this.#maxBytes / 2) break;
      if (keep.has(folder.key)) continue;
      await this.delete(folder.key);
      bytes -= folder.bytes;
    }
    this.#bytes = bytes;
    this.#full = bytes >= this.#maxBytes;
  }

  async timestamps(key: string): Promise<Set<number>> {
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

  /** Returns `null` if the frame is missing or damaged. */
  async get(key: string, timestampUs: number): Promise<Buffer | null> {
    try {
      const image = await readFile(join(this.#root, key, String(timestampUs)));
      return isWhole(image) ? image : null;
    } catch {
      // On any error, the frame can be captured again.
      return null;
    }
  }

  /** Returns whether the frame was stored. `sameAs` is a timestamp with an identical frame, whose file is shared. */
  async put(key: string, timestampUs: number, image: Buffer, sameAs: number | null): Promise<boolean> {
    if (this.#full) return false;
    const folder = join(this.#root, key);
    const path = join(folder, String(timestampUs));
    try {
      if (sameAs !== null) {
        await link(join(folder, String(sameAs)), path);
        return true;
      }
      await mkdir(folder, { recursive: true });
      await writeFile(`${path}${partialSuffix}`, image);
      await rename(`${path}${partialSuffix}`, path);
      this.#bytes += image.length;
      if (this.#bytes >= this.#maxBytes) this.#full = true;
      return true;
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'EEXIST') return true;
      // The identical frame was not stored.
      if (sameAs !== null && code === 'ENOENT') return false;
      this.#stopWhenFull(error);
      await rm(`${path}${partialSuffix}`, { force: true });
      return false;
    }
  }

  /** Returns a text stored with the frames, such as a page's info, or `null`. */
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

  #stopWhenFull(error: unknown): void {
    const code = errnoOf(error);
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    this.#full = true;
  }

  async delete(key: string): Promise<void> {
    await rm(join(this.#root, key), { recursive: true, force: true });
  }

  async #measure(key: string): Promise<{ key: string; bytes: number; usedAtMs: number }> {
    const folder = join(this.#root, key);
    const { mtimeMs } = await stat(folder);
    const files = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))));
    // A file shared by several timestamps counts once.
    return { key, bytes: files.reduce((sum, file) => sum + file.size / file.nlink, 0), usedAtMs: mtimeMs };
  }
}

/** Returns whether a JPEG or PNG has a valid start and end. A crash may have truncated it. Compressed frames check themselves. */
export function isWhole(image: Buffer): boolean {
  if (image.length > 4 && image.readUInt32BE(0) === zstdMagic) return true;
  const jpeg = image.length > 4 && image.readUInt16BE(0) === 0xffd8;
  if (jpeg) return image.readUInt16BE(image.length - 2) === 0xffd9;
  // A PNG ends with the name and checksum of its IEND chunk.
  return image.length > 20 && image.readUInt32BE(0) === 0x89504e47 && image.readUInt32BE(image.length - 8) === 0x49454e44;
}
