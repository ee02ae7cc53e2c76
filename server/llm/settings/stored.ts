import { z } from 'zod';
import { modelApiSchema, modelPathSchema, modelProviderSchema } from '#contract/settings.ts';

export const storedModelsSchema = z.object({
  provider: modelProviderSchema,
  /** `null` for the director. */
  baseUrl: z.string().nullable(),
  orchestrator: z.string(),
  generator: z.string(),
  contextTokens: z.int().nullable(),
  /** Missing in settings from before there was a choice. */
  modelPath: modelPathSchema.default('auto'),
  /** Missing in settings from before there was a choice. */
  api: modelApiSchema.default('messages'),
  /** Stored with the address that it belongs to, and never sent elsewhere. */
  key: z.object({ baseUrl: z.string(), value: z.string() }).nullable(),
});
export type StoredModels = z.output<typeof storedModelsSchema>;

export const nothingStored: StoredModels = {
  provider: 'director',
  baseUrl: null,
  orchestrator: '',
  generator: '',
  contextTokens: null,
  modelPath: 'auto',
  api: 'messages',
  key: null,
};
