import { KodaError } from '#contract/errors.ts';
import { isCutOff } from './incomplete-json.ts';
import type { ContentBlock, ModelChunk } from './models/model.ts';

type End = Extract<ModelChunk, { type: 'end' }>;

/** Maximum length of a response. A faulty service might never stop, and no legitimate response is longer. */
const maxResponseCharacters = 5_000_000;
const maxUnreadableCharacters = 2_000;

export interface Turn {
  readonly content: ContentBlock[];
  readonly stopReason: End['stopReason'];
  readonly usage: End['usage'];
}

/** Collects one model response. Throws LLM_RESPONSE if it ends early or never ends. */
export async function readTurn(chunks: AsyncIterable<ModelChunk>): Promise<Turn> {
  const content: ContentBlock[] = [];
  const open = new Map<string, { name: string; json: string }>();
  let thinking = '';
  let characters = 0;
  for await (const chunk of chunks) {
    if ('text' in chunk) characters += chunk.text.length;
    if ('json' in chunk) characters += chunk.json.length;
    if (characters > maxResponseCharacters)
      throw new KodaError('LLM_RESPONSE', 'The model wrote more than 5 MB in one response. Request less at a time.', {
        recovery: 'retry',
      });
    switch (chunk.type) {
      case 'text': {
        const last = content.at(-1);
        if (last?.type === 'text') content[content.length - 1] = { type: 'text', text: last.text + chunk.text };
        else content.push({ type: 'text', text: chunk.text });
        break;
      }
      case 'thinking':
        thinking += chunk.text;
        break;
      case 'thinking_end':
        content.push({ type: 'thinking', thinking, signature: chunk.signature });
        thinking = '';
        break;
      case 'redacted_thinking':
        content.push({ type: 'redacted_thinking', data: chunk.data });
        break;
      case 'restart':
        content.length = 0;
        open.clear();
        thinking = '';
        characters = 0;
        break;
      case 'tool_start':
        open.set(chunk.id, { name: chunk.name, json: '' });
        break;
      case 'tool_input': {
        const call = open.get(chunk.id);
        if (call === undefined)
          throw new KodaError('LLM_RESPONSE', 'The model sent input for a call that it had not started. Retry.', {
            recovery: 'retry',
          });
        call.json += chunk.json;
        break;
      }
      case 'tool_end': {
        const call = open.get(chunk.id);
        if (call === undefined)
          throw new KodaError(
            'LLM_RESPONSE',
            'The model’s response is invalid: it ended a tool call that it never started. Retry.',
            { recovery: 'retry' },
          );
        content.push({ type: 'tool_use', id: chunk.id, name: call.name, ...inputOf(call.json) });
        open.delete(chunk.id);
        break;
      }
      case 'end':
        // Only a response that exceeded its limit leaves calls open.
        for (const [id, { name, json }] of open) content.push({ type: 'tool_use', id, name, input: {}, cutAfter: json.length });
        return { content, stopReason: chunk.stopReason, usage: chunk.usage };
    }
  }
  throw new KodaError('LLM_RESPONSE', 'The model stopped in the middle of its response. Retry.', { recovery: 'retry' });
}

/** Parses a call's input. Invalid JSON does not end the run; the call's result reports it. */
function inputOf(json: string): { input: unknown; unreadable?: string; cutAfter?: number } {
  if (json.trim() === '') return { input: {} };
  try {
    return { input: JSON.parse(json) };
  } catch {
    // Not every service reports that it has cut off a response.
    if (isCutOff(json)) return { input: {}, cutAfter: json.length };
    return { input: {}, unreadable: json.slice(0, maxUnreadableCharacters) };
  }
}
