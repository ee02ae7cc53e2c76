import type { Logger } from 'pino';
import type { ProjectEvent } from '#contract/events.ts';
import type { AgentPermission } from '#contract/tools.ts';
import type { Author } from '../authors/author.ts';
import type { KindDefinition } from '../authors/kind.ts';
import type { CheckpointStore, ProjectCreator } from '../history/checkpoints.ts';
import type { RenderPort } from '../renders/renders.ts';
import type { SandboxPort } from '../sandbox/sandbox.ts';
import type { AssetStore } from '../storage/asset-store.ts';
import type { ProjectRecord, ProjectStore } from '../storage/projects.ts';
import type { RunStore } from '../storage/run-store.ts';
import type { ToolRegistry } from '../tools/tool.ts';
import type { KeyedLock } from './keyed-lock.ts';
import type { PassedChecks } from './passed-checks.ts';

/** What the project service is built from; `wiring.ts` names the adapters. */
export interface ProjectDeps {
  readonly store: ProjectStore;
  readonly runs: RunStore;
  readonly assets: AssetStore;
  readonly checkpoints: CheckpointStore;
  readonly creator: ProjectCreator;
  readonly sandboxes: SandboxPort;
  readonly renders: RenderPort;
  /** The author of a run that begins now; a run keeps its author when the settings change. */
  readonly author: () => Author;
  readonly kinds: ReadonlyMap<string, KindDefinition>;
  /** The tools of a kind. */
  readonly toolsOf: (kind: KindDefinition) => ToolRegistry;
  /** Address of a project's live preview in a browser. */
  readonly previewUrl: (project: ProjectRecord) => string;
  /** Calls the listener with every event of every project, after it is durable. */
  readonly onEvent: (listener: (event: ProjectEvent) => void) => void;
  /** What the agent may do without asking (KODA_AGENT_MAY). */
  readonly agentMay: ReadonlySet<AgentPermission>;
  readonly log: Logger;
}

/** The dependencies, the lock under which a project's state is read and changed, and the checks that have passed. */
export interface ProjectCore extends ProjectDeps {
  readonly lock: KeyedLock;
  readonly passedChecks: PassedChecks;
}

/** The definition of a project's kind. Throws when a project names a kind that this version does not have. */
export function kindOf(core: Pick<ProjectDeps, 'kinds'>, project: ProjectRecord): KindDefinition {
  const kind = core.kinds.get(project.kind);
  if (kind === undefined)
    throw new Error(`The project ${project.id} is of the kind "${project.kind}", which this version does not know.`);
  return kind;
}
