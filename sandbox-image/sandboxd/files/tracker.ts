import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, openSync, readlinkSync, readSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import type { Changes, FileEntry } from '#contract/sandbox/answers.ts';
import { pathProblem } from '#contract/sandbox/storable.ts';
import { errnoOf } from '../http.ts';
import { entryOf, walkTree } from './walk.ts';
import { FolderCursor } from './workspace.ts';

/** Two kernel ticks, of at most 10 ms each. A file that was modified more recently may change again with the same timestamps. */
const settleMs = 20;
/** Maximum number of fresh files to compare by content. With more, it is faster to wait until timestamps are reliable. */
const maxFresh = 16;
const maxHashedBytes = 256 * 1024;
/** Buffer shared by all files, because hashing is synchronous. The extra byte detects a file that has grown too large. */
const hashedBytes = Buffer.allocUnsafe(maxHashedBytes + 1);

interface ScannedFile {
  readonly entry: FileEntry;
  readonly fingerprint: string;
  /** Whether the timestamps may miss the next change. */
  readonly isFresh: boolean;
}

interface KnownFile {
  readonly entry: FileEntry;
  readonly fingerprint: string;
  /** Content hash while the timestamps are unreliable, otherwise `null`. */
  readonly content: string | null;
  readonly revision: number;
}

/** Placeholder for a file that is too large or unreadable. It never compares as equal. */
const unknownContent = 'unknown';

/**
 * Detects changes in the workspace since a revision by scanning the files, so that changes by shell commands count too. Each
 * scan that finds changes increments the revision. Revisions start at the current time, so that those from an earlier sandbox
 * are always older.
 */
export class ChangeTracker {
  readonly #workspace: string;
  readonly #firstRevision: number;
  #revision: number;
  #known = new Map<string, KnownFile>();
  readonly #deleted = new Map<string, number>();
  readonly #scanning = new Mutex();

  constructor(workspace: string) {
    this.#workspace = workspace;
    this.#firstRevision = Date.now();
    this.#revision = this.#firstRevision;
  }

  /**
   * Returns what has changed or been deleted since `since`, or all files if `since` is 0 or an earlier sandbox's revision.
   */
  async changes(since: number): Promise<Changes> {
    await this.#scanOnce();
    const deleted = this.#isKnown(since)
      ? [...this.#deleted].filter(([, revision]) => revision > since).map(([path]) => path)
      : [];
    return { revision: this.#revision, changed: this.#changedAfter(since), deleted: deleted.sort() };
  }

  /** Returns the files in the `changes` response with that revision. Scans again if there was no such response. */
  async changedBy(revision: number, since: number): Promise<FileEntry[]> {
    if (!this.#isKnown(revision)) await this.#scanOnce();
    return this.#changedAfter(since);
  }

  #isKnown(revision: number): boolean {
    return revision >= this.#firstRevision && revision <= this.#revision;
  }

  #changedAfter(since: number): FileEntry[] {
    const after = this.#isKnown(since) ? since : 0;
    return [...this.#known.values()].filter((seen) => seen.revision > after).map((seen) => seen.entry);
  }

  /** Serialises scans. Each one starts after its request, so it includes all earlier changes. */
  async #scanOnce(): Promise<void> {
    await this.#scanning.runExclusive(() => this.#scan());
  }

  async #scan(): Promise<void> {
    let found = await this.#scanFiles();
    if (found.fresh > maxFresh) {
      await delay(settleMs);
      found = await this.#scanFiles();
    }
    using cursor = new FolderCursor(this.#workspace, { create: false });
    const next = this.#revision + 1;
    let changes = 0;
    for (const [path, { entry, fingerprint, isFresh }] of found.files) {
      const before = this.#known.get(path);
      const hasSameTimes = before?.fingerprint === fingerprint;
      if (hasSameTimes && before.content === null && !isFresh) continue;
      const content = isFresh || hasSameTimes ? contentOf(cursor, entry) : null;
      const isSame = hasSameTimes && before.content === content && content !== unknownContent;
      this.#known.set(path, { entry, fingerprint, content: isFresh ? content : null, revision: isSame ? before.revision : next });
      if (isSame) continue;
      this.#deleted.delete(path);
      changes++;
    }
    for (const path of this.#known.keys()) {
      if (found.files.has(path)) continue;
      this.#known.delete(path);
      this.#deleted.set(path, next);
      changes++;
    }
    if (changes > 0) this.#revision = next;
  }

  async #scanFiles(): Promise<{ files: Map<string, ScannedFile>; fresh: number }> {
    const files = new Map<string, ScannedFile>();
    let fresh = 0;
    const startedAtMs = Date.now();
    for await (const { path, stats } of walkTree(this.#workspace, [], { recursive: true })) {
      const entry = entryOf(path, stats);
      if (!entry || entry.type === 'directory' || !(this.#known.has(path) || pathProblem(path) === null)) continue;
      const isFresh = Number(stats.ctimeMs) > startedAtMs - settleMs;
      if (isFresh) fresh++;
      files.set(path, { entry, fingerprint: fingerprintOf(stats), isFresh });
    }
    return { files, fresh };
  }
}

function contentOf(cursor: FolderCursor, { type, path, sizeBytes }: FileEntry): string {
  if (sizeBytes > maxHashedBytes) return unknownContent;
  try {
    const target = cursor.resolve(path);
    return type === 'symlink' ? `link to ${readlinkSync(target)}` : hashOf(target);
  } catch (error) {
    // The file was deleted or replaced or is unreadable, which the next scan detects.
    if (errnoOf(error) === null) throw error;
    return unknownContent;
  }
}

function hashOf(target: string): string {
  const descriptor = openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const length = readSync(descriptor, hashedBytes);
    if (length > maxHashedBytes) return unknownContent;
    return createHash('sha256').update(hashedBytes.subarray(0, length)).digest('base64');
  } finally {
    closeSync(descriptor);
  }
}

function fingerprintOf(stats: BigIntStats): string {
  return `${stats.ino} ${stats.mode} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
