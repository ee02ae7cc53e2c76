import { errorMessage, isCancelled } from '#contract/errors.ts';
import type { EventBody, ProjectEvent } from '#contract/events.ts';
import { koda, type Principal } from '#contract/principal.ts';
import { type PreviewError, sandboxWait } from '#contract/project.ts';
import { inSlices } from '../lib/in-slices.ts';
import type { ProjectRecord, ProjectStore } from '../storage/projects.ts';
import { previewErrorOf } from '../tools/preview.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { openWorkspace, runningSandbox } from './workspace.ts';

const startTimeoutMs = 60_000;
/** Delay after a failure, so that page reloads do not trigger further attempts. */
const pauseMs = 5_000;

interface Start {
  readonly ended: Promise<void>;
  readonly stop: AbortController;
  /** Resolved while the project waits until its sandbox may start. */
  readonly waits: PromiseWithResolvers<void>;
}

/** Starts a project's live preview when a viewer opens it. */
export class PreviewStarter {
  readonly #core: ProjectCore;
  readonly #starting = new Map<string, Start>();
  readonly #notBefore = new Map<string, number>();
  /** Projects whose preview the user has stopped. Viewers do not start it again. */
  readonly #stopped = new Set<string>();
  readonly #closing = new AbortController();

  constructor(core: ProjectCore) {
    this.#core = core;
  }

  /**
   * Single-flight per project. A failure becomes a `preview.error` event and is never thrown. Resolves once the start has ended, or
   * waits for a free sandbox.
   */
  async ensure(projectId: string): Promise<void> {
    if (this.#closing.signal.aborted || performance.now() < (this.#notBefore.get(projectId) ?? 0)) return;
    const { ended, waits } = this.#starting.get(projectId) ?? this.#begin(projectId);
    await Promise.race([ended, waits.promise]);
  }

  /** Gives up a start that still waits until the sandbox may start. The next viewer tries again. */
  stopWaiting(projectId: string): void {
    if (this.#core.sandboxes.isWaiting(projectId)) this.#starting.get(projectId)?.stop.abort();
  }

  /** Stops the dev server if it is running, and starts it again. Throws NOT_FOUND. */
  async restart(projectId: string): Promise<void> {
    await this.#stopServer(projectId);
    this.#stopped.delete(projectId);
    this.#notBefore.delete(projectId);
    await this.ensure(projectId);
  }

  /** Stops the dev server until `restart`, or until the agent starts it. Throws NOT_FOUND. */
  async stop(projectId: string, by: Principal): Promise<void> {
    this.#stopped.add(projectId);
    await this.#stopServer(projectId);
    await this.#core.store.record(projectId, [{ type: 'preview.stopped' }], { by });
  }

  observe(event: ProjectEvent): void {
    if (event.type === 'preview.ready') this.#stopped.delete(event.projectId);
    if (event.type === 'thinking' && sandboxWait({ thinking: event.text }) !== null) {
      this.#starting.get(event.projectId)?.waits.resolve();
    }
  }

  async #stopServer(projectId: string): Promise<void> {
    const { signal } = this.#closing;
    await this.#core.store.get(projectId);
    this.stopWaiting(projectId);
    await (await runningSandbox(this.#core, projectId, { signal }))?.stopPreview({ signal });
    // A start that was in progress has failed, which it reports first.
    await this.#starting.get(projectId)?.ended;
  }

  async shutdown(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#starting.values()].map(({ ended }) => ended));
  }

  #begin(projectId: string): Start {
    const stop = new AbortController();
    const ended = this.#start(projectId, stop.signal).finally(() => this.#starting.delete(projectId));
    const start = { ended, stop, waits: Promise.withResolvers<void>() };
    this.#starting.set(projectId, start);
    return start;
  }

  async #start(projectId: string, stopped: AbortSignal): Promise<void> {
    const ending = AbortSignal.any([this.#closing.signal, stopped]);
    try {
      const { kind } = await this.#core.store.get(projectId);
      // A conversation has no files to look at, and gets its sandbox when a tool needs one.
      if (this.#core.kinds.get(kind)?.workflow.type === 'conversation') return;
      const { sandbox } = await openWorkspace(this.#core, projectId, { signal: ending, priority: 'person' });
      // Starts here, because the sandbox may have waited for others.
      const signal = AbortSignal.any([ending, AbortSignal.timeout(startTimeoutMs)]);
      const project = await this.#core.store.get(projectId);
      if (this.#stopped.has(projectId) || kindOf(this.#core, project).preview === undefined) return;
      const status = await sandbox.startPreview({ signal });
      const error = previewErrorOf(status);
      if (status.state !== 'running') {
        await this.#reportFailure(projectId, error ?? { message: status.log, log: '' });
        return;
      }
      const url = this.#core.previewUrl(project);
      const events: EventBody[] = [{ type: 'preview.ready', url }];
      if (error !== null) events.push({ type: 'preview.error', ...error });
      await this.#core.store.record(projectId, events, { by: koda('sandbox') });
      this.#notBefore.delete(projectId);
    } catch (error) {
      if (this.#closing.signal.aborted || (stopped.aborted && isCancelled(error))) return;
      this.#core.log.warn({ err: error, projectId }, 'failed to start live preview');
      await this.#reportFailure(projectId, { message: errorMessage(error), log: '' });
    }
  }

  async #reportFailure(projectId: string, error: PreviewError): Promise<void> {
    this.#notBefore.set(projectId, performance.now() + pauseMs);
    try {
      await this.#core.store.record(projectId, [{ type: 'preview.error', ...error }], { by: koda('sandbox') });
    } catch (failure) {
      this.#core.log.warn({ err: failure, projectId }, 'failed to record live preview failure');
    }
  }
}

/**
 * Publishes new preview addresses after the studio's port or the preview domain has changed while sandboxes kept running. Call
 * when the server listens.
 */
export async function renewPreviewAddresses(
  store: Pick<ProjectStore, 'record' | 'listPreviews'>,
  addressOf: (project: ProjectRecord) => string,
): Promise<void> {
  for await (const project of inSlices(await store.listPreviews())) {
    const url = addressOf(project);
    if (project.previewUrl !== url) await store.record(project.id, [{ type: 'preview.ready', url }], { by: koda('recovery') });
  }
}
