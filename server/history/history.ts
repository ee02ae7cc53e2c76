import { Readable } from 'node:stream';
import { KodaError } from '#contract/errors.ts';
import {
  type ChangedFile,
  type CheckpointEntry,
  type DiffResponse,
  diffedFiles,
  listedFiles,
  maxPatchBytes,
} from '#contract/history.ts';
import type { CheckpointLedger, CheckpointRecord, StoredCheckpoint } from '../storage/checkpoint-ledger.ts';
import { type DataPaths, dataPaths } from '../storage/data-paths.ts';
import { nulTexts, parseDiff, parseNameStatus, UnreadableDiff } from './diff-parse.ts';
import { GitError, git, gitOutput, historyDamaged } from './git.ts';
import { requireCommit } from './repository.ts';

interface CallOptions {
  readonly signal: AbortSignal;
}

/** Id of the empty tree, which is the same in every repository. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
/** With more than 400 files, renames appear as deletions and additions, because detecting them takes too long. */
const renames = ['-M', '-l400'];
const plain = ['--no-ext-diff', '--no-textconv', '--no-color'];

/** Reads a project's history for the user. Never modifies a repository. */
export class GitHistory {
  readonly #paths: DataPaths;
  readonly #ledger: CheckpointLedger;

  constructor({ dataDir, ledger }: { dataDir: string; ledger: CheckpointLedger }) {
    this.#paths = dataPaths(dataDir);
    this.#ledger = ledger;
  }

  /** Lists checkpoints, newest first. Throws NOT_FOUND if the project does not exist. */
  async list(
    projectId: string,
    { signal, ...query }: CallOptions & { cursor: string | null; limit: number },
  ): Promise<{ items: CheckpointEntry[]; nextCursor: string | null }> {
    const { items, nextCursor } = await this.#ledger.list(projectId, query);
    return { items: await this.#entries(projectId, items, signal), nextCursor };
  }

  async entry(projectId: string, checkpointId: string, { signal }: CallOptions): Promise<CheckpointEntry> {
    const [entry] = await this.#entries(projectId, [await this.#ledger.find(projectId, checkpointId)], signal);
    if (entry === undefined) throw new Error('one checkpoint has one entry');
    return entry;
  }

  async newest(projectId: string, { signal }: CallOptions): Promise<CheckpointEntry | null> {
    const last = await this.#ledger.latest(projectId);
    return last === null ? null : await this.entry(projectId, last.id, { signal });
  }

  /** Compares a checkpoint with another one (by default its parent), line by line if `path` is set. Throws NOT_FOUND. */
  async diff(
    projectId: string,
    checkpointId: string,
    { against, path, signal }: CallOptions & { against: string | null; path: string | null },
  ): Promise<DiffResponse> {
    const checkpoint = await this.#ledger.find(projectId, checkpointId);
    const other = against === null ? null : await this.#ledger.find(projectId, against);
    const repository = this.#paths.repository(projectId);
    await requireCommit(repository, checkpoint.commitId, signal);
    const from = other?.commitId ?? (await parentOf(repository, checkpoint, signal));
    const sides = [from, checkpoint.commitId];
    const output = gitOutput(['diff-tree', '-r', '-z', ...renames, ...plain, '--raw', '--numstat', ...sides], {
      repository,
      signal,
    });
    const all = await orDamaged(repository, () => parseDiff(nulTexts(output)));
    const answer = { checkpointId, against, changedFiles: all.length };
    if (path === null) return { ...answer, files: all.slice(0, diffedFiles), patch: null, truncated: false };
    const file = all.find((candidate) => candidate.path === path);
    if (file === undefined) {
      throw new KodaError(
        'NOT_FOUND',
        `${JSON.stringify(path)} did not change in this checkpoint. Request the diff without a path to list the changed files.`,
        {
          recovery: 'list_changed_files',
        },
      );
    }
    if (file.binary) return { ...answer, files: [file], patch: null, truncated: false };
    const names = file.previousPath === null ? [path] : [file.previousPath, path];
    return { ...answer, files: [file], ...(await patchOf(repository, [...sides, '--', ...names], signal)) };
  }

  async archive(projectId: string, checkpointId: string, { signal }: CallOptions): Promise<Readable> {
    const { commitId } = await this.#ledger.find(projectId, checkpointId);
    const repository = this.#paths.repository(projectId);
    await requireCommit(repository, commitId, signal);
    return gitOutput(['archive', '--format=zip', commitId], { repository, signal });
  }

  async file(projectId: string, checkpointId: string, { path, signal }: CallOptions & { path: string }): Promise<Readable> {
    const { commitId } = await this.#ledger.find(projectId, checkpointId);
    const repository = this.#paths.repository(projectId);
    await requireCommit(repository, commitId, signal);
    const entry = await git(['ls-tree', '-z', '--full-tree', commitId, '--', path], { repository, signal, input: null });
    const [, blobId] = /^100(?:644|755) blob ([0-9a-f]{40})\t/.exec(entry) ?? [];
    if (blobId !== undefined) return gitOutput(['cat-file', 'blob', blobId], { repository, signal });
    throw new KodaError('NOT_FOUND', `The checkpoint has no file ${JSON.stringify(path)}.`, {
      recovery: 'list_changed_files',
    });
  }

  async #entries(projectId: string, kept: readonly StoredCheckpoint[], signal: AbortSignal): Promise<CheckpointEntry[]> {
    const repository = this.#paths.repository(projectId);
    const changes = await changesOf(repository, new Set(kept.map(({ commitId }) => commitId)), signal);
    return kept.map(({ commitId, id, trigger, title, name, restoredFrom, at, by, thumbnailUrl }) => {
      const change = changes.get(commitId);
      if (change === undefined) throw historyDamaged(repository, null);
      return {
        ...{ id, trigger, title, name, restoredFrom, at, ...(by && { by }), thumbnailUrl },
        ...{ changedFiles: change.count, files: change.files },
      };
    });
  }
}

