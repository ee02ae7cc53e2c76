import { z } from 'zod';

export const anthropicUrl = 'https://api.anthropic.com';
export const defaultModel = 'claude-sonnet-5-5';

/** Returns false if an address contains a user name or password, because messages and logs show addresses. */
export function hasNoCredentials(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

/** The agent's provider: the built-in director, Anthropic's service, or a server of the user’s. */
export const modelProviderSchema = z.enum(['director', 'anthropic', 'server']);
export type ModelProvider = z.infer<typeof modelProviderSchema>;

const modelNameSchema = z
  .string()
  .trim()
  .max(200, 'A model name can have at most 200 characters.')
  .regex(/^\P{Cc}*$/u, 'A model name cannot contain line breaks or control characters.');

/** Limited to characters that HTTP headers allow and JSON does not escape, so that a key in a response can be redacted. */
const apiKeySchema = z
  .string()
  .trim()
  .min(1, 'The key is empty.')
  .max(1000, 'The key is longer than 1,000 characters.')
  .regex(/^[!#-[\]-~]*$/, 'A key cannot contain spaces, quotes or backslashes.');

const addressSchema = z
  .url({ protocol: /^https?$/, error: 'Enter an address that starts with http:// or https://.' })
  .max(2000)
  .refine(hasNoCredentials, 'Remove the user name and password from the address, and enter the key in its own field.')
  .refine((url) => !/[?#]/.test(url), 'Remove everything from “?” or “#” onwards.')
  .transform((url) => url.replace(/\/+$/, ''));

/** Tokens for a request and its response. The minimum covers the prompt for a film of formats and a short response. */
export const minContextTokens = 4_096;
/** Minimum for a model that calls tools and writes code: Koda's shortest prompt, a small film and the response. */
export const minCodeContextTokens = 28_000;

/**
 * How a language model makes films. `formats`: it fills Koda's formats in one answer. `code`: it calls tools and may write code.
 * `auto`: code for Claude with enough context, formats for all others.
 */
export const modelPathSchema = z.enum(['auto', 'formats', 'code']);
export type ModelPath = z.infer<typeof modelPathSchema>;

/** The API of a server: Anthropic's Messages API, or chat completions as OpenAI defines them. */
export const modelApiSchema = z.enum(['messages', 'chat']);
export type ModelApi = z.infer<typeof modelApiSchema>;

const choices = {
  /** Main model. Empty for the default. */
  orchestrator: modelNameSchema.default(''),
  /** Code model. Empty for the main model. */
  generator: modelNameSchema.default(''),
  modelPath: modelPathSchema.default('auto'),
};
const connection = {
  ...choices,
  /** If missing, the stored key for this address is used. */
  apiKey: apiKeySchema.optional(),
};

/** Model settings to apply. Missing fields get their defaults, except the key, which is kept. */
export const modelSettingsRequestSchema = z.discriminatedUnion('provider', [
  z.strictObject({ provider: z.literal('director') }),
  z.strictObject({ provider: z.literal('anthropic'), ...connection }),
  z.strictObject({
    provider: z.literal('server'),
    baseUrl: addressSchema,
    ...connection,
    contextTokens: z.int().min(minContextTokens, `At least ${minContextTokens} tokens.`).max(10_000_000).nullable().default(null),
    api: modelApiSchema.default('messages'),
  }),
]);
export type ModelSettingsRequest = z.output<typeof modelSettingsRequestSchema>;

/** Environment variables that override a setting. Empty if the user can change it. */
const variablesSchema = z.array(z.string());

/** Stored and effective model settings. Never contains a key, only the address that it belongs to. */
export const modelSettingsSchema = z.object({
  provider: modelProviderSchema,
  baseUrl: z.string().nullable(),
  orchestrator: z.string(),
  generator: z.string(),
  contextTokens: z.int().nullable(),
  modelPath: modelPathSchema,
  api: modelApiSchema,
  /** Address that the stored key belongs to. The key is never sent elsewhere. */
  keyFor: z.string().nullable(),
  setBy: z.object({
    connection: variablesSchema,
    orchestrator: variablesSchema,
    generator: variablesSchema,
    contextTokens: variablesSchema,
    modelPath: variablesSchema,
    api: variablesSchema,
  }),
  /** Models that new work uses. */
  current: z.object({ kind: z.string(), orchestrator: z.string(), generator: z.string() }),
  defaults: z.object({ baseUrl: z.string(), orchestrator: z.string() }),
});
export type ModelSettingsView = z.infer<typeof modelSettingsSchema>;

export const limitIdSchema = z.enum([
  'sandboxes',
  'sandbox-memory',
  'sandbox-cpus',
  'sandbox-disk',
  'sandbox-disk-reserve',
  'renders',
  'render-workers',
  'data-size',
  'project-size',
  'disk-reserve',
  'upload-size',
  'prompt-length',
  'run-steps',
  'run-minutes',
  'run-tokens',
  'run-cost',
  'answer-tokens',
  'model-silence',
]);
export type LimitId = z.infer<typeof limitIdSchema>;

export const limitSchema = z.object({
  id: limitIdSchema,
  value: z.number().nullable(),
  unit: z.enum(['bytes', 'characters', 'count', 'minutes', 'seconds', 'tokens', 'usd']),
  /** Environment variable that sets the limit. `null` if it is fixed. */
  variable: z.string().nullable(),
});
export type Limit = z.infer<typeof limitSchema>;

export const settingsSchema = z.object({
  model: modelSettingsSchema,
  limits: z.array(limitSchema),
  /** Whether accepting a preview renders the final video, unless the user declines. */
  automaticFinal: z.boolean(),
});
export type Settings = z.infer<typeof settingsSchema>;

/** Versions of the studio's components. `null` if currently unknown. */
export const aboutSchema = z.object({
  version: z.string(),
  node: z.string(),
  /** Container engine, as it identifies itself. */
  engine: z.string().nullable(),
  /** `null` until a sandbox has run since the server was started. */
  chromium: z.string().nullable(),
  ffmpeg: z.string().nullable(),
});
export type About = z.infer<typeof aboutSchema>;
