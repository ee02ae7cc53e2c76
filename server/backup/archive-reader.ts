import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { backupHeaderName, backupManifestName } from '#contract/maintenance.ts';
import { isBackupPath, isRefFile, projectOfHistory } from './archive-paths.ts';

export interface ExtractedFile {
  readonly sizeBytes: number;
  readonly sha256: string;
}

const maxHeaderBytes = 64 * 1024;
const maxManifestBytes = 512 * 1024 * 1024;
const maxFiles = 5_000_000;
const marginBytes = 16 * 1024 * 1024;
/** Koda's data is mostly compressed already. Only a decompression bomb expands further than this. */
const maxExpansion = 200;
const expansionCheckedFromBytes = 64 * 1024 * 1024;

const refContent = /^[0-9a-f]{40,64}\n?$/;
const packedRefsContent = /^(?:#[^\n]*\n|\^[0-9a-f]{40,64}\n|[0-9a-f]{40,64} refs\/[A-Za-z0-9._/-]+\n)*$/;
const maxRefBytes = 16 * 1024 * 1024;

interface Options {
  /** Folder to extract into, which must be empty. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Receives the first file before the rest is read. Throws to reject the archive. */
  readonly onHeader: (bytes: Buffer) => void;
  readonly onHistory: (projectId: string) => Promise<void>;
  readonly onProgress: (writtenBytes: number) => void;
}

/**
 * Extracts an archive into a folder, hashes and syncs each file, and returns the files with the manifest's bytes. Validates
 * every name, type and size before writing (`isBackupPath`). Throws BAD_REQUEST for an invalid backup, STORAGE_FULL or
 * CANCELLED; the caller then removes the folder.
 */
export async function extractArchive(
  source: AsyncIterable<Uint8Array>,
  options: Options,
): Promise<{ files: ReadonlyMap<string, ExtractedFile>; manifest: Buffer }> {
  const reader = new ArchiveReader(options);
  try {
    return await reader.read(source);
  } catch (error) {
    if (options.signal.aborted) throw new KodaError('CANCELLED', 'The restore was cancelled.', { cause: error });
    if (error instanceof KodaError) throw error;
    if (error instanceof Error && 'syscall' in error) throw error;
    // The remaining errors come from the gzip and tar parsers.
    throw invalidBackup(`it is incomplete or damaged (${errorMessage(error)})`, error);
  }
}

class ArchiveReader {
  readonly #options: Options;
  readonly #files = new Map<string, ExtractedFile>();
  readonly #histories = new Set<string>();
  #readBytes = 0;
  #writtenBytes = 0;
  #freeBytes = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  async read(source: AsyncIterable<Uint8Array>): Promise<{ files: ReadonlyMap<string, ExtractedFile>; manifest: Buffer }> {
    const { bavail, bsize } = await statfs(this.#options.folder);
    this.#freeBytes = bavail * bsize;
    const archive = extract();
    const fed = feed(plain(this.#counted(source)), archive).catch((error: unknown) => {
      archive.destroy(error instanceof Error ? error : new Error(String(error)));
    });
    let manifest: Buffer | null = null;
    try {
      for await (const entry of archive) {
        if (manifest !== null) throw invalidBackup('it contains data after its manifest');
        manifest = await this.#entry(entry.header, entry as AsyncIterable<Uint8Array>);
      }
    } finally {
      archive.destroy();
      await fed;
    }
    if (manifest === null) throw invalidBackup('it is incomplete: its manifest is missing');
    return { files: this.#files, manifest };
  }

  /** Returns the content of the manifest, or `null` for other entries. */
  async #entry({ name, type, size = 0 }: Header, content: AsyncIterable<Uint8Array>): Promise<Buffer | null> {
    if (type !== 'file') throw invalidBackup(`“${printable(name)}” is a ${type}, but only files are allowed`);
    if (!isBackupPath(name)) throw invalidBackup(`“${printable(name)}” is not a valid backup file`);
    const isFirst = this.#files.size === 0;
    if (isFirst !== (name === backupHeaderName)) throw invalidBackup('it does not start with a backup header');
    if (this.#files.has(name)) throw invalidBackup(`“${name}” appears twice`);
    if (this.#files.size >= maxFiles) throw invalidBackup(`it has more than ${maxFiles} files`);
    if (isFirst) {
      const bytes = await collect(content, size, maxHeaderBytes);
      this.#options.onHeader(bytes);
      this.#files.set(name, fileOf(bytes));
      return null;
    }
    if (name === backupManifestName) return await collect(content, size, maxManifestBytes);
    if (this.#writtenBytes + size > this.#freeBytes - marginBytes) throw diskFull(this.#writtenBytes + size, this.#freeBytes);
    const projectId = projectOfHistory(name);
    if (projectId !== null && !this.#histories.has(projectId)) {
      this.#histories.add(projectId);
      await this.#options.onHistory(projectId);
    }
    const isRef = projectId !== null && isRefFile(name.slice(name.indexOf('.git/') + 5));
    this.#files.set(name, await this.#write(name, isRef ? checkedRef(name, size, content) : content));
    return null;
  }

  async #write(name: string, content: AsyncIterable<Uint8Array>): Promise<ExtractedFile> {
    const path = join(this.#options.folder, name);
    await mkdir(dirname(path), { recursive: true });
    const hash = createHash('sha256');
    let sizeBytes = 0;
    // The flag `wx` never writes to an existing file.
    const handle: FileHandle = await open(path, 'wx', 0o644);
    try {
      for await (const piece of content) {
        this.#options.signal.throwIfAborted();
        await handle.writeFile(piece);
        hash.update(piece);
        sizeBytes += piece.byteLength;
        this.#writtenBytes += piece.byteLength;
        this.#options.onProgress(this.#writtenBytes);
        if (this.#writtenBytes > expansionCheckedFromBytes && this.#writtenBytes > this.#readBytes * maxExpansion) {
          throw invalidBackup(`it expands to more than ${maxExpansion} times its size`);
        }
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    return { sizeBytes, sha256: hash.digest('hex') };
  }

  async *#counted(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      this.#readBytes += piece.byteLength;
      yield piece;
    }
  }
}

/** Feeds the archive parser at its own pace and forwards the end of the data or an error. */
async function feed(source: AsyncIterable<Uint8Array>, archive: ReturnType<typeof extract>): Promise<void> {
  for await (const piece of source) {
    if (archive.destroyed) return;
    if (!archive.write(piece)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      archive.once('drain', resolve).once('close', resolve);
      await promise;
      archive.off('drain', resolve).off('close', resolve);
    }
  }
  archive.end(null);
}

/** Decompresses the source if it is gzip data. */
async function* plain(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < 2) {
    const next = await pieces.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield start;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  if (start[0] !== 0x1f || start[1] !== 0x8b) {
    yield* all();
    return;
  }
  const packed = Readable.from(all(), { objectMode: false });
  const gunzip = createGunzip();
  packed.once('error', (error) => gunzip.destroy(error));
  try {
    yield* packed.pipe(gunzip) as AsyncIterable<Uint8Array>;
  } finally {
    packed.destroy();
    gunzip.destroy();
  }
}

async function collect(content: AsyncIterable<Uint8Array>, sizeBytes: number, maxBytes: number): Promise<Buffer> {
  if (sizeBytes > maxBytes) throw invalidBackup('its description is too large');
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A reference must be a commit id, not a symbolic reference. */
async function* checkedRef(name: string, sizeBytes: number, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bytes = await collect(content, sizeBytes, maxRefBytes);
  const expected = name.endsWith('/packed-refs') ? packedRefsContent : refContent;
  if (!expected.test(bytes.toString('latin1'))) throw invalidBackup(`“${name}” is not a commit id`);
  yield bytes;
}

function fileOf(bytes: Buffer): ExtractedFile {
  return { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function printable(name: string): string {
  return name.replace(/\p{Cc}/gu, '?').slice(0, 200);
}

export function invalidBackup(reason: string, cause: unknown = null): KodaError {
  return new KodaError('BAD_REQUEST', `The backup was not restored: ${reason}. Nothing was changed. Use another backup.`, {
    recovery: 'use_another_backup',
    ...(cause === null ? {} : { cause }),
  });
}

function diskFull(neededBytes: number, freeBytes: number): KodaError {
  const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
  return new KodaError(
    'STORAGE_FULL',
    `The backup was not restored: it needs at least ${megabytes(neededBytes)} MB, and the disk has ${megabytes(freeBytes)} MB free. Nothing was changed. Free up some space and try again.`,
    { recovery: 'free_disk_space' },
  );
}
