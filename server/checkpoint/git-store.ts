import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isCancelled, KodaError } from '../contract/errors.ts';
import type { CheckpointEntry } from '../contract/http.ts';
import { newId } from '../contract/ids.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CheckpointStore } from '../session/ports.ts';
import type { CheckpointLedger, CheckpointRecord } from '../storage/checkpoint-ledger.ts';
import { type DataPaths, dataPaths } from '../storage/data-paths.ts';
import { sync } from '../storage/durable-file.ts';
import { fastImportStream } from './fast-import.ts';
import { GitError, git, gitOutput, historyDamaged } from './git.ts';
import { countPacks, ensureRepository, exists, sweepRepository } from './repository.ts';

/** Up to which revision of which sandbox a commit holds the files. */
interface Baseline {
  readonly sandboxId: string;
  readonly revision: number;
  readonly commitId: string;
}

interface Options {
  readonly dataDir: string;
  /** The running sandbox of a project; null when there is none. */
  readonly sandboxOf: (projectId: string, signal: AbortSignal) => Promise<Sandbox | null>;
  readonly ledger: CheckpointLedger;
}

/** A commit lives here until its row is written; the next save replaces it. */
const incomingRef = 'refs/koda/incoming';
const mainRef = 'refs/heads/main';
const maxPacks = 50;
/** A file that changes size while it is read breaks the archive: then everything is asked for again. */
const exportAttempts = 3;

/**
 * Checkpoints as commits of a bare repository per project. The order of a save: objects on disk → row and event in
 * one transaction → branch. The row decides which commit counts: whatever dies in between leaves at worst a commit
 * that nobody refers to, or a branch that the next save moves on.
 */
export class GitCheckpointStore implements CheckpointStore {
  readonly #paths: DataPaths;
  readonly #sandboxOf: Options['sandboxOf'];
  readonly #ledger: CheckpointLedger;
  readonly #baselines = new Map<string, Baseline>();
  readonly #tails = new Map<string, Promise<unknown>>();

  constructor({ dataDir, sandboxOf, ledger }: Options) {
    this.#paths = dataPaths(dataDir);
    this.#sandboxOf = sandboxOf;
    this.#ledger = ledger;
  }

  /** Null also when the project has no sandbox: then nothing can have changed. Throws NOT_FOUND, SANDBOX_DEAD, STORAGE_FULL, CANCELLED. */
  save(projectId: string, trigger: string, options: { signal: AbortSignal }): Promise<string | null> {
    return this.#oneAtATime(projectId, () => this.#save(projectId, trigger, options.signal));
  }

  /** Throws NOT_FOUND, SANDBOX_DEAD when there is no sandbox to fill, CANCELLED. */
  restore(projectId: string, options: { signal: AbortSignal; sandbox?: Sandbox }): Promise<string | null> {
    return this.#oneAtATime(projectId, () => this.#restore(projectId, options.sandbox ?? null, options.signal));
  }

