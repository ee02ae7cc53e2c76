import { z } from 'zod';

export const anthropicUrl = 'https://api.anthropic.com';
/** Of Anthropic's models, the one that works when none is named. */
export const defaultModel = 'claude-sonnet-5-5';

/** False for an address that carries a user or a password: addresses are shown in messages and logs. */
export function hasNoCredentials(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

/** What the agent works with: the built-in director, Anthropic's service, or a server that speaks its Messages API. */
export const modelProviderSchema = z.enum(['director', 'anthropic', 'server']);
export type ModelProvider = z.infer<typeof modelProviderSchema>;

const modelNameSchema = z
  .string()
  .trim()
  .max(200, 'A model’s name has at most 200 characters.')
  .regex(/^\P{Cc}*$/u, 'A model’s name has no line breaks or control characters.');

/** What a header may carry and JSON repeats as it is, so that a key is found wherever a service repeats it. */
const apiKeySchema = z
  .string()
  .trim()
  .min(1, 'The key is empty.')
  .max(1000, 'The key is longer than 1,000 characters.')
  .regex(/^[!#-[\]-~]*$/, 'A key has letters, digits and signs, without spaces, quotes and backslashes.');

const addressSchema = z
  .url({ protocol: /^https?$/, error: 'Write an address that begins with http:// or https://.' })
  .max(2000)
  .refine(hasNoCredentials, 'Leave the user and the password out of the address; put the key into its own field.')
  .refine((url) => !/[?#]/.test(url), 'Leave out what follows “?” or “#”.')
  .transform((url) => url.replace(/\/+$/, ''));

/** Tokens of a request and its answer together: Koda's shortest prompt, a small film, and room for the answer. */
export const minContextTokens = 28_000;

const names = {
  /** The model that leads; empty = the default. */
  orchestrator: modelNameSchema.default(''),
  /** The model that writes code; empty = the one that leads. */
  generator: modelNameSchema.default(''),
};
const connection = {
  ...names,
  /** Absent = the one that is kept for this address. */
  apiKey: apiKeySchema.optional(),
};

/** Which models shall work. What is left out takes its default, but the key, which stays. */
export const modelSettingsRequestSchema = z.discriminatedUnion('provider', [
  z.strictObject({ provider: z.literal('director') }),
  z.strictObject({ provider: z.literal('anthropic'), ...connection }),
  z.strictObject({
    provider: z.literal('server'),
    baseUrl: addressSchema,
    ...connection,
    contextTokens: z.int().min(minContextTokens, `At least ${minContextTokens} tokens.`).max(10_000_000).nullable().default(null),
  }),
]);
export type ModelSettingsRequest = z.output<typeof modelSettingsRequestSchema>;

/** Variables of the environment that decide a part of the settings; empty = it is free. */
const variablesSchema = z.array(z.string());

/** Which models are set and which work. A key is never in it: only the address that one is kept for. */
export const modelSettingsSchema = z.object({
  provider: modelProviderSchema,
  baseUrl: z.string().nullable(),
  orchestrator: z.string(),
  generator: z.string(),
  contextTokens: z.int().nullable(),
  /** The address that a key is kept for; it is sent nowhere else. */
  keyFor: z.string().nullable(),
  setBy: z.object({
    connection: variablesSchema,
    orchestrator: variablesSchema,
    generator: variablesSchema,
    contextTokens: variablesSchema,
  }),
  /** What works now, for whatever begins from here on. */
  current: z.object({ kind: z.string(), orchestrator: z.string(), generator: z.string() }),
  /** Of Anthropic's service, when no name is given. */
  defaults: z.object({ baseUrl: z.string(), orchestrator: z.string() }),
});
export type ModelSettingsView = z.infer<typeof modelSettingsSchema>;

export const limitIdSchema = z.enum([
  'sandbox-memory',
  'sandbox-cpus',
  'sandbox-disk',
  'sandbox-disk-reserve',
  'renders',
  'render-workers',
  'data-size',
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

/** What this installation allows. */
export const limitSchema = z.object({
  id: limitIdSchema,
  /** Null = there is no limit. */
  value: z.number().nullable(),
  unit: z.enum(['bytes', 'characters', 'count', 'minutes', 'seconds', 'tokens', 'usd']),
  /** The variable of the environment that sets it; null = it is fixed. */
  variable: z.string().nullable(),
});
export type Limit = z.infer<typeof limitSchema>;

export const settingsSchema = z.object({ model: modelSettingsSchema, limits: z.array(limitSchema) });
export type Settings = z.infer<typeof settingsSchema>;

/** What the studio is made of and runs on; null = not known at the moment. */
export const aboutSchema = z.object({
  version: z.string(),
  node: z.string(),
  /** What carries the sandboxes, as it says of itself. */
  engine: z.string().nullable(),
  /** Known once a sandbox has run since the server was started. */
  chromium: z.string().nullable(),
  ffmpeg: z.string().nullable(),
});
export type About = z.infer<typeof aboutSchema>;
