import { z } from 'zod';
import { KodaError } from '../contract/errors.ts';
import type { ModelUsage } from '../contract/project.ts';
import { type GenerateCodeTask, generatedCodeSchema } from '../contract/tools.ts';
import type { KindDefinition } from '../kinds/kind.ts';
import type { GeneratorChunk } from '../tools/context.ts';
import { roomIn } from './context.ts';
import { generatorText } from './generator-text.ts';
import type { Model, ModelMessage, ModelRequest, SessionFacts } from './models/model.ts';

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
  readonly facts: SessionFacts;
  readonly signal: AbortSignal;
  readonly addUsage: (usage: ModelUsage) => Promise<void>;
}

/**
 * Asks the code generator, whose answer is the input of one tool: forced where a service can force it, else asked for and
 * asked for again. Throws GENERATION_FAILED when it gives none, and the model's own errors.
 */
export async function* askGenerator({ model, kind, task, facts, signal, addUsage }: GeneratorJob): AsyncIterable<GeneratorChunk> {
  const messages: ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: textFor(model, kind, task, facts) }] }];
  for (let reminders = 0; ; reminders++) {
    const request: ModelRequest = {
      role: 'generator',
      system: kind.prompts.generator,
      messages,
      tools: [generatorTool],
      forcedTool: generatorTool.name,
      task,
      facts,
    };
    let said = '';
    let firstCall: string | null = null;
    let isWhole = false;
    for await (const chunk of model.stream(request, { signal, onBroken: addUsage })) {
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
    if (said.trim() !== '') messages.push({ role: 'assistant', content: [{ type: 'text', text: said }] });
    messages.push({ role: 'user', content: [{ type: 'text', text: reminder }] });
  }
}

function textFor(
  model: Model,
  { prompts, generatorFiles }: GeneratorJob['kind'],
  task: GenerateCodeTask,
  facts: SessionFacts,
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
