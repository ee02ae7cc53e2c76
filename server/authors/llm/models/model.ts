import { KodaError } from '#contract/errors.ts';
import type { ModelUsage } from '#contract/project.ts';
import type { ToolImage } from '../../../tools/tool.ts';

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

export interface ModelRequest {
  readonly role: 'orchestrator' | 'generator';
  /** Whose work it is; null for a question that is about no project. */
  readonly projectId: string | null;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** The tool that the model has to call (schema-forced answers); null = free. */
  readonly forcedTool: string | null;
}

export type ModelChunk =
  /** The service has taken the request; what is used up from here on counts, however the answer ends. */
  | {
      readonly type: 'begun';
      readonly usedSoFar: () => ModelUsage;
      /** False when the service may write a whole call before it sends any of it. */
      readonly isSteady: boolean;
    }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** Ends the thinking that was sent since the last block. */
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
   * service refuses a request as too long: the error is LIMIT_EXCEEDED with `contextTokens` in its details.
   */
  readonly contextTokens: number | null;
  /** Tokens that an answer may have at most. */
  readonly answerTokens: number;
  /** Whether it can look at pictures. */
  readonly canSee: boolean;
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelChunk>;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  /**
   * Told what an answer that broke off has used, by error, time limit or stop, before it is asked for again or the error
   * is thrown. A whole answer reports its usage with its `end` only.
   */
  readonly onBroken?: (usage: ModelUsage) => Promise<void>;
}

/** Whether a request failed because the model's context is smaller than was thought: a shorter one may be asked. */
export function isWindowTooSmall(error: unknown): boolean {
  return error instanceof KodaError && error.code === 'LIMIT_EXCEEDED' && error.details?.['contextTokens'] !== undefined;
}
