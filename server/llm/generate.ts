import { parse } from 'partial-json';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { ModelUsage } from '#contract/project.ts';
import { type GenerateCodeTask, type GeneratedCode, generatedCodeSchema } from '#contract/tools.ts';
import type { AuthorContext, SourceFile } from '../projects/assignment.ts';
import type { GeneratorRules } from '../projects/author.ts';
import type { Correction, ToolContext } from '../tools/context.ts';
import { tokenBudget } from './context.ts';
import { correctionMessages } from './corrections.ts';
import { generatorText } from './generator-text.ts';
import { isCutOff } from './incomplete-json.ts';
import type { Model, ModelMessage, ModelRequest } from './models/model.ts';
import { tokensOf } from './tokens.ts';
import { type InputChunk, streamToolInput, type ToolResponse } from './tool-input.ts';

const generatorTool = {
  name: 'write_files',
  description: 'Returns complete files, the paths of files to delete, and a summary of one or two sentences.',
  inputSchema: z.toJSONSchema(generatedCodeSchema, { io: 'input' }) as Record<string, unknown>,
};
/** Reminders for a model that responds with text instead of files. */
const maxReminders = 2;
const reminder = `Call ${generatorTool.name} with complete files, and write nothing else.`;

const maxGeneratedCharacters = 5_000_000;

export interface GeneratorJob {
  readonly model: Model;
  readonly rules: Pick<GeneratorRules, 'prompt' | 'files'>;
  readonly task: GenerateCodeTask;
  readonly context: AuthorContext;
  readonly files: readonly SourceFile[];
  readonly corrections: readonly Correction[];
  readonly signal: AbortSignal;
  readonly addUsage: (usage: ModelUsage) => Promise<void>;
}

/**
 * Generates the files for a task and publishes their text as it arrives. Throws GENERATION_FAILED if the response does not match
 * the schema. Errors from the model propagate.
 */
export async function generateCode(job: GeneratorJob, emit: ToolContext['emit']): Promise<GeneratedCode> {
  const show = () => new CodeStream((path, text, offset) => emit({ type: 'code.chunk', path, text, offset }));
  let stream = show();
  let json = '';
  for await (const chunk of askGenerator(job)) {
    if (chunk.type === 'restart') {
      // Offset 0 makes readers start the file over.
      stream = show();
      json = '';
      continue;
    }
    json += chunk.json;
    await stream.push(json);
  }
  const complete = parseComplete(json);
  await stream.finish(json);
  const parsed = generatedCodeSchema.safeParse(complete);
  if (parsed.success) return parsed.data;
  const problem = parsed.error.issues[0]?.message ?? 'unreadable';
  throw failed(`The code generator returned no files: ${problem}. Call generate_code again.`);
}

function parseComplete(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new KodaError(
      'GENERATION_FAILED',
      isCutOff(json)
        ? `The code generator’s response was cut off after ${json.length} characters. Call generate_code again, for fewer scenes or files at a time.`
        : 'The code generator’s response was not valid JSON. Call generate_code again.',
      {
        recovery: 'retry',
        cause: error,
      },
    );
  }
}

/**
 * Requests code as the input of a single tool, and repeats the request if the model responds with text. Throws GENERATION_FAILED
 * if there is no usable response. Errors from the model propagate.
 */
export async function* askGenerator(job: GeneratorJob): AsyncIterable<InputChunk> {
  const { model, rules, context, signal, addUsage } = job;
  const followUps: ModelMessage[] = [];
  const request = (): ModelRequest => ({
    role: 'generator',
    system: rules.prompt,
    projectId: context.projectId,
    messages: [message('user', textFor(job)), ...correctionsOf(job), ...followUps],
    tools: [generatorTool],
    forcedTool: generatorTool.name,
  });
  for (let reminders = 0; ; reminders++) {
    const response = yield* streamToolInput({ model, request, maxCharacters: maxGeneratedCharacters, signal, addUsage });
    checkEnd(response);
    if (response.isComplete) return;
    if (reminders === maxReminders) throw failed('The code generator returned text instead of files. Call generate_code again.');
    yield { type: 'restart' };
    if (response.text.trim() !== '') followUps.push(message('assistant', response.text));
    followUps.push(message('user', reminder));
  }
}

function checkEnd({ stopReason, isComplete }: ToolResponse): void {
  if (stopReason === 'too_long') throw failed('The code generator wrote more than 5 MB. Request less at a time.');
  if (stopReason === 'refusal') throw failed('The code generator declined this task. Describe it differently.');
  if (stopReason === 'max_tokens' && !isComplete)
    throw failed('The code generator’s response was too long. Request fewer scenes or files at a time.');
}

function message(role: ModelMessage['role'], text: string): ModelMessage {
  return { role, content: [{ type: 'text', text }] };
}

function correctionsOf({ corrections, model: { supportsImages } }: GeneratorJob): ModelMessage[] {
  return correctionMessages(corrections, { tool: generatorTool.name, supportsImages });
}

function textFor(job: GeneratorJob): string {
  const { model, rules, task, context, files } = job;
  const { contextTokens, responseTokens } = model;
  const fixedText = `${rules.prompt}${JSON.stringify(generatorTool)}`;
  const budget = contextTokens === null ? null : tokenBudget({ contextTokens, responseTokens, fixedText });
  const tokens = budget === null ? Number.POSITIVE_INFINITY : budget.tokens - tokensOf(correctionsOf(job));
  return generatorText(task, context, files, { tokens, ...rules.files });
}

function failed(message: string): KodaError {
  return new KodaError('GENERATION_FAILED', message, { recovery: 'retry' });
}

const chunkCharacters = 600;
/** Growth after which a long response is parsed again, so that the total work stays proportional to its length. */
const growth = 0.05;

type Emit = (path: string, text: string, offset: number) => Promise<void>;

/**
 * Splits the growing JSON of `{ files: [{ path, content }] }` into chunks of text per file. A chunk has its offset in the file,
 * so that a reader can join chunks and detect gaps.
 */
export class CodeStream {
  readonly #emit: Emit;
  readonly #sent = new Map<number, number>();
  #parsedAt = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Accepts all JSON received so far. Parses it again only after enough growth. */
  async push(json: string): Promise<void> {
    if (json.length - this.#parsedAt < Math.max(chunkCharacters, this.#parsedAt * growth)) return;
    this.#parsedAt = json.length;
    await this.#send(filesOf(parse(json)), chunkCharacters);
  }

  /** Accepts the complete JSON and sends the rest. */
  async finish(json: string): Promise<void> {
    await this.#send(filesOf(parse(json)), 1);
  }

  async #send(files: readonly { path: string; content: string }[], minCharacters: number): Promise<void> {
    for (const [index, file] of files.entries()) {
      const offset = this.#sent.get(index) ?? 0;
      const isLast = index === files.length - 1;
      if (file.content.length - offset < (isLast ? minCharacters : 1)) continue;
      await this.#emit(file.path, file.content.slice(offset), offset);
      this.#sent.set(index, file.content.length);
    }
  }
}

/** Returns the files received so far, except one whose path is incomplete (it has no content yet). */
function filesOf(value: unknown): { path: string; content: string }[] {
  if (typeof value !== 'object' || value === null || !('files' in value) || !Array.isArray(value.files)) return [];
  return value.files.filter(
    (file): file is { path: string; content: string } =>
      typeof file === 'object' &&
      file !== null &&
      'path' in file &&
      typeof file.path === 'string' &&
      'content' in file &&
      typeof file.content === 'string',
  );
}
