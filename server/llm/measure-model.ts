import { randomInt } from 'node:crypto';
import { PNG } from 'pngjs';
import { z } from 'zod';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { type ModelTest, type ModelTestStep, type ModelTestStepId, modelTestStepIds } from '#contract/model-servers.ts';
import { jsonIn } from './ask-for-json.ts';
import { drawnSceneTokens, formatsTokens, type Measured, verdictOf } from './model-verdict.ts';
import type { ContentBlock, Model, ModelRequest, ToolDefinition } from './models/model.ts';
import { tokensOfPrompt, tokensOfText } from './tokens.ts';
import { readTurn } from './turn.ts';

/** Limits of the steps. The first request may load the model, and a small machine reads a long one slowly. */
const timeoutMs: Record<ModelTestStepId, number> = {
  answers: 120_000,
  'code-model': 120_000,
  tools: 60_000,
  context: 180_000,
  pictures: 90_000,
  speed: 60_000,
};
/** Context of a film of formats in one request, and of a start at code. */
const shortContextTokens = 3_500;
const longContextTokens = 16_000;
/** Limit of a short answer, with the model's thinking. */
const answerTokens = 800;
const minAnswerTokens = 100;
const speedTokens = 200;

interface MeasureOptions {
  /** Model that writes the code, if it is another one. It is only asked for an answer. */
  readonly codeModel: Model | null;
  /** False for a service that bills each token: then the test has two or three short requests. */
  readonly isFree: boolean;
  /** Whether Koda sends pictures to the model, as it is configured. The test sends them anyway. */
  readonly sendsImages: boolean;
  readonly signal: AbortSignal;
  readonly report: (test: ModelTest) => void;
}

type Result = Pick<ModelTestStep, 'state' | 'figure' | 'text'> & { readonly measured?: Partial<Measured> };

/**
 * Measures what a model can do for films, step by step. A failed step does not end the test, except the first: a model that
 * does not answer has nothing to measure. Throws CANCELLED only.
 */
export async function measureModel(
  model: Model,
  { codeModel, isFree, sendsImages, signal, report }: MeasureOptions,
): Promise<ModelTest> {
  const startedAt = performance.now();
  // Read before the test, because the model lowers it once its server reports a smaller context.
  const claimedContextTokens = model.contextTokens;
  const ids = modelTestStepIds.filter((id) => (id === 'code-model' ? codeModel !== null : isFree || isShort(id)));
  let steps: ModelTestStep[] = ids.map((id) => ({ id, state: 'waiting', figure: '', text: '' }));
  let measured: Measured = {
    answers: false,
    codeModelAnswers: codeModel === null,
    tools: 'none',
    contextTokens: null,
    images: null,
    tokensPerSecond: null,
  };
  const test = (): ModelTest => ({
    model: model.name,
    steps,
    durationMs: Math.round(performance.now() - startedAt),
    verdict: null,
  });
  const change = (id: ModelTestStepId, fields: Partial<ModelTestStep>) => {
    steps = steps.map((step) => (step.id === id ? { ...step, ...fields } : step));
    report(test());
  };
  for (const id of ids) {
    change(id, { state: 'running' });
    const { measured: found = {}, ...result } = await runStep(id, (id === 'code-model' && codeModel) || model, signal);
    measured = { ...measured, ...found };
    change(id, result);
    if (id === 'answers' && result.state === 'failed') break;
  }
  return {
    ...test(),
    verdict: verdictOf(measured, { isFree, sendsImages, claimedContextTokens, shortContextTokens, longContextTokens }),
  };
}

const isShort = (id: ModelTestStepId) => id === 'answers' || id === 'tools';

async function runStep(id: ModelTestStepId, model: Model, signal: AbortSignal): Promise<Result> {
  const limit = AbortSignal.timeout(timeoutMs[id]);
  try {
    return await measures[id](model, AbortSignal.any([signal, limit]));
  } catch (error) {
    if (signal.aborted) throw new KodaError('CANCELLED', 'The test was stopped.', { cause: error });
    if (limit.aborted) return { state: 'failed', figure: 'too slow', text: `No result within ${timeoutMs[id] / 1000} seconds.` };
    return { state: 'failed', figure: 'failed', text: errorMessage(error) };
  }
}

