import type { ModelUsage } from '../../contract/project.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { ToolAnswer } from '../../tools/define.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Limits, Spent } from './budget.ts';
import type { Entry } from './context.ts';
import type { Model, ProjectFacts } from './models/model.ts';

/** What the loop needs of the project that it works for. */
export interface AgentProject {
  facts(): Promise<ProjectFacts>;
  /** User messages that wait for a tool boundary; they count as delivered when this returns. */
  takeQueuedMessages(): Promise<string[]>;
  /** Keeps an entry of the transcript, durably, before anything that follows from it happens. */
  keep(entry: Entry): Promise<void>;
  addUsage(usage: ModelUsage & { steps: number }): Promise<void>;
  /** What the run has used so far, the code generator's part included; a restart does not reset it. */
  spent(): Spent;
  /** Shows what the model says: beside its calls, or as the end of its turn. */
  said(text: string, options: { isEnd: boolean }): Promise<void>;
  toolStarted(call: { id: string; name: string; input: unknown; label: string }): Promise<void>;
  toolFinished(call: { id: string; name: string; input: unknown; durationMs: number; answer: ToolAnswer }): Promise<void>;
  contextFor(callId: string): ToolContext;
}

/** An agent: what it is told to be, its tools and its limits. The loop knows nothing else of it. */
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
}

/** How a run came to rest: the model ended its turn, or an approval waits for the user. */
export type AgentOutcome = 'completed' | 'waiting';
