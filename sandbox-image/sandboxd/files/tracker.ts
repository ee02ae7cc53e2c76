import type { BigIntStats } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Changes, FileEntry } from '../../../server/contract/sandboxd.ts';
import { entryOf } from './entry.ts';
import { isStorable } from './storable.ts';
import { walkTree } from './walk.ts';

/**
 * File times move in steps of a kernel tick, 10 ms at the coarsest. What was touched less than two ticks
 * before it was looked at may be touched again without its times showing it.
 */
const settleMs = 20;

interface Seen {
  readonly entry: FileEntry;
  readonly fingerprint: string;
  readonly revision: number;
}

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
    const known = since >= this.#firstRevision && since <= this.#revision;
    const after = known ? since : 0;
    const changed = [...this.#seen.values()].filter((seen) => seen.revision > after).map((seen) => seen.entry);
    const deleted = known ? [...this.#deleted].filter(([, revision]) => revision > after).map(([path]) => path) : [];
    return { revision: this.#revision, changed, deleted: deleted.sort() };
  }

  /** One scan at a time, each begun after it was asked for. */
  async #scanOnce(): Promise<void> {
    const scan = this.#running.then(() => this.#scan());
    this.#running = scan.catch(() => undefined);
    await scan;
  }

  async #scan(): Promise<void> {
    let found = await this.#look();
    if (found.unsettled) {
      await delay(settleMs);
      found = await this.#look();
    }
    const next = this.#revision + 1;
    let changes = 0;
    for (const [path, { entry, fingerprint }] of found.files) {
      if (this.#seen.get(path)?.fingerprint === fingerprint) continue;
      this.#seen.set(path, { entry, fingerprint, revision: next });
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

  async #look(): Promise<{ files: Map<string, { entry: FileEntry; fingerprint: string }>; unsettled: boolean }> {
    const files = new Map<string, { entry: FileEntry; fingerprint: string }>();
    let unsettled = false;
    for await (const { path, stats } of walkTree(this.#workspace, [], { recursive: true })) {
      const entry = entryOf(path, stats);
      if (!entry || entry.type === 'directory' || !isStorable(path)) continue;
      const recent = Number(stats.ctimeMs) > Date.now() - settleMs;
      unsettled ||= recent;
      // A file that is being written all the time stays marked, and counts as changed next time.
      files.set(path, { entry, fingerprint: `${fingerprintOf(stats)}${recent ? ' unsettled' : ''}` });
    }
    return { files, unsettled };
  }
}

function fingerprintOf(stats: BigIntStats): string {
  return `${stats.ino} ${stats.mode} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
