import type { Logger } from 'pino';
import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import type { SandboxState } from '#contract/project.ts';
import type { ProjectStore } from '../storage/projects.ts';
import { newMessage } from './phases.ts';

export interface SandboxReporter {
  onState(projectId: string, state: SandboxState): void;
  onUnexpectedExit(projectId: string, reason: string): void;
  onMemoryKill(projectId: string, kills: number): void;
  onEngineUnavailable(projectId: string, reason: string): void;
  onDiskStop(projectId: string, reason: string): void;
}

export function createSandboxReporter({ store, log }: { store: Pick<ProjectStore, 'record'>; log: Logger }): SandboxReporter {
  const record = (projectId: string, body: EventBody): void => {
    store.record(projectId, [body]).catch((error: unknown) => {
      if (error instanceof KodaError && error.code === 'NOT_FOUND') return;
      log.error({ err: error, projectId, type: body.type }, 'failed to record sandbox event');
    });
  };
  return {
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
