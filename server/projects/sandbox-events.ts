import type { Logger } from 'pino';
import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import type { SandboxState } from '#contract/project.ts';
import type { ProjectStore } from '../storage/projects.ts';
import { newMessage } from './phases.ts';

/** Turns reports of sandboxes into events of their projects. */
export interface SandboxNews {
  onState(projectId: string, state: SandboxState): void;
  onUnexpectedExit(projectId: string, reason: string): void;
  onMemoryKill(projectId: string, kills: number): void;
  onEngineUnavailable(projectId: string, reason: string): void;
  onDiskStop(projectId: string, reason: string): void;
}

export function createSandboxNews({ store, log }: { store: Pick<ProjectStore, 'record'>; log: Logger }): SandboxNews {
  const record = (projectId: string, body: EventBody): void => {
    store.record(projectId, [body]).catch((error: unknown) => {
      // A sandbox ends after its project was deleted: then nobody waits for the event.
      if (error instanceof KodaError && error.code === 'NOT_FOUND') return;
      log.error({ err: error, projectId, type: body.type }, 'news of a sandbox could not be recorded');
    });
  };
  return {
    onState: (projectId, state) => record(projectId, { type: 'sandbox.state', state }),
    onUnexpectedExit(projectId, reason) {
      log.warn({ projectId, reason }, 'a sandbox died');
      record(projectId, { type: 'message.added', message: newMessage('system', `The sandbox ended unexpectedly. ${reason}`) });
    },
    onMemoryKill(projectId, kills) {
      log.warn({ projectId, kills }, 'processes of a sandbox were killed for want of memory');
      const text =
        'The sandbox ran out of memory, so a process in it was ended. Use fewer objects, or give sandboxes more memory.';
      record(projectId, { type: 'message.added', message: newMessage('system', text) });
    },
    onDiskStop(projectId, reason) {
      log.warn({ projectId, reason }, 'a sandbox was stopped for want of space on the disk');
      const text = `The sandbox was stopped. ${reason} The last checkpoint is kept, and a new sandbox begins with it.`;
      record(projectId, { type: 'message.added', message: newMessage('system', text) });
    },
    onEngineUnavailable(projectId, reason) {
      log.warn({ projectId, reason }, 'a project waits for the container engine');
      const text = `${reason} What was made so far is kept. The work waits a while, and goes on by itself when it is back.`;
      record(projectId, { type: 'message.added', message: newMessage('system', text) });
    },
  };
}
