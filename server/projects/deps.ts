import type { Logger } from 'pino';
import { KodaError } from '#contract/errors.ts';
import type { ProjectEvent } from '#contract/events.ts';
import type { AgentPermission } from '#contract/tools.ts';
import type { CheckpointStore, ProjectCreator } from '../history/checkpoints.ts';
import type { Author } from '../kinds/author.ts';
import type { KindDefinition } from '../kinds/kind.ts';
import type { KeyedLock } from '../lib/keyed-lock.ts';
import type { RenderPort } from '../renders/renders.ts';
import type { SandboxPort } from '../sandbox/sandbox.ts';
import type { AssetStore } from '../storage/asset-store.ts';
import type { ProjectRecord, ProjectStore } from '../storage/projects.ts';
import type { RunStore } from '../storage/run-store.ts';
import type { ToolRegistry } from '../tools/tool.ts';
import type { Authorize } from './actor.ts';
import type { PassedChecks } from './passed-checks.ts';

export interface ProjectDeps {
  readonly store: ProjectStore;
  readonly runs: RunStore;
  readonly assets: AssetStore;
  readonly checkpoints: CheckpointStore;
  readonly creator: ProjectCreator;
  readonly sandboxes: SandboxPort;
  readonly renders: RenderPort;
  /** Returns the author for a new run. A running one keeps its author when the settings change. */
  readonly author: (kind: KindDefinition) => Author;
  readonly kinds: ReadonlyMap<string, KindDefinition>;
  readonly toolsOf: (kind: KindDefinition) => ToolRegistry;
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
}

/** Returns the definition of a project's kind. Throws if this version does not support it. */
export function kindOf(core: Pick<ProjectDeps, 'kinds'>, project: ProjectRecord): KindDefinition {
  const kind = core.kinds.get(project.kind);
  if (kind === undefined)
    throw new KodaError(
      'INVALID_TRANSITION',
      `This project has the kind “${project.kind}”, which this version of Koda does not support. You can read, copy and export it.`,
      { recovery: 'export_project' },
    );
  return kind;
}
