import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { ModelUsage } from '#contract/project.ts';
import { type GenerateCodeTask, type GeneratedCode, generatedCodeSchema } from '#contract/tools.ts';
import type { AuthorContext, SourceFile } from '../kinds/assignment.ts';
import type { AuthoredKind } from '../kinds/author.ts';
import type { ToolContext } from '../tools/context.ts';
import { CodeStream } from './code-stream.ts';
import { tokenBudget } from './context.ts';
import { generatorText } from './generator-text.ts';
import {
  isWindowTooSmall,
  type Model,
  type ModelChunk,
  type ModelMessage,
  type ModelRequest,
  type StreamOptions,
} from './models/model.ts';

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
  readonly kind: Pick<AuthoredKind, 'prompts' | 'generatorFiles'>;
  readonly task: GenerateCodeTask;
  readonly context: AuthorContext;
  readonly files: readonly SourceFile[];
  readonly signal: AbortSignal;
  readonly addUsage: (usage: ModelUsage) => Promise<void>;
}

/** Streamed fragment of the code generator's response. */
type GeneratorChunk =
  | { readonly type: 'input'; readonly json: string }
  /** The response was interrupted and starts again. Earlier fragments do not count. */
  | { readonly type: 'restart' };

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
    if (json.length > maxGeneratedCharacters) throw failed('The code generator wrote more than 5 MB. Request less at a time.');
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
      'The code generator stopped in the middle of its response. Call generate_code again.',
      {
        recovery: 'retry',
        cause: error,
      },
    );
  }
}

/**
 * Requests code as the input of a single tool. The tool is forced if the service supports that; otherwise the request is
 * repeated. Throws GENERATION_FAILED if there is no response. Errors from the model propagate.
 */
export async function* askGenerator(job: GeneratorJob): AsyncIterable<GeneratorChunk> {
  const { model, kind, context, signal, addUsage } = job;
  const followUps: ModelMessage[] = [];
  const requestNow = (): ModelRequest => ({
    role: 'generator',
    system: kind.prompts.generator,
    projectId: context.projectId,
    messages: [message('user', textFor(job)), ...followUps],
    tools: [generatorTool],
    forcedTool: generatorTool.name,
  });
  for (let reminders = 0; ; reminders++) {
    let text = '';
    let firstCall: string | null = null;
    let isComplete = false;
    for await (const chunk of streamWithin(model, requestNow, { signal, onBroken: addUsage })) {
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
          [text, firstCall, isComplete] = ['', null, false];
          yield { type: 'restart' };
          break;
        case 'end':
          await addUsage(chunk.usage);
          checkEnd(chunk.stopReason, isComplete);
          break;
        default:
          break;
      }
    }
    if (isComplete) return;
    if (reminders === maxReminders) throw failed('The code generator returned text instead of files. Call generate_code again.');
    yield { type: 'restart' };
    if (text.trim() !== '') followUps.push(message('assistant', text));
    followUps.push(message('user', reminder));
  }
}

function checkEnd(stopReason: Extract<ModelChunk, { type: 'end' }>['stopReason'], isComplete: boolean): void {
  if (stopReason === 'refusal') throw failed('The code generator declined this task. Describe it differently.');
  if (stopReason === 'max_tokens' && !isComplete)
    throw failed('The code generator’s response was too long. Request fewer scenes or files at a time.');
}

/** Streams the response. If the model's context is smaller than expected, shortens the request and repeats it. */
async function* streamWithin(model: Model, requestNow: () => ModelRequest, options: StreamOptions): AsyncGenerator<ModelChunk> {
  for (;;) {
    try {
      yield* model.stream(requestNow(), options);
      return;
    } catch (error) {
      if (!isWindowTooSmall(error)) throw error;
      yield { type: 'restart', reason: 'The request was too long for the model.' };
    }
  }
}

function message(role: ModelMessage['role'], text: string): ModelMessage {
  return { role, content: [{ type: 'text', text }] };
}

function textFor({ model, kind, task, context, files }: GeneratorJob): string {
  const { contextTokens, responseTokens } = model;
  const fixedText = `${kind.prompts.generator}${JSON.stringify(generatorTool)}`;
  const budget = contextTokens === null ? null : tokenBudget({ contextTokens, responseTokens, fixedText });
  return generatorText(task, context, files, { tokens: budget?.tokens ?? Number.POSITIVE_INFINITY, ...kind.generatorFiles });
}

function failed(message: string): KodaError {
  return new KodaError('GENERATION_FAILED', message, { recovery: 'retry' });
}
