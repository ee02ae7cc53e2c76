import { KodaError } from '../../contract/errors.ts';
import type { GeneratedCode } from '../../contract/tools.ts';
import type { Model, ModelChunk, ModelRequest } from '../llm/models/model.ts';
import { generateFiles } from './generator.ts';
import { nextMove } from './orchestrator.ts';

/** Size of the fragments that a generated file is streamed in, in characters. */
const fragmentCharacters = 256;
const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 };

/**
 * The built-in model: no key, no network, no waiting. It decides by the facts of the project and by the
 * transcript, through the same port, tools, events and approvals as a language model.
 */
export const director: Model = {
  kind: 'director',
  name: 'Koda director (built in)',
  contextTokens: null,
  answerTokens: 8_000,
  readsFacts: true,
  canSee: false,
  async *stream(request, { signal }) {
    yield* request.role === 'generator' ? generatorTurn(request, signal) : orchestratorTurn(request);
  },
};

function* orchestratorTurn(request: ModelRequest): Generator<ModelChunk> {
  const move = nextMove(request.facts, request.messages);
  if (move.say !== null) yield { type: 'text', text: move.say };
  for (const call of move.calls) {
    const id = `call_${crypto.randomUUID().replaceAll('-', '')}`;
    yield { type: 'tool_start', id, name: call.name };
    yield { type: 'tool_input', id, json: JSON.stringify(call.input) };
    yield { type: 'tool_end', id };
  }
  yield { type: 'end', stopReason: move.calls.length > 0 ? 'tool_use' : 'end_turn', usage: noUsage };
}

async function* generatorTurn(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk> {
  if (request.task === null || request.forcedTool === null)
    throw new KodaError('LLM_RESPONSE', 'The code generator was called without a task.');
  const answer: GeneratedCode = generateFiles(request.task, request.facts);
  const json = JSON.stringify(answer);
  const id = `call_${crypto.randomUUID().replaceAll('-', '')}`;
  yield { type: 'tool_start', id, name: request.forcedTool };
  for (let start = 0; start < json.length; start += fragmentCharacters) {
    signal.throwIfAborted();
    yield { type: 'tool_input', id, json: json.slice(start, start + fragmentCharacters) };
    // Lets the event loop send what was written so far, as the pauses of a real model would.
    await new Promise((resolve) => setImmediate(resolve));
  }
  yield { type: 'tool_end', id };
  yield { type: 'end', stopReason: 'tool_use', usage: noUsage };
}
