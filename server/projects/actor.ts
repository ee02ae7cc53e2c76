import type { Principal } from '#contract/principal.ts';
import type { GeneratedCode } from '#contract/tools.ts';
import type { Caller } from '../access/policies.ts';
import type { Priority } from '../sandbox/sandbox.ts';
import type { ProjectRecord } from '../storage/projects.ts';
import type { Tool } from '../tools/tool.ts';
import type { GenerateJob, ToolServices } from './author.ts';

/** Who calls a tool: an author's run, or a caller at one of Koda's doors. */
export type Actor =
  | {
      readonly type: 'run';
      readonly by: Principal;
      readonly runId: string;
      readonly canRepair: boolean;
      readonly priority: Priority;
      readonly services: ToolServices;
      /** Generates the files of a `generate_code` call. */
      readonly generate: (job: GenerateJob) => Promise<GeneratedCode>;
    }
  | Caller;

/** Throws FORBIDDEN if the actor may not call the tool on this project. */
export type Authorize = (actor: Actor, project: ProjectRecord, tool: Tool) => void;
