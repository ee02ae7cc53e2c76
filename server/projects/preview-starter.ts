import { errorMessage } from '#contract/errors.ts';
import type { EventBody, ProjectEvent } from '#contract/events.ts';
import type { PreviewError } from '#contract/project.ts';
import type { ProjectRecord, ProjectStore } from '../storage/projects.ts';
import { previewErrorOf } from '../tools/preview.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { openWorkspace, runningSandbox } from './workspace.ts';

const startTimeoutMs = 60_000;
/** Delay after a failure, so that page reloads do not trigger further attempts. */
const pauseMs = 5_000;

/** Starts a project's live preview when a viewer opens it. */
export class PreviewStarter {
  readonly #core: ProjectCore;
  readonly #starting = new Map<string, Promise<void>>();
  readonly #notBefore = new Map<string, number>();
  /** Projects whose preview the user has stopped. Viewers do not start it again. */
  readonly #stopped = new Set<string>();
  readonly #closing = new AbortController();

  constructor(core: ProjectCore) {
    this.#core = core;
  }

  /** Single-flight per project. A failure becomes a `preview.error` event and is never thrown. */
  async ensure(projectId: string): Promise<void> {
    if (this.#closing.signal.aborted || Date.now() < (this.#notBefore.get(projectId) ?? 0)) return;
    const running = this.#starting.get(projectId) ?? this.#start(projectId).finally(() => this.#starting.delete(projectId));
    this.#starting.set(projectId, running);
    await running;
  }

  /** Stops the dev server if it is running, and starts it again. Throws NOT_FOUND. */
  async restart(projectId: string): Promise<void> {
    await this.#stopServer(projectId);
    this.#stopped.delete(projectId);
    this.#notBefore.delete(projectId);
    await this.ensure(projectId);
  }

  /** Stops the dev server until `restart`, or until the agent starts it. Throws NOT_FOUND. */
  async stop(projectId: string): Promise<void> {
    this.#stopped.add(projectId);
    await this.#stopServer(projectId);
    await this.#core.store.record(projectId, [{ type: 'preview.stopped' }]);
  }

  observe({ type, projectId }: ProjectEvent): void {
    if (type === 'preview.ready') this.#stopped.delete(projectId);
  }

  async #stopServer(projectId: string): Promise<void> {
    const { signal } = this.#closing;
    await this.#core.store.get(projectId);
    await (await runningSandbox(this.#core, projectId, { signal }))?.stopPreview({ signal });
    // A start that was in progress has failed, which it reports first.
    await this.#starting.get(projectId);
  }

  async shutdown(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#starting.values());
  }

  async #start(projectId: string): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(startTimeoutMs)]);
    try {
      const { sandbox } = await openWorkspace(this.#core, projectId, { signal });
      const project = await this.#core.store.get(projectId);
      if (this.#stopped.has(projectId) || kindOf(this.#core, project).steps.live === null) return;
      const status = await sandbox.startPreview({ signal });
      const error = previewErrorOf(status);
      if (status.state !== 'running') {
        await this.#reportFailure(projectId, error ?? { message: status.log, log: '' });
        return;
      }
      const url = this.#core.previewUrl(project);
      const events: EventBody[] = [{ type: 'preview.ready', url }];
      if (error !== null) events.push({ type: 'preview.error', ...error });
      await this.#core.store.record(projectId, events);
      this.#notBefore.delete(projectId);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#core.log.warn({ err: error, projectId }, 'failed to start live preview');
      await this.#reportFailure(projectId, { message: errorMessage(error), log: '' });
    }
  }

  async #reportFailure(projectId: string, error: PreviewError): Promise<void> {
    this.#notBefore.set(projectId, Date.now() + pauseMs);
    try {
      await this.#core.store.record(projectId, [{ type: 'preview.error', ...error }]);
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
  store: Pick<ProjectStore, 'record'>,
  projects: readonly ProjectRecord[],
  addressOf: (project: ProjectRecord) => string,
): Promise<void> {
  for (const project of projects) {
    const url = addressOf(project);
    if (project.previewUrl !== null && project.previewUrl !== url)
      await store.record(project.id, [{ type: 'preview.ready', url }]);
  }
}
