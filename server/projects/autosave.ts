import { errorMessage } from '#contract/errors.ts';
import type { ProjectEvent } from '#contract/events.ts';
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

/**
 * Saves the files of projects while they change: a moment after the last change, now and then when it does not end,
 * and when the last viewer leaves. What does not differ from the last checkpoint makes no new one, so asking too
 * often costs little. A failure is logged and made good by the next change or round.
 */
export class Autosave {
  readonly #core: Pick<ProjectCore, 'checkpoints' | 'sandboxes' | 'log'>;
  readonly #pending = new Map<string, Pending>();
  readonly #saving = new Set<Promise<void>>();
  #closed = false;

  constructor(core: Pick<ProjectCore, 'checkpoints' | 'sandboxes' | 'log'>) {
    this.#core = core;
  }

  /** Takes every event of every project. */
  observe({ projectId, type }: Pick<ProjectEvent, 'projectId' | 'type'>): void {
    if (this.#closed || !changing.has(type)) return;
    const pending = this.#pending.get(projectId);
    clearTimeout(pending?.timer);
    const since = pending?.since ?? Date.now();
    const waitMs = Math.max(0, Math.min(quietMs, since + longestMs - Date.now()));
    const timer = setTimeout(() => {
      this.#pending.delete(projectId);
      this.#begin(projectId, 'autosave');
    }, waitMs);
    this.#pending.set(projectId, { since, timer });
  }

  /** Nobody looks at the project any more. */
  viewersLeft(projectId: string): void {
    if (!this.#closed) this.#begin(projectId, 'viewer_left');
  }

  /** One round over all running sandboxes: programs in them change files without an event. */
  async saveAll({ signal }: { signal: AbortSignal }): Promise<void> {
    await this.#round('autosave', signal);
  }

  /** The last round: nothing begins after it. Never rejects, since what follows a shutdown has to follow. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
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

  #begin(projectId: string, trigger: string): void {
    const saving = this.#save(projectId, trigger, AbortSignal.timeout(saveTimeoutMs));
    this.#saving.add(saving);
    void saving.finally(() => this.#saving.delete(saving));
  }

  async #save(projectId: string, trigger: string, signal: AbortSignal): Promise<void> {
    if (this.#core.sandboxes.current(projectId) === null) return;
    try {
      await this.#core.checkpoints.save(projectId, trigger, { signal });
    } catch (error) {
      // The project may be gone, its sandbox may end in this moment, the disk may be full: the last checkpoint stays.
      this.#core.log.warn({ projectId, trigger, reason: errorMessage(error) }, 'the files of a project could not be saved');
    }
  }
}
