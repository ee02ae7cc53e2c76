import { constants, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Header } from 'tar-stream';
import { isUntracked, linkProblem } from '#contract/sandbox/storable.ts';
import { errnoOf, ProtocolError } from '../http.ts';
import { invalidPath, type OpenFolder, projectPath } from './workspace.ts';

const maxEntries = 20_000;
const maxArchiveBytes = 2 * 1024 ** 3;
const maxContentBytes = 2 * 1024 ** 3;
const maxWholeBytes = 256 * 1024;
/** An archive ends with two empty blocks of 512 bytes. */
const endMarkerBytes = 1024;

/** Validated entry. A file's content is stored in the staging folder under its number. */
export type Staged =
  | { readonly type: 'file'; readonly staging: string; readonly executable: boolean }
  | { readonly type: 'symlink'; readonly target: string }
  | { readonly type: 'directory' };

export interface StagedArchive {
  readonly entries: ReadonlyMap<string, Staged>;
  readonly bytes: number;
}

/** Extracts an archive under safe names and validates it. Throws INVALID_ARCHIVE, INVALID_PATH or TOO_LARGE. */
export async function stageArchive(content: AsyncIterable<Uint8Array>, staging: OpenFolder): Promise<StagedArchive> {
  const staged = await stage(content, staging);
  rejectConflicts(staged.entries);
  return staged;
}

async function stage(content: AsyncIterable<Uint8Array>, staging: OpenFolder): Promise<StagedArchive> {
  const archive = extract();
  const input = pipeline(content, checkEnd(), archive);
  // `input` is awaited below. Until then, the iteration reports the same error.
  input.catch(() => undefined);
  const entries = new Map<string, Staged>();
  let bytes = 0;
  try {
    for await (const entry of archive) {
      const { path, staged } = validateEntry(entry.header, entries.size);
      if (entries.has(path)) throw new ProtocolError('INVALID_ARCHIVE', `The archive contains "${path}" twice.`);
      if (staged.type === 'file') {
        bytes += entry.header.size;
        if (bytes > maxContentBytes)
          throw new ProtocolError('TOO_LARGE', `The archive unpacks to more than ${maxContentBytes} bytes.`);
        const mode = staged.executable ? 0o755 : 0o644;
        await writeStaged(staging.at(staged.staging), entry as AsyncIterable<Uint8Array>, { mode, sizeBytes: entry.header.size });
      } else {
        entry.resume();
      }
      entries.set(path, staged);
    }
    await input;
  } catch (error) {
    archive.destroy();
    if (error instanceof ProtocolError || errnoOf(error)?.startsWith('E')) throw error;
    throw new ProtocolError(
      'INVALID_ARCHIVE',
      `The archive cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  entries.delete('');
  return { entries, bytes };
}

function validateEntry(header: Header, index: number): { path: string; staged: Staged } {
  const { name, type, linkname, mode } = header;
  if (index >= maxEntries) throw new ProtocolError('TOO_LARGE', `The archive contains more than ${maxEntries} entries.`);
  // `tar -C folder .` adds an entry for `./` itself.
  if (type === 'directory' && /^(\.\/?)?$/.test(name)) return { path: '', staged: { type } };
  projectPath(name);
  // Keeps the Unicode form (NFC or NFD) of the name in the archive.
  const path = name
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
  if (isUntracked(path)) throw invalidPath(path, 'it is in a folder that is never part of a project');
  if (type === 'directory') return { path, staged: { type } };
  if (type === 'symlink') {
    const problem = linkProblem(path, linkname);
    if (problem !== null) throw invalidPath(path, problem);
    return { path, staged: { type, target: linkname } };
  }
  if (type !== 'file' && type !== 'contiguous-file') {
    throw new ProtocolError('INVALID_ARCHIVE', `"${path}" is a ${type}; only files, folders and symbolic links are supported.`);
  }
  return { path, staged: { type: 'file', staging: String(index), executable: (mode & 0o100) !== 0 } };
}

async function writeStaged(
  path: string,
  content: AsyncIterable<Uint8Array>,
  options: { mode: number; sizeBytes: number },
): Promise<void> {
  if (options.sizeBytes <= maxWholeBytes) {
    // For a small file, a synchronous write is faster than using the thread pool.
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    writeFileSync(path, Buffer.concat(chunks), { flag: 'wx', mode: options.mode });
    return;
  }
  await using file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, options.mode);
  for await (const chunk of content) await file.writeFile(chunk);
}

/** Rejects entries inside a non-folder, because a link in the archive could redirect them. */
function rejectConflicts(entries: ReadonlyMap<string, Staged>): void {
  for (const path of entries.keys()) {
    for (const parent of parentsOf(path)) {
      const entry = entries.get(parent);
      if (entry && entry.type !== 'directory') {
        throw new ProtocolError('INVALID_ARCHIVE', `The archive contains "${path}" below "${parent}", which is not a folder.`);
      }
    }
  }
}

export function parentsOf(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** Passes an archive through. Rejects it if it is too large or truncated. */
function checkEnd(): Transform {
  let tail: Buffer = Buffer.alloc(0);
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      tail = Buffer.concat([tail, chunk.subarray(-endMarkerBytes)]).subarray(-endMarkerBytes);
      done(
        bytes > maxArchiveBytes ? new ProtocolError('TOO_LARGE', `The archive is larger than ${maxArchiveBytes} bytes.`) : null,
        chunk,
      );
    },
    flush(done) {
      const complete = tail.length === endMarkerBytes && tail.every((byte) => byte === 0);
      done(
        complete
          ? null
          : new ProtocolError('INVALID_ARCHIVE', 'The archive is incomplete: its end marker is missing. Send it again.'),
      );
    },
  });
}
