import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '#contract/errors.ts';
import type { ProjectEvent } from '#contract/events.ts';
import { koda, type Principal } from '#contract/principal.ts';
import type { ProjectCore } from './deps.ts';
import type { EditLabel } from './kind.ts';

const quietMs = 5_000;
const maxDelayMs = 30_000;
/** Data that a program in the sandbox has stored is lost with its disk until it is saved. */
const dataDelayMs = 400;
const saveTimeoutMs = 60_000;
const closeTimeoutMs = 15_000;

/** A command may write any file, and a failed call may have written some. */
const changing: ReadonlySet<ProjectEvent['type']> = new Set(['file.written', 'file.deleted', 'tool.finished']);

interface Pending {
  readonly since: number;
  timer: NodeJS.Timeout;
}

/** Edits by the same principal in the same place, which share a checkpoint. */
interface EditGroup {
  readonly by: Principal;
  readonly place: string;
  readonly name: string;
  readonly words: Set<string>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Saves changed project files as checkpoints: debounced, at least every 30 s during continuous changes, and when the last viewer
 * leaves. Unchanged files create no checkpoint, so redundant calls are cheap. A failed save is logged and retried on the next
 * change or pass.
 */
export class Autosave {
  readonly #core: Pick<ProjectCore, 'checkpoints' | 'sandboxes' | 'log'>;
  readonly #pending = new Map<string, Pending>();
  readonly #edits = new Map<string, EditGroup>();
  /** Projects whose data is about to be saved (`timer`) or being saved, and whether there is more to save afterwards. */
  readonly #data = new Map<string, { timer: NodeJS.Timeout | null; isStale: boolean }>();
  readonly #saving = new Set<Promise<void>>();
  #closed = false;

  constructor(core: Pick<ProjectCore, 'checkpoints' | 'sandboxes' | 'log'>) {
    this.#core = core;
  }

  observe({ projectId, type }: Pick<ProjectEvent, 'projectId' | 'type'>): void {
    // The agent's writes do not belong to the edits before them.
    if (type === 'run.started' && this.#edits.has(projectId)) void this.#start(projectId, 'edit');
    if (this.#closed || !changing.has(type)) return;
    const pending = this.#pending.get(projectId);
    clearTimeout(pending?.timer);
    const since = pending?.since ?? performance.now();
    const waitMs = Math.max(0, Math.min(quietMs, since + maxDelayMs - performance.now()));
    const timer = setTimeout(() => {
      this.#pending.delete(projectId);
      // Document edits are saved together, within the same 30 s.
      if (!this.#edits.has(projectId)) void this.#start(projectId, 'autosave');
    }, waitMs);
    this.#pending.set(projectId, { since, timer });
  }

  /**
   * Call after the document has been edited. The files are saved within 30 s, with other edits in the same place, in one
   * checkpoint that describes the change. Resolves once earlier edits in another place have been saved.
   */
  async edited(projectId: string, { place, name, words }: EditLabel, by: Principal): Promise<void> {
    const open = this.#edits.get(projectId);
    if (open?.place === place && isDeepStrictEqual(open.by, by)) {
      for (const word of words) open.words.add(word);
      return;
    }
    if (this.#closed) return;
    const saved = open === undefined ? Promise.resolve() : this.#start(projectId, 'edit');
    const timer = setTimeout(() => void this.#start(projectId, 'edit'), maxDelayMs);
    this.#edits.set(projectId, { by, place, name, words: new Set(words), timer });
    await saved;
  }

  /**
   * Call when a program in the sandbox has stored what its user entered. A checkpoint contains it within a second, unless an
   * earlier save takes longer.
   */
  dataStored(projectId: string): void {
    const known = this.#data.get(projectId);
    if (known?.timer === null) known.isStale = true;
    if (this.#closed || known !== undefined) return;
    const save = async () => {
      state.timer = null;
      await this.#start(projectId, 'data');
      this.#data.delete(projectId);
      if (state.isStale) this.dataStored(projectId);
    };
    const state: { timer: NodeJS.Timeout | null; isStale: boolean } = {
      timer: setTimeout(() => void save(), dataDelayMs),
      isStale: false,
    };
    this.#data.set(projectId, state);
  }

  /** Call when the last viewer has closed the project. */
  viewersLeft(projectId: string): void {
    if (!this.#closed) void this.#start(projectId, 'viewer_left');
  }

  /** Saves all running sandboxes, because programs in them change files without events. */
  async saveAll({ signal }: { signal: AbortSignal }): Promise<void> {
    await this.#saveRunning('autosave', signal);
  }

  /** Saves everything one last time and stops. Never rejects, so that the shutdown continues. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of [...this.#pending.values(), ...this.#edits.values(), ...this.#data.values()])
      if (timer !== null) clearTimeout(timer);
    this.#pending.clear();
    await Promise.all(this.#saving);
    try {
      await this.#saveRunning('shutdown', AbortSignal.timeout(closeTimeoutMs));
    } catch (error) {
      this.#core.log.warn({ reason: errorMessage(error) }, 'failed to save running sandboxes at shutdown');
    }
  }

  async #saveRunning(trigger: string, signal: AbortSignal): Promise<void> {
    for (const projectId of await this.#core.sandboxes.list({ signal })) await this.#save(projectId, trigger, signal);
  }

  #start(projectId: string, trigger: string): Promise<void> {
    const saving = this.#save(projectId, trigger, AbortSignal.timeout(saveTimeoutMs));
    this.#saving.add(saving);
    void saving.finally(() => this.#saving.delete(saving));
    return saving;
  }

  async #save(projectId: string, trigger: string, signal: AbortSignal): Promise<void> {
    const edits = this.#edits.get(projectId);
    clearTimeout(edits?.timer);
    this.#edits.delete(projectId);
    if (this.#core.sandboxes.current(projectId) === null) return;
    try {
      await (edits === undefined
        ? this.#core.checkpoints.save(projectId, trigger, { by: koda('schedule'), signal })
        : this.#core.checkpoints.save(projectId, 'edit', {
            by: edits.by,
            signal,
            title: `${edits.name}: ${[...edits.words].join(', ')}`,
          }));
    } catch (error) {
      // The last checkpoint stays valid if the project was deleted, its sandbox ended or the disk is full.
      this.#core.log.warn({ projectId, trigger, reason: errorMessage(error) }, 'failed to save project files');
    }
  }
}
