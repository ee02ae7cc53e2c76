import { z } from 'zod';
import { KodaError } from '../../contract/errors.ts';
import type { ModelUsage } from '../../contract/project.ts';
import { type GenerateCodeTask, generatedCodeSchema } from '../../contract/tools.ts';
import type { KindDefinition } from '../../kinds/kind.ts';
import type { GeneratorChunk } from '../../tools/context.ts';
import { roomIn } from './context.ts';
import { generatorText } from './generator-text.ts';
import {
  isWindowTooSmall,
  type Model,
  type ModelChunk,
  type ModelMessage,
  type ModelRequest,
  type ProjectFacts,
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

export interface GeneratorJob {
  readonly model: Model;
  readonly kind: Pick<KindDefinition, 'prompts' | 'generatorFiles'>;
  readonly task: GenerateCodeTask;
  readonly facts: ProjectFacts;
  readonly signal: AbortSignal;
  readonly addUsage: (usage: ModelUsage) => Promise<void>;
}

/**
 * Asks the code generator, whose answer is the input of one tool: forced where a service can force it, else asked for and
 * asked for again. Throws GENERATION_FAILED when it gives none, and the model's own errors.
 */
export async function* askGenerator({ model, kind, task, facts, signal, addUsage }: GeneratorJob): AsyncIterable<GeneratorChunk> {
  /** What was said after the task. */
  const further: ModelMessage[] = [];
  const requestNow = (): ModelRequest => ({
    role: 'generator',
    system: kind.prompts.generator,
    messages: [say('user', textFor(model, kind, task, facts)), ...further],
    tools: [generatorTool],
    forcedTool: generatorTool.name,
    task,
    facts,
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

/** The answer to a request; to a shorter one when the model turns out to have less room than was thought. */
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

function textFor(
  model: Model,
  { prompts, generatorFiles }: GeneratorJob['kind'],
  task: GenerateCodeTask,
  facts: ProjectFacts,
): string {
  if (model.readsFacts) return JSON.stringify(task);
  const { contextTokens, answerTokens } = model;
  const fixedText = `${prompts.generator}${JSON.stringify(generatorTool)}`;
  const room = contextTokens === null ? { tokens: Number.POSITIVE_INFINITY } : roomIn({ contextTokens, answerTokens, fixedText });
  return generatorText(task, facts, { ...room, ...generatorFiles });
}

function failed(message: string): KodaError {
  return new KodaError('GENERATION_FAILED', message, { recovery: 'retry' });
}
