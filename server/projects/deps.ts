import type { Logger } from 'pino';
import { KodaError } from '#contract/errors.ts';
import type { ProjectEvent } from '#contract/events.ts';
import type { AgentPermission } from '#contract/tools.ts';
import type { CheckpointStore, ProjectCreator } from '../history/checkpoints.ts';
import type { KeyedLock } from '../lib/keyed-lock.ts';
import type { RenderPort } from '../renders/renders.ts';
import type { SandboxPort } from '../sandbox/sandbox.ts';
import type { AssetStore } from '../storage/asset-store.ts';
import type { DiskUsage } from '../storage/disk-usage.ts';
import type { ProjectRecord, ProjectStore } from '../storage/projects.ts';
import type { RunStore } from '../storage/run-store.ts';
import type { ActionRegistry } from '../tools/action-registry.ts';
import type { ToolRegistry } from '../tools/tool.ts';
import type { Authorize } from './actor.ts';
import type { Author } from './author.ts';
import type { BuildWorkflow, Kind } from './kind.ts';
import type { PassedChecks } from './passed-checks.ts';

export interface ProjectDeps {
  readonly store: ProjectStore;
  readonly runs: RunStore;
  readonly assets: AssetStore;
  readonly checkpoints: CheckpointStore;
  readonly creator: ProjectCreator;
  readonly sandboxes: SandboxPort;
  readonly disk: Pick<DiskUsage, 'assertFreeSpace' | 'isLow'>;
  readonly renders: RenderPort;
  /**
   * Returns the author for a new run. A running one keeps its author when the settings change. `requests`: what the user has said
   * so far.
   */
  readonly author: (kind: Kind, requests: readonly string[]) => Author;
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly toolsOf: (kind: Kind) => ToolRegistry;
  readonly previewUrl: (project: ProjectRecord) => string;
  readonly onEvent: (listener: (event: ProjectEvent) => void) => void;
  /** Decides which actor may call which tool. If missing, every actor may call every tool. */
  readonly authorize?: Authorize;
  readonly agentPermissions: ReadonlySet<AgentPermission>;
  readonly log: Logger;
}

export interface ProjectCore extends ProjectDeps {
  readonly lock: KeyedLock;
  readonly passedChecks: PassedChecks;
  /** What buttons of surfaces can do, by kind. */
  readonly actions: ReadonlyMap<string, ActionRegistry>;
}

/** Returns the definition of a project's kind. Throws if this version does not support it. */
export function kindOf(core: Pick<ProjectDeps, 'kinds'>, project: ProjectRecord): Kind {
  const kind = core.kinds.get(project.kind);
  if (kind === undefined)
    throw new KodaError(
      'INVALID_TRANSITION',
      `This project has the kind “${project.kind}”, which this version of Koda does not support. You can read, copy and export it.`,
      { recovery: 'export_project' },
    );
  return kind;
}

/** Returns the workflow of a kind that has plans. Throws INVALID_TRANSITION for a conversation. */
export function buildOf({ title, workflow }: Kind): BuildWorkflow {
  if (workflow.type === 'build') return workflow;
  throw new KodaError('INVALID_TRANSITION', `Projects of the kind “${title}” have no plan. Send a message instead.`, {
    recovery: 'send_message',
  });
}

/** Errors for the user of a project whose kind lacks what the request needs. */
const missing = {
  outline: {
    code: 'INVALID_PLAN',
    text: 'have a plan that cannot be edited. Send a message with your change.',
    recovery: 'send_message',
  },
  document: {
    code: 'INVALID_PLAN',
    text: 'have no document to edit. Send a message with your change.',
    recovery: 'send_message',
  },
  archive: { code: 'VALIDATION_ERROR', text: 'cannot start from an archive. Start with a prompt instead.', recovery: null },
} as const;

/** Returns what a request needs of a kind. Throws an error that says so if the kind does not have it. */
export function capabilityOf<Name extends keyof typeof missing>(kind: Kind, name: Name): NonNullable<Kind[Name]> {
  const capability = kind[name];
  if (capability !== undefined) return capability;
  const { code, text, recovery } = missing[name];
  throw new KodaError(code, `Projects of the kind “${kind.title}” ${text}`, recovery === null ? {} : { recovery });
}
