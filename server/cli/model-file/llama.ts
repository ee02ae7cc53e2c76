import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Mutex } from 'async-mutex';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { grammarSchema } from './grammar-schema.ts';

/** Folder of node-llama-cpp, which is installed only on request because of its size. */
const packageFolder = new URL('../../../scripts/local-model/', import.meta.url);
const entryUrl = new URL('node_modules/node-llama-cpp/dist/index.js', packageFolder);

/** The part of node-llama-cpp that is used. Its own types are missing until it is installed. */
interface LlamaModule {
  getLlama(options: { build: 'never'; skipDownload: true; logLevel: 'error'; gpu: 'auto' | false }): Promise<{
    loadModel(options: { modelPath: string }): Promise<{
      readonly trainContextSize: number;
      tokenize(text: string): readonly number[];
      createContext(options: { contextSize: { max: number }; threads?: number }): Promise<{
        readonly contextSize: number;
        getSequence(): unknown;
      }>;
    }>;
    createGrammarForJsonSchema(schema: Record<string, unknown>): Promise<unknown>;
    dispose(): Promise<void>;
  }>;
  LlamaChat: new (options: {
    contextSequence: unknown;
  }) => {
    generateResponse(
      history: readonly HistoryItem[],
      options: Readonly<Record<string, unknown>>,
    ): Promise<{ metadata: { stopReason: string } }>;
  };
}

type HistoryItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] };

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

export interface Generation {
  readonly messages: readonly ModelMessage[];
  /** JSON schema of the answer. `null` for text. */
  readonly schema: unknown;
  readonly maxTokens: number;
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
}

export interface GenerationResult {
  readonly promptTokens: number;
  readonly answerTokens: number;
  readonly isCut: boolean;
}

/** A model file that is loaded into this process. */
export interface ModelFile extends AsyncDisposable {
  readonly name: string;
  readonly contextTokens: number;
  countTokens(messages: readonly ModelMessage[]): number;
  /** Answers one request at a time. Others wait. */
  generate(request: Generation): Promise<GenerationResult>;
}

/** Little randomness, and the same in each run: an answer fills a form. */
const sampling = { temperature: 0.3, seed: 1 };

/**
 * Loads a model file with llama.cpp, without a network. Throws CONFLICT if node-llama-cpp is not installed, NOT_FOUND if there is no
 * such file, and BAD_REQUEST if llama.cpp cannot load it.
 */
export async function loadModelFile(
  file: string,
  { contextTokens, threads }: { contextTokens: number; threads: number | null },
): Promise<ModelFile> {
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw new KodaError('NOT_FOUND', `There is no model file ${file}. Give the path of a file in the GGUF format.`);
  const { getLlama, LlamaChat } = await loadLlama();
  // Builds for other graphics cards than Apple's are not installed.
  const gpu = process.platform === 'darwin' ? 'auto' : false;
  const llama = await getLlama({ build: 'never', skipDownload: true, logLevel: 'error', gpu });
  try {
    const model = await llama.loadModel({ modelPath: file });
    const max = Math.min(contextTokens, model.trainContextSize);
    const context = await model.createContext({ contextSize: { max }, ...(threads === null ? {} : { threads }) });
    const chat = new LlamaChat({ contextSequence: context.getSequence() });
    const turns = new Mutex();
    const countTokens = (messages: readonly ModelMessage[]) =>
      messages.reduce((sum, { text }) => sum + model.tokenize(text).length, 0);
    return {
      name: basename(file, '.gguf'),
      contextTokens: context.contextSize,
      countTokens,
      generate: ({ messages, schema, maxTokens, signal, onText }) =>
        turns.runExclusive(async () => {
          signal.throwIfAborted();
          const grammar = schema === null ? undefined : await llama.createGrammarForJsonSchema(grammarSchema(schema));
          let answerTokens = 0;
          const { metadata } = await chat.generateResponse([...messages.map(historyItem), { type: 'model', response: [] }], {
            ...sampling,
            ...(grammar === undefined ? {} : { grammar }),
            maxTokens,
            signal,
            onTextChunk: onText,
            onToken: (tokens: readonly unknown[]) => {
              answerTokens += tokens.length;
            },
          });
          return { promptTokens: countTokens(messages), answerTokens, isCut: metadata.stopReason === 'maxTokens' };
        }),
      [Symbol.asyncDispose]: () => llama.dispose(),
    };
  } catch (error) {
    await llama.dispose();
    throw new KodaError('BAD_REQUEST', `llama.cpp could not load ${file}: ${errorMessage(error)}`);
  }
}

async function loadLlama(): Promise<LlamaModule> {
  try {
    return (await import(entryUrl.href)) as LlamaModule;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new KodaError(
      'CONFLICT',
      `Model files need node-llama-cpp, which is not installed (120 MB). Install it once: npm ci --ignore-scripts --prefix ${fileURLToPath(packageFolder)}`,
    );
  }
}

function historyItem({ role, text }: ModelMessage): HistoryItem {
  return role === 'assistant' ? { type: 'model', response: [text] } : { type: role, text };
}
