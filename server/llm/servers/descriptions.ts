import { z } from 'zod';
import type { FoundModel, ModelServerKind } from '#contract/model-servers.ts';

/** What one answer of a server says about a model. */
export type Description = Partial<Omit<FoundModel, 'name'>>;

/** Requests a path of a server. Returns `null` if there is no answer, or none of this shape. */
export type Read = <Value>(path: string, schema: z.ZodType<Value>, body?: object) => Promise<Value | null>;

/** Key of a description that holds for all models of a server. */
export const everyModel = '';

const maxListed = 200;

/** A name that can be shown and stored: without control characters and what changes the direction of text. */
const nameSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u);
const tokensSchema = z.int().min(1).max(100_000_000).nullable().catch(null).default(null);
const bytesSchema = z.number().min(1).max(1e15).nullable().catch(null).default(null);
const wordsSchema = z.array(z.string().max(60)).max(20).nullable().catch(null).default(null);

/** Returns the valid entries of a list, because one odd model must not hide the others. */
const listOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.array(z.unknown()).transform((all) =>
    all.slice(0, maxListed).flatMap((one) => {
      const parsed = entry.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    }),
  );

const isEmbedding = (name: string) => /embed/i.test(name);

/** The list that all servers have. llama.cpp adds `meta`, and vLLM adds `max_model_len`. */
export const listSchema = z
  .object({
    data: listOf(
      z.object({
        id: nameSchema,
        max_model_len: tokensSchema,
        meta: z.object({ n_ctx_train: tokensSchema, size: bytesSchema }).nullable().catch(null).default(null),
      }),
    ),
  })
  .transform(({ data }) =>
    data.map(({ id, max_model_len: contextTokens, meta }) => ({
      name: id,
      description: {
        contextTokens,
        allowedContextTokens: meta?.n_ctx_train ?? contextTokens,
        sizeBytes: meta?.size ?? null,
        writesText: !isEmbedding(id),
      } satisfies Description,
    })),
  );

const ollamaTags = z.object({ models: listOf(z.object({ name: nameSchema, size: bytesSchema })) });

/** Ollama's description of one model. It has the context that the model allows, not the one that Ollama gives it. */
export const ollamaModel = z
  .object({ capabilities: wordsSchema, model_info: z.record(z.string(), z.unknown()).catch({}).default({}) })
  .transform(({ capabilities, model_info: info }): Description => {
    const [, context = null] = Object.entries(info).find(([key]) => key.endsWith('.context_length')) ?? [];
    return {
      allowedContextTokens: tokensSchema.parse(context),
      ...(capabilities !== null && {
        supportsTools: capabilities.includes('tools'),
        supportsImages: capabilities.includes('vision'),
        writesText: capabilities.includes('completion'),
      }),
    };
  });

const lmStudioModels = z.object({
  data: listOf(
    z.object({
      id: nameSchema,
      type: z.string().max(60).catch('').default(''),
      max_context_length: tokensSchema,
      loaded_context_length: tokensSchema,
      capabilities: wordsSchema,
    }),
  ),
});

const llamaCppProps = z.object({
  default_generation_settings: z.object({ n_ctx: tokensSchema }).nullable().catch(null).default(null),
  modalities: z
    .object({ vision: z.boolean().nullable().catch(null) })
    .nullable()
    .catch(null)
    .default(null),
});

/** Returns what a server says in its own form, by the model's name. */
export async function detailsOf(kind: ModelServerKind, read: Read): Promise<ReadonlyMap<string, Description>> {
  switch (kind) {
    case 'ollama': {
      const { models } = (await read('/api/tags', ollamaTags)) ?? { models: [] };
      return new Map(models.map(({ name, size }) => [name, { sizeBytes: size }]));
    }
    case 'lm-studio': {
      const { data } = (await read('/api/v0/models', lmStudioModels)) ?? { data: [] };
      return new Map(
        data.map((model) => [
          model.id,
          {
            contextTokens: model.loaded_context_length,
            allowedContextTokens: model.max_context_length,
            supportsTools: model.capabilities?.includes('tool_use') ?? null,
            supportsImages: model.type === '' ? null : model.type === 'vlm',
            writesText: model.type !== 'embeddings',
          },
        ]),
      );
    }
    case 'llama-cpp': {
      const props = await read('/props', llamaCppProps);
      if (props === null) return new Map();
      const { default_generation_settings: settings, modalities } = props;
      return new Map([[everyModel, { contextTokens: settings?.n_ctx ?? null, supportsImages: modalities?.vision ?? null }]]);
    }
    case 'vllm':
    case 'jan':
      return new Map();
  }
}
