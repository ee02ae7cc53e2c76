import { KodaError } from '#contract/errors.ts';
import type { ModelUsage } from '#contract/project.ts';
import type { ToolImage } from '../../tools/tool.ts';

/** Block in a message, as in the Messages API. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  /** The model's thinking. Must be sent back unchanged, or the service rejects the next request. */
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      /** Text that the model produced instead of JSON. `input` is then empty. */
      readonly unreadable?: string | undefined;
      /** Number of characters after which the input was cut off. `input` is then empty. */
      readonly cutAfter?: number | undefined;
    }
  | {
      readonly type: 'tool_result';
      readonly toolUseId: string;
      /** Tool result as JSON. */
      readonly content: string;
      /** Result in the form that a language model receives (`observation.ts`). Defaults to `content`. */
      readonly shown?: string | undefined;
      readonly isError: boolean;
      readonly images?: readonly ToolImage[] | undefined;
      /** Whether its images were sent before and are left out now, which changes the request from here on. */
      readonly isImageless?: boolean;
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
  /** `null` for requests outside any project. */
  readonly projectId: string | null;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** Tool that the model must call. `null` if it may choose. */
  readonly forcedTool: string | null;
  /** Token limit for the response. Defaults to the model's `responseTokens`. */
  readonly responseTokens?: number;
}

export type ModelChunk =
  /** The service has accepted the request. From now on, its usage is counted, however the response ends. */
  | {
      readonly type: 'begun';
      readonly partialUsage: () => ModelUsage;
      /** False if the service may generate a whole call before it sends any of it. */
      readonly isSteady: boolean;
    }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'thinking_end'; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool_input'; readonly id: string; readonly json: string }
  | { readonly type: 'tool_end'; readonly id: string }
  /** What the user should know about the service, which responds all the same. */
  | { readonly type: 'warning'; readonly text: string }
  /** The response was interrupted and is requested again. Earlier chunks do not count. */
  | { readonly type: 'restart'; readonly reason: string }
  | {
      readonly type: 'end';
      readonly stopReason: 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal';
      readonly usage: ModelUsage;
    };

/**
 * Language model. An iteration ends with `end` or throws CANCELLED or an error described at `modelFailure` and
 * `resilientModel`.
 */
export interface Model {
  readonly kind: string;
  readonly name: string;
  /**
   * Token limit for a request and its response together. `null` if there is none. Reduced if the service rejects a request as
   * too long; that error is LIMIT_EXCEEDED with `contextTokens` in its details.
   */
  readonly contextTokens: number | null;
  readonly responseTokens: number;
  readonly supportsImages: boolean;
  /**
   * Forgets the context size that rejected requests have taught it. Each run starts with the configured one, because a service that
   * has been given a larger context, or whose error was a mistake, would otherwise stay unusable.
   */
  forgetRejections?(): void;
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelChunk>;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  /**
   * Reports the usage of an interrupted response (error, timeout or stop), before it is retried or the error is thrown. A
   * complete response reports its usage only with `end`.
   */
  readonly onBroken?: (usage: ModelUsage) => Promise<void>;
}

/**
 * Returns whether a request failed because the model's context is smaller than expected, so that a shorter request may
 * succeed.
 */
export function isWindowTooSmall(error: unknown): boolean {
  return error instanceof KodaError && error.code === 'LIMIT_EXCEEDED' && error.details?.['contextTokens'] !== undefined;
}