const measures: Record<ModelTestStepId, (model: Model, signal: AbortSignal) => Promise<Result>> = {
  async answers(model, signal) {
    const { firstMs } = await timed(model, ask('Answer with the word ok.'), signal);
    return {
      state: 'good',
      figure: 'yes',
      text: `First word after ${(firstMs / 1000).toFixed(1)} s.`,
      measured: { answers: true },
    };
  },

  async 'code-model'(model, signal) {
    const { measured: _, ...result } = await measures.answers(model, signal);
    return { ...result, measured: { codeModelAnswers: true } };
  },

  async tools(model, signal) {
    const text = 'Plan a scene that shows the words “Open day” and “Saturday” for 4 seconds. Use the tool.';
    const request = { ...ask(text), tools: [planTool] };
    // Code takes calls of the model's own accord. A server without tools rejects the request.
    const content = await contentOf(model, request, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return [];
    });
    if (callsPlan(content))
      return { state: 'good', figure: 'yes', text: 'Called with the right fields.', measured: { tools: 'called' } };
    if (isPlan(jsonIn(textOf(content))?.value))
      return {
        state: 'limited',
        figure: 'as text',
        text: 'It writes the fields as text instead of a call. That is enough for films of formats.',
        measured: { tools: 'written' },
      };
    // Without tools, a server may still force JSON of the tool's schema, which counts as a call.
    if (callsPlan(await contentOf(model, { ...request, forcedTool: planTool.name }, signal)))
      return {
        state: 'limited',
        figure: 'if forced',
        text: 'It fills in the fields only if the server forces it to. That is enough for films of formats.',
        measured: { tools: 'written' },
      };
    return { state: 'failed', figure: 'no', text: 'The call is missing or has wrong fields.' };
  },

  async context(model, signal) {
    const claimed = model.contextTokens;
    const short = await findsFact(model, shortContextTokens, signal);
    if (!short.isFound) {
      const figure = short.readTokens === null ? `under ${shown(shortContextTokens)}` : shown(short.readTokens);
      const text = `It loses the beginning of a text of ${shown(shortContextTokens)} tokens.`;
      return { state: 'failed', figure, text, measured: { contextTokens: short.readTokens ?? 0 } };
    }
    const isLarger = claimed === null || claimed >= longContextTokens + minAnswerTokens;
    if (!isLarger)
      return enough(shortContextTokens, `The context is set to ${shown(claimed)} tokens, so no longer text is tried.`);
    const long = await findsFact(model, longContextTokens, signal);
    if (long.isFound)
      return {
        state: 'good',
        figure: `${shown(longContextTokens)} or more`,
        text: `It finds a fact at the beginning of ${shown(longContextTokens)} tokens.`,
        measured: { contextTokens: longContextTokens },
      };
    return enough(
      Math.max(long.readTokens ?? 0, shortContextTokens),
      `It loses the beginning of a text of ${shown(longContextTokens)} tokens. The server gives it less.`,
    );
  },

  async pictures(model, signal) {
    const colours = twoOf(Object.keys(palette));
    for (const colour of colours) {
      const { content } = await readTurn(model.stream(withPicture(colour), { signal }));
      const named = Object.keys(palette).filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(textOf(content)));
      if (!model.supportsImages)
        return { state: 'limited', figure: 'no', text: 'The server refuses pictures.', measured: { images: false } };
      if (named.length !== 1 || named[0] !== colour)
        return {
          state: 'limited',
          figure: 'no',
          text: `It could not tell a ${colours[0]} square from a ${colours[1]} one.`,
          measured: { images: false },
        };
    }
    return {
      state: 'good',
      figure: 'yes',
      text: `It tells a ${colours[0]} square from a ${colours[1]} one.`,
      measured: { images: true },
    };
  },

  async speed(model, signal) {
    const request = { ...ask('Write the numbers from one to one hundred in words.'), responseTokens: speedTokens };
    const { firstMs, totalMs, tokens } = await timed(model, request, signal);
    // A service may send the whole answer at once.
    const writingMs = totalMs - firstMs < totalMs / 10 ? totalMs : totalMs - firstMs;
    const tokensPerSecond = tokens / (Math.max(writingMs, 1) / 1000);
    const duration = (needed: number) => shownSeconds(needed / tokensPerSecond);
    return {
      state: tokensPerSecond < 5 ? 'limited' : 'good',
      figure: `${tokensPerSecond < 10 ? tokensPerSecond.toFixed(1) : Math.round(tokensPerSecond)} tokens/s`,
      text: `First word after ${(firstMs / 1000).toFixed(1)} s. A film of formats takes about ${duration(formatsTokens)}, a drawn scene about ${duration(drawnSceneTokens)}.`,
      measured: { tokensPerSecond },
    };
  },
};

const enough = (contextTokens: number, text: string): Result => ({
  state: 'limited',
  figure: shown(contextTokens),
  text,
  measured: { contextTokens },
});

const shown = (count: number) => count.toLocaleString('en');

function shownSeconds(seconds: number): string {
  return seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
}

function ask(text: string): ModelRequest {
  return {
    role: 'orchestrator',
    projectId: null,
    system: 'You check a connection. Answer briefly.',
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
    tools: [],
    forcedTool: null,
    responseTokens: answerTokens,
  };
}

const contentOf = async (model: Model, request: ModelRequest, signal: AbortSignal) =>
  (await readTurn(model.stream(request, { signal }))).content;

const textOf = (content: readonly ContentBlock[]) => content.map((block) => (block.type === 'text' ? block.text : '')).join('');

