import { pipeline } from 'node:stream/promises';
import { extract, type Header } from 'tar-stream';
import { KodaError } from '../contract/errors.ts';
import { linkProblem, pathProblem } from '../contract/storable.ts';
import { failpoint } from '../lib/failpoint.ts';
import { ArchiveBudget, type CheckpointLimits, checkpointLimits } from './sandbox-limits.ts';
import { checkArchiveEnd } from './tar-end.ts';

/** What every new commit has. */
interface CommitHead {
  /** Where the commit becomes visible to git; whatever was there is replaced. */
  readonly ref: string;
  /** The commit that the changes build on; null = a first commit. */
  readonly parent: string | null;
  readonly message: string;
  readonly at: Date;
}

/** What a new commit is made of. */
export interface CommitSource extends CommitHead {
  /** True: the tar holds all files, and what is not in it goes. False: it holds those that changed since the parent. */
  readonly complete: boolean;
  /** Paths that are gone since the parent. */
  readonly deleted: readonly string[];
  /** Files and symbolic links. */
  readonly tar: AsyncIterable<Uint8Array>;
  /** What of the tar does not belong into the commit; absent = all of it does. */
  readonly isLeftOut?: (path: string) => Promise<boolean>;
  /** What it may hold; those of every checkpoint when it is left out. */
  readonly limits?: CheckpointLimits;
}

const identity = 'Koda <koda@localhost>';

/**
 * The commit as a stream for `importCommit`. File contents pass through piece by piece. Whatever ends
 * this stream early also keeps git from making the commit, because its last line is missing then.
 * Throws INVALID_PATH for names that no repository should hold, TOO_LARGE beyond the limits, and an Error when the archive
 * is cut off.
 */
export async function* fastImportStream(source: CommitSource): AsyncGenerator<Uint8Array> {
  yield* head(source);
  if (source.complete) yield line('deleteall');
  // Before the changes: a folder may stand now where a file was.
  for (const path of source.deleted) yield line(`D ${quotePath(storablePath(path))}`);
  yield* changes(source.tar, source.isLeftOut ?? (async () => false), source.limits ?? checkpointLimits);
  yield* end();
}

/** A commit of files that the repository has already, for `importCommit`. */
export async function* treeCommitStream(source: CommitHead & { readonly treeId: string }): AsyncGenerator<Uint8Array> {
  yield* head(source);
  yield line(`M 040000 ${source.treeId} ""`);
  yield* end();
}

/** For a git that was started before it was known whether there is anything to commit: it ends and leaves nothing. */
export function* noCommitStream(): Generator<Uint8Array> {
  yield line('done');
}

/** What git prints at the end of such a stream. Throws when there is nothing of the kind. */
export function idsOf(printed: string): { commitId: string; treeId: string } {
  const { commitId, treeId } = /^(?<commitId>[0-9a-f]+)\n040000 tree (?<treeId>[0-9a-f]+)\t\n$/.exec(printed)?.groups ?? {};
  if (commitId === undefined || treeId === undefined)
    throw new Error(`git fast-import told no commit: ${JSON.stringify(printed)}`);
  return { commitId, treeId };
}

function* head({ ref, parent, message, at }: CommitHead): Generator<Uint8Array> {
  yield line(`commit ${ref}`);
  yield line('mark :1');
  yield line(`committer ${identity} ${Math.floor(at.getTime() / 1000)} +0000`);
  yield* data(Buffer.from(message));
  if (parent !== null) yield line(`from ${parent}`);
}

/** Asks for the ids of the commit and its tree, so that no second git has to. */
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
  // It is awaited below; until then its failure shows in the iteration, too.
  fed.catch(() => undefined);
  try {
    for await (const entry of archive) {
      const { header } = entry;
      budget.take(header.name, header.size ?? 0);
      if (header.type === 'directory') {
        // git knows folders by what is in them.
        entry.resume();
        continue;
      }
      // Before any pattern is matched: what follows may rely on the limits of length and depth.
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

/** C-style quotes, as fast-import reads them; UTF-8 beyond ASCII stands as it is. */
function quotePath(path: string): string {
  const escaped = path.replace(/["\\\p{Cc}]/gu, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  });
  return `"${escaped}"`;
}

/** The path as it is written, when it passes the rules for paths. */
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
  return new KodaError('INVALID_PATH', `The checkpoint was not made: the sandbox sent ${JSON.stringify(shown)}, but ${reason}.`, {
    details: { path: shown },
  });
}
