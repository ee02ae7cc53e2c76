import { KodaError } from '../../../contract/errors.ts';
import type { Aspect, Style } from '../../../contract/film.ts';
import type { Approval, ApprovalResponse, Asset, Message, ModelUsage, Phase, Plan, Todo } from '../../../contract/project.ts';
import type { GenerateCodeTask } from '../../../contract/tools.ts';
import type { ToolImage } from '../../../tools/define.ts';

/** One block of a message, in the shape of the Messages API. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  /** What the model thought before it answered. Sent back as it came, or the service refuses the next request. */
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      /** What the model wrote instead of JSON; `input` is empty then. */
      readonly unreadable?: string | undefined;
    }
  | {
      readonly type: 'tool_result';
      readonly toolUseId: string;
      /** The answer of the tool as JSON. */
      readonly content: string;
      /** The same as a language model gets it (`agent/observation.ts`); without it the content is sent. */
      readonly shown?: string | undefined;
      readonly isError: boolean;
      readonly images?: readonly ToolImage[] | undefined;
    };

export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
}

/**
 * The state of the project as data. A language model reads the same in words; the built-in director
 * reads it here, and both decide by it and by the transcript.
 */
export interface ProjectFacts {
  readonly projectId: string;
  readonly phase: Phase;
  readonly prompt: string;
  readonly hints: { readonly style: Style | null; readonly aspect: Aspect | null; readonly durationSeconds: number | null };
  readonly plan: Plan | null;
  readonly todos: readonly Todo[];
  readonly messages: readonly Message[];
  /** Answered approvals, oldest first. */
  readonly settled: readonly { readonly approval: Approval; readonly response: ApprovalResponse }[];
  readonly assets: readonly Asset[];
  /** Text files of the project that the request may change; empty for the orchestrator. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

/** Of no project: for questions that are about none. */
export const noFacts: ProjectFacts = {
  projectId: '',
  phase: 'idle',
  prompt: '',
  hints: { style: null, aspect: null, durationSeconds: null },
  plan: null,
  todos: [],
  messages: [],
  settled: [],
  assets: [],
  files: [],
};

export interface ModelRequest {
  readonly role: 'orchestrator' | 'generator';
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** The tool that the model has to call (schema-forced answers); null = free. */
  readonly forcedTool: string | null;
  /** What the generator is asked for; null for the orchestrator. */
  readonly task: GenerateCodeTask | null;
  readonly facts: ProjectFacts;
}

export type ModelChunk =
  /** The service has taken the request; what is used up from here on counts, however the answer ends. */
  | {
      readonly type: 'begun';
      readonly usedSoFar: () => ModelUsage;
      /** False when the service may write a whole call before it tells anything of it. */
      readonly isSteady: boolean;
    }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** Ends the thinking that was told since the last block. */
  | { readonly type: 'thinking_end'; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_start'; readonly id: string; readonly name: string }
  /** A fragment of the JSON of the input of the call with this id. */
  | { readonly type: 'tool_input'; readonly id: string; readonly json: string }
  | { readonly type: 'tool_end'; readonly id: string }
  /** The answer broke off and is asked for again: nothing that came before counts. */
  | { readonly type: 'restart'; readonly reason: string }
  | {
      readonly type: 'end';
      readonly stopReason: 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal';
      readonly usage: ModelUsage;
    };

/** A model behind the agent. The iteration always ends with `end`, or throws (CANCELLED, or as `modelFailure` and `guarded` say). */
export interface Model {
  readonly kind: string;
  readonly name: string;
  /**
   * Tokens that a request and its answer may have together; null = no limit that concerns us. Becomes smaller when the
   * service refuses a request as too long, which is told as LIMIT_EXCEEDED with `contextTokens` in its details.
   */
  readonly contextTokens: number | null;
  /** Tokens that an answer may have at most. */
  readonly answerTokens: number;
  /** Whether it can look at pictures. */
  readonly canSee: boolean;
  /** True for a model that decides by the facts of a request, and needs them in no words. */
  readonly readsFacts: boolean;
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelChunk>;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  /**
   * Told what an answer that broke off has used, by error, time limit or stop, before it is asked for again or the error
   * is thrown. What a whole answer used is told with its `end` only.
   */
  readonly onBroken?: (usage: ModelUsage) => Promise<void>;
}

/** Whether a request failed because the model's context is smaller than was thought: a shorter one may be asked. */
export function isWindowTooSmall(error: unknown): boolean {
  return error instanceof KodaError && error.code === 'LIMIT_EXCEEDED' && error.details?.['contextTokens'] !== undefined;
}
