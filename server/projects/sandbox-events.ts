import type { Logger } from 'pino';
import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { koda } from '#contract/principal.ts';
import { type SandboxState, sandboxWait, sandboxWaitText } from '#contract/project.ts';
import type { PreviewStatus } from '#contract/sandbox/answers.ts';
import { inSlices } from '../lib/in-slices.ts';
import type { ProjectRecord, ProjectStore } from '../storage/projects.ts';
import { previewErrorOf } from '../tools/preview.ts';
import { newMessage } from './phases.ts';

export interface SandboxReporter {
  onState(projectId: string, state: SandboxState): void;
  onUnexpectedExit(projectId: string, reason: string): void;
  onMemoryKill(projectId: string, kills: number): void;
  onPreview(projectId: string, status: PreviewStatus): void;
  onEngineUnavailable(projectId: string, reason: string): void;
  onDiskStop(projectId: string, reason: string): void;
  onWaiting(projectId: string, ahead: number | null): void;
}

interface ReporterDeps {
  readonly store: Pick<ProjectStore, 'get' | 'record'>;
  readonly previewUrl: (project: ProjectRecord) => string;
  readonly log: Logger;
}

export function createSandboxReporter({ store, previewUrl, log }: ReporterDeps): SandboxReporter {
  const logFailure = (projectId: string, type: string) => (error: unknown) => {
    if (error instanceof KodaError && error.code === 'NOT_FOUND') return;
    log.error({ err: error, projectId, type }, 'failed to record sandbox event');
  };
  const record = (projectId: string, body: EventBody): void => {
    store.record(projectId, [body], { by: koda('sandbox') }).catch(logFailure(projectId, body.type));
  };
  const recordPreview = async (projectId: string, status: PreviewStatus): Promise<void> => {
    if (status.state !== 'failed' && status.state !== 'running') return;
    const error = previewErrorOf(status);
    const project = await store.get(projectId);
    if (project.previewError?.message === error?.message) return;
    const body: EventBody =
      error === null ? { type: 'preview.ready', url: previewUrl(project) } : { type: 'preview.error', ...error };
    await store.record(projectId, [body], { by: koda('sandbox') });
  };
  return {
    onWaiting: (projectId, ahead) =>
      record(projectId, { type: 'thinking', text: ahead === null ? null : sandboxWaitText(ahead) }),
    onState: (projectId, state) => record(projectId, { type: 'sandbox.state', state }),
    onUnexpectedExit(projectId, reason) {
      log.warn({ projectId, reason }, 'sandbox exited unexpectedly');
      record(projectId, { type: 'message.added', message: newMessage('system', `The sandbox stopped unexpectedly. ${reason}`) });
    },
    onMemoryKill(projectId, kills) {
      log.warn({ projectId, kills }, 'sandbox ran out of memory, processes were killed');
      const text =
        'The sandbox ran out of memory, so one of its processes was stopped. Use fewer objects, or give sandboxes more memory.';
      record(projectId, { type: 'message.added', message: newMessage('system', text) });
    },
    onPreview: (projectId, status) => void recordPreview(projectId, status).catch(logFailure(projectId, 'preview')),
    onDiskStop(projectId, reason) {
      log.warn({ projectId, reason }, 'stopped sandbox to free disk space');
      const text = `The sandbox was stopped. ${reason} The last checkpoint is saved, and a new sandbox starts from it.`;
      record(projectId, { type: 'message.added', message: newMessage('system', text) });
    },
    onEngineUnavailable(projectId, reason) {
      log.warn({ projectId, reason }, 'project is waiting for the container engine');
      const text = `${reason} Your work so far is saved. Koda resumes automatically if the engine becomes available soon.`;
      record(projectId, { type: 'message.added', message: newMessage('system', text) });
    },
  };
}

/** Removes the positions that projects had when a crash ended their wait. Call at startup. */
export async function clearSandboxWaits(store: Pick<ProjectStore, 'get' | 'listIds' | 'record'>): Promise<void> {
  for await (const projectId of inSlices(await store.listIds({ changedSince: null }))) {
    if (sandboxWait(await store.get(projectId)) !== null) {
      await store.record(projectId, [{ type: 'thinking', text: null }], { by: koda('recovery') });
    }
  }
}
