import { pipeline } from 'node:stream/promises';
import { extract, type Header } from 'tar-stream';
import { KodaError } from '#contract/errors.ts';
import { linkProblem, pathProblem } from '#contract/sandbox/storable.ts';
import { failpoint } from '../lib/failpoint.ts';
import { megabytes } from '../lib/megabytes.ts';

interface CommitHead {
  /** Reference that will point to the commit. Its previous value is overwritten. */
  readonly ref: string;
  readonly parent: string | null;
  readonly message: string;
  readonly at: Date;
}

export interface CommitSource extends CommitHead {
  /** Whether the tar contains all files. If not, it contains only those changed since the parent commit. */
  readonly complete: boolean;
  /** Paths deleted since the parent commit. */
  readonly deleted: readonly string[];
  readonly tar: AsyncIterable<Uint8Array>;
  /** Returns whether to omit a path from the commit. By default, none is omitted. */
  readonly isLeftOut?: (path: string) => Promise<boolean>;
  readonly limits?: CheckpointLimits;
}

const identity = 'Koda <koda@localhost>';

/**
 * Streams a commit for `importCommit` without buffering file contents. If the stream ends early, its last line is missing, so
 * git does not create the commit. Throws INVALID_PATH for names that a repository must not contain, TOO_LARGE beyond the
 * limits, and an Error if the archive is truncated.
 */
export async function* fastImportStream(source: CommitSource): AsyncGenerator<Uint8Array> {
  yield* head(source);
  if (source.complete) yield line('deleteall');
  // Deletions come before changes, because a folder may replace a file.
  for (const path of source.deleted) yield line(`D ${quotePath(storablePath(path))}`);
  yield* changes(source.tar, source.isLeftOut ?? (async () => false), source.limits ?? checkpointLimits);
  yield* end();
}

export async function* treeCommitStream(source: CommitHead & { readonly treeId: string }): AsyncGenerator<Uint8Array> {
  yield* head(source);
  yield line(`M 040000 ${source.treeId} ""`);
  yield* end();
}

/** Makes a git process that was started before it was known that nothing had changed exit without creating objects. */
export function* emptyStream(): Generator<Uint8Array> {
  yield line('done');
}

/** Parses the ids that git prints at the end of the stream. Throws an Error if there are none. */
export function idsOf(printed: string): { commitId: string; treeId: string } {
  const { commitId, treeId } = /^(?<commitId>[0-9a-f]+)\n040000 tree (?<treeId>[0-9a-f]+)\t\n$/.exec(printed)?.groups ?? {};
  if (commitId === undefined || treeId === undefined)
    throw new Error(`git fast-import printed no commit id: ${JSON.stringify(printed)}`);
  return { commitId, treeId };
}

function* head({ ref, parent, message, at }: CommitHead): Generator<Uint8Array> {
  yield line(`commit ${ref}`);
  yield line('mark :1');
  yield line(`committer ${identity} ${Math.floor(at.getTime() / 1000)} +0000`);
  yield* data(Buffer.from(message));
  if (parent !== null) yield line(`from ${parent}`);
}

/** Requests the ids of the commit and its tree, which saves a second git process. */
function* end(): Generator<Uint8Array> {
  yield line('');
  yield line('get-mark :1');
  yield line('ls :1 ""');
  yield line('done');
}

async function* changes(
  tar: AsyncIterable<Uint8Array>,
  isLeftOut: (path: string) => Promise<boolean>,
  limits: CheckpointLimits,
): AsyncGenerator<Uint8Array> {
  const budget = new ArchiveBudget(limits);
  const archive = extract();
  const fed = pipeline(checkArchiveEnd(tar), archive);
  // Awaited below. Until then, a failure also reaches the iteration.
  fed.catch(() => undefined);
  try {
    for await (const entry of archive) {
      const { header } = entry;
      budget.take(header.name, header.size ?? 0);
      if (header.type === 'directory') {
        entry.resume();
        continue;
      }
      // Validated first, because pattern matching relies on the limits on length and depth.
      const path = storablePath(header.name);
      if (await isLeftOut(path)) {
        entry.resume();
      } else if (header.type === 'symlink') {
        const target = storableTarget(path, header);
        yield line(`M 120000 inline ${quotePath(path)}`);
        yield* data(Buffer.from(target));
        entry.resume();
      } else if (header.type === 'file' || header.type === 'contiguous-file') {
        const mode = ((header.mode ?? 0) & 0o100) === 0 ? '100644' : '100755';
        yield line(`M ${mode} inline ${quotePath(path)}`);
        yield line(`data ${header.size ?? 0}`);
        failpoint('checkpoint.during-import');
        yield* entry as AsyncIterable<Uint8Array>;
        yield line('');
      } else {
        throw refused(header.name, `it is a ${header.type}`);
      }
    }
    await fed;
  } finally {
    archive.destroy();
  }
}

