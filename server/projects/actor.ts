import type { Caller } from '../access/caller.ts';
import type { ToolServices } from '../kinds/author.ts';
import type { ProjectRecord } from '../storage/projects.ts';
import type { Tool } from '../tools/tool.ts';

/** Caller of a tool: an author's run, the user in the studio, or a program on the user's behalf. */
export type Actor =
  | { readonly type: 'run'; readonly runId: string; readonly canRepair: boolean; readonly services: ToolServices }
  | { readonly type: 'user' }
  | ({ readonly type: 'client' } & Caller);

/** Throws FORBIDDEN if the actor may not call the tool on this project. */
export type Authorize = (actor: Actor, project: ProjectRecord, tool: Tool) => void;
