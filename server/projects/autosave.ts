import { errorMessage } from '#contract/errors.ts';
import type { ProjectEvent } from '#contract/events.ts';
import type { EditLabel } from '../authors/kind.ts';
import type { ProjectCore } from './deps.ts';

/** How long after the last change the files are saved, and how long changes may go on before they are (A21). */
const quietMs = 5_000;
const longestMs = 30_000;
const saveTimeoutMs = 60_000;
/** Within the time that a container is given to end. */
const closeTimeoutMs = 15_000;

/** A command may have written anything, and what a call wrote before it failed counts as well. */
const changing: ReadonlySet<ProjectEvent['type']> = new Set(['file.written', 'file.deleted', 'tool.finished']);

interface Pending {
  readonly since: number;
  timer: NodeJS.Timeout;
}

/** Edits of one place that share a checkpoint. */
interface EditGroup {
  readonly place: string;
  readonly name: string;
  readonly words: Set<string>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Saves the files of projects while they change: a moment after the last change, now and then when it does not end,
 * and when the last viewer leaves. What does not differ from the last checkpoint makes no new one, so asking too
 * often costs little. A failure is logged and made good by the next change or round.
 */
export class Autosave {
  readonly #core: Pick<ProjectCore, 'checkpoints' | 'sandboxes' | 'log'>;
  readonly #pending = new Map<string, Pending>();
  readonly #edits = new Map<string, EditGroup>();
  readonly #saving = new Set<Promise<void>>();
  #closed = false;

  constructor(core: Pick<ProjectCore, 'checkpoints' | 'sandboxes' | 'log'>) {
    this.#core = core;
  }

  /** Takes every event of every project. */
  observe({ projectId, type }: Pick<ProjectEvent, 'projectId' | 'type'>): void {
    // What the agent writes is no part of the edits before it.
    if (type === 'run.started' && this.#edits.has(projectId)) void this.#begin(projectId, 'edit');
    if (this.#closed || !changing.has(type)) return;
    const pending = this.#pending.get(projectId);
    clearTimeout(pending?.timer);
    const since = pending?.since ?? Date.now();
    const waitMs = Math.max(0, Math.min(quietMs, since + longestMs - Date.now()));
    const timer = setTimeout(() => {
      this.#pending.delete(projectId);
      // Edits of the document are saved together, within the same 30 s.
      if (!this.#edits.has(projectId)) void this.#begin(projectId, 'autosave');
    }, waitMs);
    this.#pending.set(projectId, { since, timer });
  }

  /**
   * The document is edited: its files are saved within 30 s, with the other edits of that place in one checkpoint that names
   * what changed. Resolves once edits of another place before it are saved.
   */
  async edited(projectId: string, { place, name, words }: EditLabel): Promise<void> {
    const open = this.#edits.get(projectId);
    if (open?.place === place) {
      for (const word of words) open.words.add(word);
      return;
    }
    if (this.#closed) return;
    const saved = open === undefined ? Promise.resolve() : this.#begin(projectId, 'edit');
    const timer = setTimeout(() => void this.#begin(projectId, 'edit'), longestMs);
    this.#edits.set(projectId, { place, name, words: new Set(words), timer });
    await saved;
  }

  /** Nobody looks at the project any more. */
  viewersLeft(projectId: string): void {
    if (!this.#closed) void this.#begin(projectId, 'viewer_left');
  }

  /** One round over all running sandboxes: programs in them change files without an event. */
  async saveAll({ signal }: { signal: AbortSignal }): Promise<void> {
    await this.#round('autosave', signal);
  }

  /** The last round: nothing begins after it. Never rejects, since what follows a shutdown has to follow. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of [...this.#pending.values(), ...this.#edits.values()]) clearTimeout(timer);
    this.#pending.clear();
    await Promise.all(this.#saving);
    try {
      await this.#round('shutdown', AbortSignal.timeout(closeTimeoutMs));
    } catch (error) {
      this.#core.log.warn({ reason: errorMessage(error) }, 'the files of running sandboxes could not be saved at the end');
    }
  }

  async #round(trigger: string, signal: AbortSignal): Promise<void> {
    for (const projectId of await this.#core.sandboxes.list({ signal })) await this.#save(projectId, trigger, signal);
  }

  #begin(projectId: string, trigger: string): Promise<void> {
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
    const title = edits === undefined ? null : `${edits.name}: ${[...edits.words].join(', ')}`;
    try {
      await (title === null
        ? this.#core.checkpoints.save(projectId, trigger, { signal })
        : this.#core.checkpoints.save(projectId, 'edit', { signal, title }));
    } catch (error) {
      // The project may be gone, its sandbox may end in this moment, the disk may be full: the last checkpoint stays.
      this.#core.log.warn({ projectId, trigger, reason: errorMessage(error) }, 'the files of a project could not be saved');
    }
  }
}
