import { KodaError } from '#contract/errors.ts';
import type { AskForJson, JsonAnswer, JsonRequest } from '../projects/author.ts';
import { Budget } from './budget.ts';
import { endOfObject, isCutOff } from './incomplete-json.ts';
import type { Model, ModelRequest } from './models/model.ts';
import { tokensOfPrompt, tokensOfText } from './tokens.ts';
import { streamToolInput, type ToolResponse } from './tool-input.ts';

const maxAnswerTokens = 8_000;
/** A film of two scenes takes about this much. */
const minAnswerTokens = 400;
/** More than the longest answer, for services that do not limit it. */
const maxAnswerCharacters = 100_000;
/** Number of places in a text at which a JSON object may start. */
const maxStarts = 20;

/** Returns how a model is asked for one JSON value: as the input of a tool, or in its text if it does not call the tool. */
export function askForJson(model: Model): AskForJson {
  return async (asked, run) => {
    new Budget(run.kind.limits, () => run.usage()).step();
    const { projectId } = await run.context();
    const request = (): ModelRequest => ({
      role: 'orchestrator',
      projectId,
      system: asked.system,
      messages: [{ role: 'user', content: [{ type: 'text', text: asked.message }] }],
      tools: [asked.tool],
      forcedTool: asked.tool.name,
      responseTokens: answerTokens(model, asked),
    });
    const input = streamToolInput({
      ...{ model, request, maxCharacters: maxAnswerCharacters, signal: run.signal },
      addUsage: (usage) => run.addUsage({ steps: 1, ...usage }),
    });
    try {
      return answerOf(await readInput(input), asked.tool.name);
    } catch (error) {
      // The model was reached, but its response is broken.
      if (error instanceof KodaError && error.code === 'LLM_RESPONSE') return { problem: error.message, isDeclined: false };
      throw error;
    }
  };
}

async function readInput(input: ReturnType<typeof streamToolInput>): Promise<ToolResponse & { readonly json: string }> {
  let json = '';
  for (;;) {
    const { done, value } = await input.next();
    if (done) return { ...value, json };
    json = value.type === 'restart' ? '' : json + value.json;
  }
}

function answerOf({ json, text, stopReason }: Awaited<ReturnType<typeof readInput>>, toolName: string): JsonAnswer {
  if (stopReason === 'refusal') return { problem: 'The model declined the request.', isDeclined: true };
  const found = jsonIn(json) ?? jsonIn(text);
  if (found !== null) return { value: withoutCall(found.value, toolName) };
  return { problem: problemOf(json + text, stopReason), isDeclined: false };
}

/** Returns the token limit of the answer. Throws LIMIT_EXCEEDED if the model's context leaves too little for one. */
function answerTokens({ name, contextTokens }: Model, { system, tool, message }: JsonRequest): number {
  if (contextTokens === null) return maxAnswerTokens;
  const needed = tokensOfPrompt(`${system}${JSON.stringify(tool)}`) + tokensOfText(message);
  const left = contextTokens - needed;
  if (left >= minAnswerTokens) return Math.min(maxAnswerTokens, left);
  throw new KodaError(
    'LIMIT_EXCEEDED',
    `The context of ${name} holds ${contextTokens} tokens, and this request needs about ${needed + minAnswerTokens}. Configure its server for a larger context, shorten the request, or use another model.`,
    { details: { neededTokens: needed + minAnswerTokens }, recovery: 'use_larger_model' },
  );
}

function problemOf(text: string, stopReason: string): string {
  // Services also report other reasons for an answer that was cut off.
  if (stopReason === 'too_long' || stopReason === 'max_tokens' || isCutOff(text.slice(Math.max(0, text.indexOf('{')))))
    return `The model’s answer is too long: it was cut off after ${text.length} characters.`;
  if (text.trim() === '') return 'The model’s answer is empty.';
  return text.includes('{') ? 'The model’s answer is no valid JSON.' : 'The model answered in prose.';
}

/** Returns the first JSON object in a text, or `null` if there is none or the text breaks off inside it. */
export function jsonIn(text: string): { value: unknown } | null {
  const whole = parsed(text);
  if (typeof whole?.value === 'object' && whole.value !== null) return whole;
  if (typeof whole?.value === 'string') return jsonIn(whole.value);
  let start = text.indexOf('{');
  for (let starts = 0; start >= 0 && starts < maxStarts; starts++) {
    const end = endOfObject(text, start);
    if (end === null) return null;
    const object = parsed(text.slice(start, end));
    if (object !== null) return object;
    start = text.indexOf('{', end);
  }
  return null;
}

/** Parses JSON, with commas allowed after the last entry. */
function parsed(text: string): { value: unknown } | null {
  for (const candidate of [text, text.replaceAll(/,(?=\s*[}\]])/g, '')]) {
    try {
      return { value: JSON.parse(candidate) };
    } catch {
      // Not JSON: the next candidate may be.
    }
  }
  return null;
}

/** Returns the input of a call that the model wrote as text: `{"name": "write_film", "arguments": {…}}`. */
function withoutCall(value: unknown, toolName: string): unknown {
  if (typeof value !== 'object' || value === null || !('name' in value) || value.name !== toolName) return value;
  const input = ['arguments', 'parameters', 'input']
    .map((key): unknown => Reflect.get(value, key))
    .find((one) => one !== undefined);
  return typeof input === 'string' ? (jsonIn(input)?.value ?? value) : (input ?? value);
}