/** Counts and lists each commit's changed files, using a single git process. */
async function changesOf(
  repository: string,
  commitIds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, { count: number; files: ChangedFile[] }>> {
  const changes = new Map<string, { count: number; files: ChangedFile[] }>();
  if (commitIds.size === 0) return changes;
  const input = Readable.from([Buffer.from(`${[...commitIds].join('\n')}\n`)]);
  const output = gitOutput(['diff-tree', '--stdin', '--root', '--always', '-r', '-z', ...renames, '--name-status'], {
    repository,
    signal,
    input,
  });
  await orDamaged(repository, async () => {
    for await (const { commitId, file } of parseNameStatus(nulTexts(output))) {
      const known = changes.get(commitId) ?? { count: 0, files: [] };
      changes.set(commitId, known);
      if (file === null) continue;
      known.count += 1;
      if (known.files.length < listedFiles) known.files.push(file);
    }
  });
  return changes;
}

async function parentOf(repository: string, { commitId }: CheckpointRecord, signal: AbortSignal): Promise<string> {
  const [, parent] = (await git(['rev-list', '--parents', '-n1', commitId], { repository, signal, input: null }))
    .trim()
    .split(' ');
  return parent ?? emptyTree;
}

/** Returns one file's patch, truncated after `maxPatchBytes`. */
async function patchOf(
  repository: string,
  sides: readonly string[],
  signal: AbortSignal,
): Promise<{ patch: string; truncated: boolean }> {
  const output = gitOutput(['diff-tree', '-r', '-p', ...renames, ...plain, ...sides], { repository, signal });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of output as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > maxPatchBytes) break;
  }
  const patch = Buffer.concat(pieces).subarray(0, maxPatchBytes).toString('utf8');
  return { patch, truncated: bytes > maxPatchBytes };
}

async function orDamaged<T>(repository: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof GitError || error instanceof UnreadableDiff ? historyDamaged(repository, error) : error;
  }
}
