import type { ModelUsage } from '#contract/project.ts';
import { isWindowTooSmall, type Model, type ModelChunk, type ModelRequest, type StreamOptions } from './models/model.ts';

/** Fragment of the input that a model writes for the one tool that it was asked to call. */
export type InputChunk =
  | { readonly type: 'input'; readonly json: string }
  /** The response was interrupted and starts again. Earlier fragments do not count. */
  | { readonly type: 'restart' };

/** How a response ended. */
export interface ToolResponse {
  /** Text beside the call, or instead of it. */
  readonly text: string;
  /** Whether the first call is complete. Others do not count. */
  readonly isComplete: boolean;
  readonly stopReason: Extract<ModelChunk, { type: 'end' }>['stopReason'] | 'too_long';
}

interface ToolInputRequest {
  readonly model: Model;
  /** Returns the request. Called again if the model's context is smaller than expected. */
  readonly request: () => ModelRequest;
  /** Characters after which the response is abandoned, because a faulty service might never stop. */
  readonly maxCharacters: number;
  readonly signal: AbortSignal;
  readonly addUsage: (usage: ModelUsage) => Promise<void>;
}

/**
 * Requests the input of a single tool and streams it. The tool is forced if the service supports that, so a response may be text
 * instead. Errors from the model propagate.
 */
export async function* streamToolInput(job: ToolInputRequest): AsyncGenerator<InputChunk, ToolResponse> {
  const { model, request, maxCharacters, signal, addUsage } = job;
  let text = '';
  let firstCall: string | null = null;
  let isComplete = false;
  let stopReason: ToolResponse['stopReason'] = 'end_turn';
  let characters = 0;
  for await (const chunk of streamWithin(model, request, { signal, onBroken: addUsage })) {
    if ('text' in chunk) characters += chunk.text.length;
    if ('json' in chunk) characters += chunk.json.length;
    if (characters > maxCharacters) return { text, isComplete, stopReason: 'too_long' };
    switch (chunk.type) {
      case 'text':
        text += chunk.text;
        break;
      case 'tool_start':
        firstCall ??= chunk.id;
        break;
      case 'tool_input':
        if (chunk.id === firstCall) yield { type: 'input', json: chunk.json };
        break;
      case 'tool_end':
        isComplete ||= chunk.id === firstCall;
        break;
      case 'restart':
        [text, firstCall, isComplete, characters] = ['', null, false, 0];
        yield { type: 'restart' };
        break;
      case 'end':
        await addUsage(chunk.usage);
        ({ stopReason } = chunk);
        break;
      default:
        break;
    }
  }
  return { text, isComplete, stopReason };
}

/** Streams the response. If the model's context is smaller than expected, shortens the request and repeats it. */
async function* streamWithin(model: Model, request: () => ModelRequest, options: StreamOptions): AsyncGenerator<ModelChunk> {
  for (;;) {
    try {
      yield* model.stream(request(), options);
      return;
    } catch (error) {
      if (!isWindowTooSmall(error)) throw error;
      yield { type: 'restart', reason: 'The request was too long for the model.' };
    }
  }
}