  removeAll(projectId: string): Promise<void> {
    return this.#oneAtATime(projectId, async () => {
      this.#baselines.delete(projectId);
      const repository = this.#paths.repository(projectId);
      if (!(await exists(repository))) return;
      // First out of the way in one step: a repository that is half deleted must not look like one.
      const doomed = `${repository}.deleted`;
      await rm(doomed, { recursive: true, force: true });
      await rename(repository, doomed);
      await rm(doomed, { recursive: true, force: true });
    });
  }

  /** Newest first. */
  list(projectId: string): Promise<CheckpointEntry[]> {
    return this.#ledger.list(projectId);
  }

  async #save(projectId: string, trigger: string, signal: AbortSignal): Promise<string | null> {
    const last = await this.#ledger.latest(projectId);
    const sandbox = await this.#sandboxOf(projectId, signal);
    if (sandbox === null) return null;
    const repository = this.#paths.repository(projectId);
    await ensureRepository(repository, { signal });
    const id = newId('chk');
    const made = await this.#commitFiles({ projectId, sandbox, repository, last, message: commitMessage(trigger, id), signal });
    if (made === null) return null;
    await this.#ledger.add(projectId, { id, trigger, ...made });
    await git(['update-ref', mainRef, made.commitId], { repository, signal, input: null });
    await joinPacks(repository, signal);
    return id;
  }

  /** Makes a commit that holds the sandbox's files; null when they are those of the last one. */
  async #commitFiles(job: {
    projectId: string;
    sandbox: Sandbox;
    repository: string;
    last: CheckpointRecord | null;
    message: string;
    signal: AbortSignal;
  }): Promise<{ commitId: string; treeId: string } | null> {
    const { projectId, sandbox, repository, last, message, signal } = job;
    const known = this.#baselines.get(projectId);
    const baseline = known !== undefined && known.sandboxId === sandbox.id && known.commitId === last?.commitId ? known : null;
    const since = baseline?.revision ?? 0;
    // Asked before the archive: what changes in between is in the archive, and once more in the next one.
    const { revision, changed, deleted } = await sandbox.changes({ since, signal });
    if (baseline !== null && changed.length === 0 && deleted.length === 0) return null;
    await this.#import(repository, signal, async () =>
      fastImportStream({
        ref: incomingRef,
        parent: last?.commitId ?? null,
        message,
        at: new Date(),
        complete: baseline === null,
        deleted: baseline === null ? [] : deleted,
        tar: await sandbox.exportTar({ since, signal }),
      }),
    );
    const [commitId = '', treeId = ''] = (
      await git(['rev-parse', incomingRef, `${incomingRef}^{tree}`], { repository, signal, input: null })
    ).split('\n');
    const unchanged = treeId === last?.treeId;
    this.#baselines.set(projectId, { sandboxId: sandbox.id, revision, commitId: unchanged ? last.commitId : commitId });
    return unchanged ? null : { commitId, treeId };
  }

  async #import(repository: string, signal: AbortSignal, source: () => Promise<AsyncIterable<Uint8Array>>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await git(['fast-import', '--done', '--quiet', '--force'], { repository, signal, input: await source() });
        await sync(join(repository, 'objects', 'pack'));
        return;
      } catch (error) {
        await sweepRepository(repository);
        const final = error instanceof KodaError || error instanceof GitError || isCancelled(error);
        if (final || attempt === exportAttempts) throw error;
      }
    }
  }

  async #restore(projectId: string, empty: Sandbox | null, signal: AbortSignal): Promise<string | null> {
    const last = await this.#ledger.latest(projectId);
    if (last === null) return null;
    const sandbox = empty ?? (await this.#sandboxOf(projectId, signal));
    if (sandbox === null) {
      throw new KodaError('SANDBOX_DEAD', 'The files cannot be restored: the project has no running sandbox. Try again.', {
        recovery: 'retry',
      });
    }
    const repository = this.#paths.repository(projectId);
    const tree = `${last.commitId}^{tree}`;
    await requireCommit(repository, tree, signal);
    const archive = gitOutput(['archive', '--format=tar', tree], { repository, signal });
    try {
      await sandbox.importTar(archive, { clear: true, signal });
    } catch (error) {
      // The sandbox can only say that the archive broke off; git says why.
      throw archive.errored instanceof GitError ? archive.errored : error;
    } finally {
      archive.destroy();
    }
    await this.#ledger.restored(projectId, last.id);
    return last.id;
  }

  /** Saves and restores of one project follow each other; those of different projects do not wait. */
  async #oneAtATime<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(projectId) ?? Promise.resolve();
    const result = before.then(work, work);
    // The next one starts in either case; this one's caller hears of the failure.
    const tail = result.catch(() => undefined);
    this.#tails.set(projectId, tail);
    try {
      return await result;
    } finally {
      if (this.#tails.get(projectId) === tail) this.#tails.delete(projectId);
    }
  }
}

function commitMessage(trigger: string, checkpointId: string): string {
  return `${trigger.replace(/[\s\p{Cc}]+/gu, ' ')}\n\nKoda-Checkpoint: ${checkpointId}\n`;
}

/** Every save adds a pack; joining them now and then keeps look-ups fast. What nobody refers to stays, too. */
async function joinPacks(repository: string, signal: AbortSignal): Promise<void> {
  if ((await countPacks(repository)) <= maxPacks) return;
  await git(['repack', '--geometric=2', '-d', '-q'], { repository, signal, input: null });
}

async function requireCommit(repository: string, tree: string, signal: AbortSignal): Promise<void> {
  try {
    await git(['cat-file', '-e', tree], { repository, signal, input: null });
  } catch (cause) {
    if (!(cause instanceof GitError)) throw cause;
    throw historyDamaged(repository, cause);
  }
}
