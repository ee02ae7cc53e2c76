import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { centralHeader, endRecords, localHeader, type ZipEntry } from './zip-format.ts';

/** Writes a zip of stored entries, one after another; in memory it keeps their names and places alone. */
export class ZipWriter implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #entries: ZipEntry[] = [];
  #offset = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Replaces the file if there is one. */
  static async create(path: string): Promise<ZipWriter> {
    return new ZipWriter(await open(path, 'w'));
  }

  async add(name: string, content: Buffer): Promise<void> {
    const entry = { name, crc32: crc32(content), sizeBytes: content.length, offset: this.#offset };
    await this.#append(localHeader(entry));
    await this.#append(content);
    this.#entries.push(entry);
  }

  /** No entries follow; the file is complete. */
  async finish(): Promise<void> {
    const offset = this.#offset;
    for (const entry of this.#entries) await this.#append(centralHeader(entry));
    await this.#append(endRecords({ entries: this.#entries.length, offset, sizeBytes: this.#offset - offset }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  async #append(bytes: Buffer): Promise<void> {
    await this.#file.appendFile(bytes);
    this.#offset += bytes.length;
  }
}
