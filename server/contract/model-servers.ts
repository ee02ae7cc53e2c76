import { z } from 'zod';
import { errorEnvelopeSchema } from './errors.ts';
import { type ModelApi, modelPathSchema } from './settings.ts';

export const modelServerKindSchema = z.enum(['ollama', 'lm-studio', 'llama-cpp', 'vllm', 'jan']);
export type ModelServerKind = z.infer<typeof modelServerKindSchema>;

/** What the user does: a command, or a place in the program's window. Koda shows commands and never runs them. */
type UserStep = { readonly command: string } | { readonly place: string };

interface ModelServerProgram {
  readonly title: string;
  /** Port that the program uses unless it is told otherwise. */
  readonly port: number;
  /** API that Koda uses if it finds the program. */
  readonly api: ModelApi;
  readonly start: UserStep;
  readonly moreContext: UserStep;
}

/** Context that the advice asks for. Enough for tools and code. */
const advisedContextTokens = 32_768;

/** Programs that serve models on the user's computer. */
export const modelServerPrograms: Readonly<Record<ModelServerKind, ModelServerProgram>> = {
  ollama: {
    title: 'Ollama',
    port: 11_434,
    api: 'chat',
    start: { command: 'ollama serve' },
    moreContext: { command: `OLLAMA_CONTEXT_LENGTH=${advisedContextTokens} ollama serve` },
  },
  'lm-studio': {
    title: 'LM Studio',
    port: 1_234,
    api: 'chat',
    start: { command: 'lms server start' },
    moreContext: { place: 'the model’s settings in LM Studio' },
  },
  'llama-cpp': {
    title: 'llama.cpp',
    port: 8_080,
    api: 'chat',
    start: { command: 'llama-server -m model.gguf --jinja' },
    moreContext: { command: `llama-server -m model.gguf --jinja -c ${advisedContextTokens}` },
  },
  vllm: {
    title: 'vLLM',
    port: 8_000,
    api: 'chat',
    start: { command: 'vllm serve MODEL' },
    moreContext: { command: `vllm serve MODEL --max-model-len ${advisedContextTokens}` },
  },
  jan: {
    title: 'Jan',
    port: 1_337,
    api: 'chat',
    start: { place: 'the settings of Jan, under “Local API Server”' },
    moreContext: { place: 'the model’s settings in Jan' },
  },
};

/** A model as its server describes it. `null` where the server says nothing. */
export const foundModelSchema = z.object({
  name: z.string(),
  sizeBytes: z.number().nullable(),
  /** Context that the server gives the model. */
  contextTokens: z.int().nullable(),
  /** Context that the model itself allows. The server may give less. */
  allowedContextTokens: z.int().nullable(),
  supportsTools: z.boolean().nullable(),
  supportsImages: z.boolean().nullable(),
  /** False for models that only compute embeddings. */
  writesText: z.boolean(),
});
export type FoundModel = z.infer<typeof foundModelSchema>;

/** A usual port, and the server that answers there. */
export const foundServerSchema = z.object({
  kind: modelServerKindSchema,
  /** `null` if nothing answers at the port. */
  address: z.string().nullable(),
  models: z.array(foundModelSchema),
});
export type FoundServer = z.infer<typeof foundServerSchema>;

export const foundServersSchema = z.object({ servers: z.array(foundServerSchema) });

export const modelTestStepIds = ['answers', 'code-model', 'tools', 'context', 'pictures', 'speed'] as const;
export type ModelTestStepId = (typeof modelTestStepIds)[number];

export const modelTestStepSchema = z.object({
  id: z.enum(modelTestStepIds),
  state: z.enum(['waiting', 'running', 'good', 'limited', 'failed']),
  /** The measured figure in a few characters. Empty until it is measured. */
  figure: z.string(),
  /** What the figure means for films. Empty until it is measured. */
  text: z.string(),
});
export type ModelTestStep = z.infer<typeof modelTestStepSchema>;

/** What a model is good for, by what was measured. */
export const modelVerdictSchema = z.object({
  isUsable: z.boolean(),
  /** Sentences for the user. The first is the most important. */
  sentences: z.array(z.string()),
  modelPath: modelPathSchema,
  /** Context to set, or `null` to leave the setting as it is. */
  contextTokens: z.int().nullable(),
  /** Whether a larger context would make the model good for more. */
  needsContext: z.boolean(),
});
export type ModelVerdict = z.infer<typeof modelVerdictSchema>;

export const modelTestSchema = z.object({
  model: z.string(),
  steps: z.array(modelTestStepSchema),
  durationMs: z.int(),
  /** `null` until all steps are done. */
  verdict: modelVerdictSchema.nullable(),
});
export type ModelTest = z.infer<typeof modelTestSchema>;

/** One line of a test's output: any number of `progress` lines, then one of the others. */
export const modelTestLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), test: modelTestSchema }),
  z.object({ type: z.literal('report'), test: modelTestSchema }),
  z.object({ type: z.literal('error'), error: errorEnvelopeSchema.shape.error }),
]);
export type ModelTestLine = z.infer<typeof modelTestLineSchema>;
