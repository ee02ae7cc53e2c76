import type { ToolContext } from '../../tools/context.ts';
import type { ToolRegistry } from '../../tools/tool.ts';
import type { AuthorContext } from '../assignment.ts';
import type { AuthorRun } from '../author.ts';
import type { Limits } from './budget.ts';
import type { Entry } from './context.ts';
import type { Model } from './models/model.ts';

/** Subset of the author's run that the loop needs. */
export interface AgentProject
  extends Pick<AuthorRun, 'context' | 'takeQueuedMessages' | 'addUsage' | 'usage' | 'showText' | 'toolStarted' | 'toolFinished'> {
  append(entry: Entry): Promise<void>;
  contextFor(callId: string): ToolContext;
}

/** System prompt, tools and limits of an agent. The loop knows nothing else about it. */
export interface Agent {
  readonly system: string;
  readonly tools: ToolRegistry;
  readonly limits: Limits;
}

export interface AgentRun {
  readonly agent: Agent;
  readonly model: Model;
  readonly project: AgentProject;
  /** Stored transcript. Empty for a new run. */
  readonly transcript: readonly Entry[];
  /** Message to the model before its first turn. `null` for none. */
  readonly note: string | null;
  /** Returns whether the requested work is complete, so that the loop ends. */
  isOver(context: AuthorContext): boolean;
}

/** `completed`: the requested work is complete; `waiting`: an approval waits for the user. */
export type AgentOutcome = 'completed' | 'waiting';
