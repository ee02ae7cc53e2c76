import type { AuthorContext } from '../projects/assignment.ts';
import type { AuthoredKind, AuthorRun, RunToolCall } from '../projects/author.ts';
import type { Tool, ToolRegistry, ToolResult } from '../tools/tool.ts';
import type { Limits } from './budget.ts';
import type { Entry } from './context.ts';
import type { Model } from './models/model.ts';

export interface AgentProject
  extends Pick<AuthorRun, 'context' | 'takeQueuedMessages' | 'addUsage' | 'usage' | 'showText' | 'endCall' | 'isWaiting'> {
  append(entry: Entry): Promise<void>;
  callTool(call: RunToolCall, refusal: ToolResult | null): Promise<{ result: ToolResult; durationMs: number }>;
}

/** An agent's system prompt, tools and limits. The loop is otherwise independent of the agent. */
export interface Agent {
  readonly system: string;
  readonly tools: ToolRegistry;
  readonly limits: Limits;
  readonly offeredTools?: AuthoredKind['offeredTools'] | undefined;
}

/** Returns the tools that the model is offered. Those from other servers are always offered. */
export function toolsFor({ tools, offeredTools }: Agent, context: AuthorContext): Tool[] {
  const names = offeredTools?.(context);
  return tools.all().filter(({ name, declaredAs }) => names === undefined || declaredAs === null || names.includes(name));
}

export interface AgentRun {
  readonly agent: Agent;
  readonly model: Model;
  readonly project: AgentProject;
  readonly transcript: readonly Entry[];
  /** Message to the model before its first turn. `null` if there is none. */
  readonly note: string | null;
  /** Returns whether the requested work is complete, so that the loop ends. */
  isOver(context: AuthorContext): boolean;
}

export type AgentOutcome = 'completed' | 'waiting';
