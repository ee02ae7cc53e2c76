import type { ToolContext } from '../../tools/context.ts';
import type { ToolRegistry } from '../../tools/tool.ts';
import type { ProjectFacts } from '../assignment.ts';
import type { AuthorRun } from '../author.ts';
import type { Limits } from './budget.ts';
import type { Entry } from './context.ts';
import type { Model } from './models/model.ts';

/** What the loop needs of the run that it works in. */
export interface AgentProject
  extends Pick<AuthorRun, 'facts' | 'takeQueuedMessages' | 'addUsage' | 'spent' | 'said' | 'toolStarted' | 'toolFinished'> {
  keep(entry: Entry): Promise<void>;
  contextFor(callId: string): ToolContext;
}

/** An agent: its system prompt, its tools and its limits. The loop knows nothing else of it. */
export interface Agent {
  readonly system: string;
  readonly tools: ToolRegistry;
  readonly limits: Limits;
}

export interface AgentRun {
  readonly agent: Agent;
  readonly model: Model;
  readonly project: AgentProject;
  /** The transcript so far: empty for a new run, what was kept for one that is resumed. */
  readonly transcript: readonly Entry[];
  /** A message to the model before its first turn; null = none. */
  readonly note: string | null;
  /** Whether what the model was asked for is over, so that no further turn is asked of it. */
  isOver(facts: ProjectFacts): boolean;
}

/** How the loop came to rest: what was asked for is over, or an approval waits for the user. */
export type AgentOutcome = 'completed' | 'waiting';
