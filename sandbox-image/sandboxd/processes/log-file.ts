import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { Mutex } from 'async-mutex';
import { openFolder } from '../files/workspace.ts';
import { errnoOf } from '../http.ts';

const maxLogBytes = 32 * 1024 * 1024;
const maxSliceBytes = 1024 * 1024;
const logFolder = ['.koda', 'logs'] as const;
const fullNotice = Buffer.from('\n[the log is full: further output is discarded]\n');

/** A background process's output, stored in a file and read by offset. */
export class LogFile {
  readonly #workspace: string;
  readonly #name: string;
  readonly #file: FileHandle;
  #sizeBytes = 0;
  #full = false;
  readonly #writing = new Mutex();

  private constructor(workspace: string, name: string, file: FileHandle) {
    this.#workspace = workspace;
    this.#name = name;
    this.#file = file;
  }

  static async create(workspace: string, name: string): Promise<LogFile> {
    using folder = openFolder(workspace, logFolder, { create: true, links: 'never' });
    return new LogFile(
      workspace,
      name,
      await open(folder.at(name), constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600),
    );
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  append(chunk: Buffer): Promise<void> {
    return this.#writing.runExclusive(() => this.#write(chunk));
  }

  /** Returns at most 1 MiB from an offset. For more, call again from the end of the result. */
  async read(offset: number): Promise<Buffer> {
    const wanted = Math.min(Math.max(this.#sizeBytes - offset, 0), maxSliceBytes);
    if (wanted === 0) return Buffer.alloc(0);
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(wanted), 0, wanted, offset);
    return buffer.subarray(0, bytesRead);
  }

  async remove(): Promise<void> {
    await this.#file.close();
    using folder = openFolder(this.#workspace, logFolder, { create: true, links: 'never' });
    await rm(folder.at(this.#name), { force: true });
  }

  async #write(chunk: Buffer): Promise<void> {
    if (this.#full) return;
    this.#full = this.#sizeBytes + chunk.length > maxLogBytes;
    const bytes = this.#full ? fullNotice : chunk;
    try {
      await this.#file.writeFile(bytes);
      this.#sizeBytes += bytes.length;
    } catch (error) {
      // A full disk must not stop the program, so its output is dropped as for a full log.
      if (errnoOf(error) !== 'ENOSPC' && errnoOf(error) !== 'EDQUOT') throw error;
      this.#full = true;
    }
  }
}