/** Sends a request and returns when its first word and its end arrived. */
async function timed(model: Model, request: ModelRequest, signal: AbortSignal) {
  const startedAt = performance.now();
  let firstMs: number | null = null;
  let text = '';
  for await (const chunk of model.stream(request, { signal })) {
    if (chunk.type === 'text' || chunk.type === 'thinking') {
      firstMs ??= performance.now() - startedAt;
      text += chunk.text;
    }
    if (chunk.type !== 'end') continue;
    const totalMs = performance.now() - startedAt;
    // Some servers count nothing.
    return { firstMs: firstMs ?? totalMs, totalMs, tokens: chunk.usage.outputTokens || tokensOfText(text) };
  }
  throw new KodaError('LLM_RESPONSE', 'The model stopped in the middle of its response. Retry.', { recovery: 'retry' });
}

const planSchema = z.object({ words: z.array(z.string()).min(1), seconds: z.number().min(1).max(60) });
const isPlan = (value: unknown) => planSchema.safeParse(value).success;
const callsPlan = (content: readonly ContentBlock[]) =>
  content.some((block) => block.type === 'tool_use' && block.name === planTool.name && isPlan(block.input));
const planTool: ToolDefinition = {
  name: 'plan_scene',
  description: 'Plans one scene: the words that it shows, and its length in seconds.',
  inputSchema: {
    type: 'object',
    properties: { words: { type: 'array', items: { type: 'string' } }, seconds: { type: 'number' } },
    required: ['words', 'seconds'],
  },
};

/**
 * Returns whether a model finds a fact at the beginning of a text of about this many tokens. `readTokens`: how many the service says
 * it has read, if that is clearly fewer than it was sent.
 */
async function findsFact(model: Model, tokens: number, signal: AbortSignal) {
  const code = String(randomInt(10_000, 100_000));
  const text = `The number of the gate is ${code}.\n${fillerOf(tokens)}\nWhat is the number of the gate? Answer with the number alone.`;
  const responseTokens = Math.max(
    minAnswerTokens,
    Math.min(answerTokens, (model.contextTokens ?? Number.POSITIVE_INFINITY) - tokens),
  );
  try {
    const { content, usage } = await readTurn(model.stream({ ...ask(text), responseTokens }, { signal }));
    const read = usage.inputTokens;
    return {
      isFound: textOf(content)
        .replaceAll(/[\s,.]/g, '')
        .includes(code),
      readTokens: read > 0 && read < tokens * 0.8 ? read : null,
    };
  } catch (error) {
    // The server says itself that its context is smaller.
    const limit = error instanceof KodaError ? error.details?.['contextTokens'] : undefined;
    if (typeof limit !== 'number') throw error;
    return { isFound: false, readTokens: limit };
  }
}

/** Returns sentences of about this many tokens. Each is different, because some servers compress what repeats. */
function fillerOf(tokens: number): string {
  const plants = ['rosemary', 'clover', 'willow', 'barley', 'fern', 'maple', 'thistle'];
  const sentence = (index: number) => `Plot ${index + 1} has ${plants[index % plants.length]} and ${(index * 7) % 50} stones. `;
  const count = Math.ceil(tokens / (tokensOfPrompt(Array.from({ length: 50 }, (_, index) => sentence(index)).join('')) / 50));
  return Array.from({ length: count }, (_, index) => sentence(index)).join('');
}

const palette: Readonly<Record<string, readonly [number, number, number]>> = {
  red: [220, 20, 20],
  green: [10, 150, 40],
  blue: [20, 50, 220],
  yellow: [250, 220, 10],
};

function twoOf(names: readonly string[]): [string, string] {
  const first = randomInt(names.length);
  const second = (first + 1 + randomInt(names.length - 1)) % names.length;
  return [names[first] ?? '', names[second] ?? ''];
}

/** A request with a picture as the result of a tool, which is how films reach a model. */
function withPicture(colour: string): ModelRequest {
  const id = 'toolu_picture';
  const base64 = PNG.sync.write(squareOf(palette[colour] ?? [0, 0, 0])).toString('base64');
  const names = Object.keys(palette).join(', ');
  const request = ask(`Look at the picture with the tool, and answer with its colour in one word: ${names}.`);
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: [{ type: 'tool_use', id, name: lookTool.name, input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            toolUseId: id,
            content: 'The picture:',
            isError: false,
            images: [{ mediaType: 'image/png', base64 }],
          },
        ],
      },
    ],
    tools: [lookTool],
  };
}

const lookTool: ToolDefinition = {
  name: 'look',
  description: 'Shows a picture.',
  inputSchema: { type: 'object', properties: {} },
};

function squareOf([red, green, blue]: readonly [number, number, number]): PNG {
  const image = new PNG({ width: 64, height: 64 });
  for (let at = 0; at < image.data.length; at += 4) image.data.set([red, green, blue, 255], at);
  return image;
}
