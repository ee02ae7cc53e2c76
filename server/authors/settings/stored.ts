import { z } from 'zod';
import { modelProviderSchema } from '#contract/settings.ts';

/** What the settings page keeps of the models, in a file of its own. */
export const storedModelsSchema = z.object({
  provider: modelProviderSchema,
  /** Null for the director. */
  baseUrl: z.string().nullable(),
  orchestrator: z.string(),
  generator: z.string(),
  contextTokens: z.int().nullable(),
  /** Kept with the address that it was given for, and sent nowhere else. */
  key: z.object({ baseUrl: z.string(), value: z.string() }).nullable(),
});
export type StoredModels = z.output<typeof storedModelsSchema>;

/** Of an installation where nothing was chosen. */
export const nothingStored: StoredModels = {
  provider: 'director',
  baseUrl: null,
  orchestrator: '',
  generator: '',
  contextTokens: null,
  key: null,
};
