import { errorMessage } from '#contract/errors.ts';
import type { ProjectRecord, ProjectStore } from '../storage/projects.ts';
import type { ProjectCore } from './deps.ts';
import { openWorkspace } from './workspace.ts';

const startTimeoutMs = 60_000;
/** Delay after a failure, so that page reloads do not trigger further attempts. */
const pauseMs = 5_000;

/** Starts a project's live preview when a viewer opens it. */
export class PreviewStarter {
  readonly #core: ProjectCore;
  readonly #starting = new Map<string, Promise<void>>();
  readonly #notBefore = new Map<string, number>();
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

  async shutdown(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#starting.values());
  }

  async #start(projectId: string): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(startTimeoutMs)]);
    try {
      const { sandbox } = await openWorkspace(this.#core, projectId, { signal });
      const status = await sandbox.startPreview({ signal });
      if (status.state !== 'running') {
        await this.#reportFailure(projectId, status.log);
        return;
      }
      const url = this.#core.previewUrl(await this.#core.store.get(projectId));
      await this.#core.store.record(projectId, [{ type: 'preview.ready', url }]);
      this.#notBefore.delete(projectId);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#core.log.warn({ err: error, projectId }, 'failed to start live preview');
      await this.#reportFailure(projectId, errorMessage(error));
    }
  }

  async #reportFailure(projectId: string, message: string): Promise<void> {
    this.#notBefore.set(projectId, Date.now() + pauseMs);
    try {
      await this.#core.store.record(projectId, [{ type: 'preview.error', message }]);
    } catch (error) {
      this.#core.log.warn({ err: error, projectId }, 'failed to record live preview failure');
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
