import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { ModelUsage } from '#contract/project.ts';
import { type GenerateCodeTask, type GeneratedCode, generatedCodeSchema } from '#contract/tools.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { ProjectFacts, SourceFile } from '../assignment.ts';
import type { KindDefinition } from '../kind.ts';
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
  description: 'Answers with complete files, the files that are not needed any more, and a summary of one or two sentences.',
  inputSchema: z.toJSONSchema(generatedCodeSchema, { io: 'input' }) as Record<string, unknown>,
};
/** How often a model that talks instead of writing is asked again. */
const maxReminders = 2;
const reminder = `Answer by calling ${generatorTool.name}, with complete files and nothing else.`;

const maxGeneratedCharacters = 5_000_000;

export interface GeneratorJob {
  readonly model: Model;
  readonly kind: Pick<KindDefinition, 'prompts' | 'generatorFiles'>;
  readonly task: GenerateCodeTask;
  readonly facts: ProjectFacts;
  readonly files: readonly SourceFile[];
  readonly signal: AbortSignal;
  readonly addUsage: (usage: ModelUsage) => Promise<void>;
}

/** A fragment of what the code generator answers, as it comes. */
type GeneratorChunk =
  | { readonly type: 'input'; readonly json: string }
  /** It broke off and begins anew: nothing that came before counts. */
  | { readonly type: 'restart' };

/**
 * The generator's files for a task; their text is shown while it comes. Throws GENERATION_FAILED when the answer is not what
 * the schema asks for, and the model's own errors.
 */
export async function generateCode(job: GeneratorJob, emit: ToolContext['emit']): Promise<GeneratedCode> {
  const show = () => new CodeStream((path, text, offset) => emit({ type: 'code.chunk', path, text, offset }));
  let stream = show();
  let json = '';
  for await (const chunk of askGenerator(job)) {
    if (chunk.type === 'restart') {
      // A chunk with the offset 0 makes readers begin anew.
      stream = show();
      json = '';
      continue;
    }
    json += chunk.json;
    if (json.length > maxGeneratedCharacters)
      throw failed('The generator wrote more than 5 MB, which no scene needs. Ask for less at a time.');
    await stream.push(json);
  }
  const whole = parseWhole(json);
  await stream.finish(json);
  const parsed = generatedCodeSchema.safeParse(whole);
  if (parsed.success) return parsed.data;
  const problem = parsed.error.issues[0]?.message ?? 'unreadable';
  throw failed(`The generator did not answer with files: ${problem}. Call generate_code again.`);
}

function parseWhole(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new KodaError('GENERATION_FAILED', 'The generator stopped in the middle of its answer. Call generate_code again.', {
      recovery: 'retry',
      cause: error,
    });
  }
}

/**
 * Asks the code generator, whose answer is the input of one tool: forced where a service can force it, else asked for and
 * asked for again. Throws GENERATION_FAILED when it gives none, and the model's own errors.
 */
export async function* askGenerator(job: GeneratorJob): AsyncIterable<GeneratorChunk> {
  const { model, kind, facts, signal, addUsage } = job;
  /** What was said after the task. */
  const further: ModelMessage[] = [];
  const requestNow = (): ModelRequest => ({
    role: 'generator',
    system: kind.prompts.generator,
    projectId: facts.projectId,
    messages: [say('user', textFor(job)), ...further],
    tools: [generatorTool],
    forcedTool: generatorTool.name,
  });
  for (let reminders = 0; ; reminders++) {
    let said = '';
    let firstCall: string | null = null;
    let isWhole = false;
    for await (const chunk of answerWithin(model, requestNow, { signal, onBroken: addUsage })) {
      switch (chunk.type) {
        case 'text':
          said += chunk.text;
          break;
        case 'tool_start':
          firstCall ??= chunk.id;
          break;
        case 'tool_input':
          // One answer is one set of files: what is called after it does not count.
          if (chunk.id === firstCall) yield { type: 'input', json: chunk.json };
          break;
        case 'tool_end':
          isWhole ||= chunk.id === firstCall;
          break;
        case 'restart':
          [said, firstCall, isWhole] = ['', null, false];
          yield { type: 'restart' };
          break;
        case 'end':
          await addUsage(chunk.usage);
          if (chunk.stopReason === 'refusal') throw failed('The code generator declined this task. Describe it in other words.');
          if (chunk.stopReason === 'max_tokens' && !isWhole)
            throw failed('The code generator’s answer was too long. Ask for fewer scenes or files at a time.');
          break;
        default:
          break;
      }
    }
    if (isWhole) return;
    if (reminders === maxReminders)
      throw failed('The code generator answered with words instead of files. Call generate_code again.');
    yield { type: 'restart' };
    if (said.trim() !== '') further.push(say('assistant', said));
    further.push(say('user', reminder));
  }
}

/** The answer to a request; to a shorter one when the model's context turns out to be smaller than expected. */
async function* answerWithin(model: Model, requestNow: () => ModelRequest, options: StreamOptions): AsyncGenerator<ModelChunk> {
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

function say(role: ModelMessage['role'], text: string): ModelMessage {
  return { role, content: [{ type: 'text', text }] };
}

function textFor({ model, kind, task, facts, files }: GeneratorJob): string {
  const { contextTokens, answerTokens } = model;
  const fixedText = `${kind.prompts.generator}${JSON.stringify(generatorTool)}`;
  const budget = contextTokens === null ? null : tokenBudget({ contextTokens, answerTokens, fixedText });
  return generatorText(task, facts, files, { tokens: budget?.tokens ?? Number.POSITIVE_INFINITY, ...kind.generatorFiles });
}

function failed(message: string): KodaError {
  return new KodaError('GENERATION_FAILED', message, { recovery: 'retry' });
}