function line(text: string): Uint8Array {
  return Buffer.from(`${text}\n`);
}

function* data(bytes: Uint8Array): Generator<Uint8Array> {
  yield line(`data ${bytes.byteLength}`);
  yield bytes;
  yield line('');
}

/** Quotes a path in C style for fast-import. Non-ASCII UTF-8 is not escaped. */
function quotePath(path: string): string {
  const escaped = path.replace(/["\\\p{Cc}]/gu, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  });
  return `"${escaped}"`;
}

function storablePath(path: string): string {
  const plain = path.replace(/^(\.\/)+/, '');
  const problem = pathProblem(plain);
  if (problem !== null) throw refused(path, problem);
  return plain;
}

function storableTarget(path: string, header: Header): string {
  const target = header.linkname ?? '';
  const problem = linkProblem(path, target);
  if (problem !== null) throw refused(path, problem);
  return target;
}

const shownCharacters = 200;

function refused(path: string, reason: string): KodaError {
  const shown = path.slice(0, shownCharacters);
  return new KodaError(
    'INVALID_PATH',
    `The checkpoint was not created: the sandbox sent ${JSON.stringify(shown)}, but ${reason}.`,
    {
      details: { path: shown },
    },
  );
}

const gibibyte = 1024 ** 3;

/** Limits that a new sandbox accepts (`tar-stage.ts`). They protect the data folder's disk, which all projects share. */
export const checkpointLimits = {
  fileBytes: gibibyte,
  contentBytes: 2 * gibibyte - 64 * 1024 ** 2,
  entries: 20_000,
  /** Packed size of all checkpoints in a project. Otherwise, a file that is constantly rewritten would fill the disk. */
  historyBytes: 16 * gibibyte,
} as const;

export type CheckpointLimits = { readonly [Name in keyof typeof checkpointLimits]: number };

export class ArchiveBudget {
  readonly #limits: CheckpointLimits;
  #entries = 0;
  #bytes = 0;

  constructor(limits: CheckpointLimits) {
    this.#limits = limits;
  }

  take(path: string, sizeBytes: number): void {
    const { entries, fileBytes, contentBytes } = this.#limits;
    this.#entries += 1;
    this.#bytes += sizeBytes;
    if (this.#entries > entries) throw tooLarge(`the project has more than ${entries} files and folders`);
    if (sizeBytes > fileBytes)
      throw tooLarge(`${JSON.stringify(path.slice(0, 200))} exceeds the limit of ${megabytes(fileBytes)} MB per file`);
    if (this.#bytes > contentBytes) throw tooLarge(`the project's files exceed ${megabytes(contentBytes)} MB`);
  }
}

function tooLarge(what: string): KodaError {
  return new KodaError(
    'TOO_LARGE',
    `The checkpoint was not created: ${what}. The previous checkpoint is unchanged. Delete files that the film does not need, or write them to dist/, which is not saved.`,
    { recovery: 'delete_files' },
  );
}

/** A tar archive ends with two empty blocks of 512 bytes. */
const endMarkerBytes = 1024;

/** Passes an archive through. Throws an Error if it is truncated, because it would look like a smaller project. */
export async function* checkArchiveEnd(tar: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let tail: Uint8Array = Buffer.alloc(0);
  for await (const chunk of tar) {
    tail =
      chunk.byteLength >= endMarkerBytes
        ? chunk.subarray(-endMarkerBytes)
        : Buffer.concat([tail, chunk]).subarray(-endMarkerBytes);
    yield chunk;
  }
  if (tail.byteLength === endMarkerBytes && tail.every((byte) => byte === 0)) return;
  throw new Error('The archive of project files is incomplete. Try again.');
}
