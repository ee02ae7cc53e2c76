import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, openSync, readlinkSync, readSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Changes, FileEntry } from '../../../server/contract/sandboxd.ts';
import { pathProblem } from '../../../server/contract/storable.ts';
import { errnoOf } from '../http.ts';
import { entryOf, walkTree } from './walk.ts';
import { FolderCursor } from './workspace.ts';

/**
 * File times move in steps of a kernel tick, 10 ms at the coarsest. What was touched less than two ticks
 * before it was looked at may be touched again without its times showing it.
 */
const settleMs = 20;
/** So many fresh files are compared by their contents; for more it is quicker to wait until their times can be trusted. */
const maxFresh = 16;
const maxHashedBytes = 256 * 1024;
/** For one file after the other: it is read and hashed without a pause. One byte more shows a file that grew too large. */
const hashedBytes = Buffer.allocUnsafe(maxHashedBytes + 1);

interface Looked {
  readonly entry: FileEntry;
  readonly fingerprint: string;
  /** Whether its times may not show the next change. */
  readonly isFresh: boolean;
}

interface Seen {
  readonly entry: FileEntry;
  readonly fingerprint: string;
  /** What it held while its times could not be trusted; null since they can. */
  readonly content: string | null;
  readonly revision: number;
}

/** Of a file that is too large or that cannot be read: it never counts as the same. */
const unknownContent = 'unknown';

/**
 * Tells what changed in the workspace since a revision, by looking at the files themselves: what a shell
 * command did counts like what came over the protocol. Revisions grow with every scan that finds a change;
 * they start at the time of day, so that one of an earlier sandbox is older than everything here.
 */
export class ChangeTracker {
  readonly #workspace: string;
  readonly #firstRevision: number;
  #revision: number;
  #seen = new Map<string, Seen>();
  readonly #deleted = new Map<string, number>();
  #running: Promise<void> = Promise.resolve();

  constructor(workspace: string) {
    this.#workspace = workspace;
    this.#firstRevision = Date.now();
    this.#revision = this.#firstRevision;
  }

  /** Files and links that changed or went after `since`; 0, or a revision of another sandbox, = all there are. */
  async changes(since: number): Promise<Changes> {
    await this.#scanOnce();
    const deleted = this.#knows(since) ? [...this.#deleted].filter(([, revision]) => revision > since).map(([path]) => path) : [];
    return { revision: this.#revision, changed: this.#changedAfter(since), deleted: deleted.sort() };
  }

  /** What an answer of `changes` with that revision contained; looks again when there was no such answer. */
  async changedBy(revision: number, since: number): Promise<FileEntry[]> {
    if (!this.#knows(revision)) await this.#scanOnce();
    return this.#changedAfter(since);
  }

  #knows(revision: number): boolean {
    return revision >= this.#firstRevision && revision <= this.#revision;
  }

  #changedAfter(since: number): FileEntry[] {
    const after = this.#knows(since) ? since : 0;
    return [...this.#seen.values()].filter((seen) => seen.revision > after).map((seen) => seen.entry);
  }

  /** One scan at a time, each begun after it was asked for. */
  async #scanOnce(): Promise<void> {
    const scan = this.#running.then(() => this.#scan());
    this.#running = scan.catch(() => undefined);
    await scan;
  }

  async #scan(): Promise<void> {
    let found = await this.#look();
    if (found.fresh > maxFresh) {
      await delay(settleMs);
      found = await this.#look();
    }
    using cursor = new FolderCursor(this.#workspace, { create: false });
    const next = this.#revision + 1;
    let changes = 0;
    for (const [path, { entry, fingerprint, isFresh }] of found.files) {
      const before = this.#seen.get(path);
      const hasSameTimes = before?.fingerprint === fingerprint;
      if (hasSameTimes && before.content === null && !isFresh) continue;
      const content = isFresh || hasSameTimes ? contentOf(cursor, entry) : null;
      const isSame = hasSameTimes && before.content === content && content !== unknownContent;
      this.#seen.set(path, { entry, fingerprint, content: isFresh ? content : null, revision: isSame ? before.revision : next });
      if (isSame) continue;
      this.#deleted.delete(path);
      changes++;
    }
    for (const path of this.#seen.keys()) {
      if (found.files.has(path)) continue;
      this.#seen.delete(path);
      this.#deleted.set(path, next);
      changes++;
    }
    if (changes > 0) this.#revision = next;
  }

  async #look(): Promise<{ files: Map<string, Looked>; fresh: number }> {
    const files = new Map<string, Looked>();
    let fresh = 0;
    for await (const { path, stats } of walkTree(this.#workspace, [], { recursive: true })) {
      const entry = entryOf(path, stats);
      if (!entry || entry.type === 'directory' || !(this.#seen.has(path) || pathProblem(path) === null)) continue;
      const isFresh = Number(stats.ctimeMs) > Date.now() - settleMs;
      if (isFresh) fresh++;
      files.set(path, { entry, fingerprint: fingerprintOf(stats), isFresh });
    }
    return { files, fresh };
  }
}

/** A hash of a small file or the target of a link. */
function contentOf(cursor: FolderCursor, { type, path, sizeBytes }: FileEntry): string {
  if (sizeBytes > maxHashedBytes) return unknownContent;
  try {
    const place = cursor.place(path);
    return type === 'symlink' ? `link to ${readlinkSync(place)}` : hashOf(place);
  } catch (error) {
    // Gone, closed to us or something else by now: the next look shows.
    if (errnoOf(error) === null) throw error;
    return unknownContent;
  }
}

function hashOf(place: string): string {
  const descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
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
