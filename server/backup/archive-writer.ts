import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import type { BackupManifest } from '#contract/maintenance.ts';
import { isMissing } from '../storage/durable-file.ts';

export class ArchiveWriter {
  readonly #archive: Pack = pack();
  readonly #files: BackupManifest['files'] = [];
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get files(): BackupManifest['files'] {
    return this.#files;
  }

  get output(): Readable {
    return Readable.from(this.#archive as AsyncIterable<Uint8Array>, { objectMode: false });
  }

  async addBytes(path: string, bytes: Uint8Array): Promise<void> {
    await this.#add(path, bytes.byteLength, Readable.from([bytes]));
  }

  /** Adds a file with its size at the time of opening. Returns `false` if the file does not exist. */
  async addFile(path: string, source: string): Promise<boolean> {
    let handle: FileHandle;
    try {
      handle = await open(source, 'r');
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    try {
      const { size } = await handle.stat();
      const content = size === 0 ? Readable.from([]) : handle.createReadStream({ start: 0, end: size - 1, autoClose: false });
      await this.#add(path, size, content);
      return true;
    } finally {
      await handle.close();
    }
  }

  end(): void {
    this.#archive.finalize();
  }

  fail(error: unknown): void {
    this.#archive.destroy(error instanceof Error ? error : new Error(String(error)));
  }

  async #add(path: string, sizeBytes: number, content: Readable): Promise<void> {
    this.#signal.throwIfAborted();
    const hash = createHash('sha256');
    async function* hashed(): AsyncGenerator<Uint8Array> {
      for await (const piece of content as AsyncIterable<Uint8Array>) {
        hash.update(piece);
        yield piece;
      }
    }
    const entry = this.#archive.entry({ name: path, size: sizeBytes, mode: 0o644 });
    // @types/tar-stream does not declare its sink as a stream.
    await pipeline(hashed(), entry as unknown as NodeJS.WritableStream, { signal: this.#signal });
    this.#files.push({ path, sizeBytes, sha256: hash.digest('hex') });
  }
}
