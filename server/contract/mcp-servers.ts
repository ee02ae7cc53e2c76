import { z } from 'zod';
import { hasNoCredentials } from './settings.ts';

export const maxMcpServers = 20;

/** Tools are named `<server>__<tool>`, so a server's name has no double underscore. */
export const serverNameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name, such as “brand-assets”.')
  .max(24, 'A name can have at most 24 characters.')
  .regex(/^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/, 'A name can have letters and digits, with single “-” or “_” between them.');

const urlSchema = z
  .url({ protocol: /^https?$/, error: 'Enter an address that starts with http:// or https://.' })
  .max(2000)
  .refine(hasNoCredentials, 'Remove the user name and password from the address, and enter a token in its own field.')
  .refine((url) => !url.includes('#'), 'Remove everything from “#” onwards.');

/** Limited to characters that HTTP headers allow and JSON does not escape, so that a token in a response can be removed. */
const bearerTokenSchema = z
  .string()
  .trim()
  .min(1, 'The token is empty.')
  .max(4000, 'The token is longer than 4,000 characters.')
  .regex(/^[!#-[\]-~]*$/, 'A token cannot contain spaces, quotes or backslashes.');

export const mcpServerRequestSchema = z.strictObject({
  url: urlSchema,
  /** If missing, the stored token for this address is kept. `null` removes it. */
  token: bearerTokenSchema.nullable().optional(),
});
export type McpServerRequest = z.output<typeof mcpServerRequestSchema>;

/** `ask`: each call needs the user's permission; `allowed`: none does; `off`: the agent does not see the tool. */
export const mcpRiskSchema = z.enum(['ask', 'allowed', 'off']);
export type McpRisk = z.infer<typeof mcpRiskSchema>;

export const mcpToolSchema = z.object({
  /** Name that the server gave the tool. */
  name: z.string(),
  description: z.string(),
  risk: mcpRiskSchema,
  /** Why the agent cannot have the tool. `null` if it can. */
  problem: z.string().nullable(),
});
export type McpTool = z.infer<typeof mcpToolSchema>;

export const mcpServerSchema = z.object({
  name: z.string(),
  /** `file`: from the configuration file, which only the operator of the host changes. */
  source: z.enum(['settings', 'file']),
  /** URL, or the command without its arguments. */
  address: z.string(),
  hasToken: z.boolean(),
  state: z.enum(['connecting', 'connected', 'failed']),
  /** Why the last connection failed. `null` if it did not. */
  error: z.string().nullable(),
  tools: z.array(mcpToolSchema),
});
export type McpServer = z.infer<typeof mcpServerSchema>;

export const toolReferenceSchema = z.strictObject({ server: serverNameSchema, tool: z.string().min(1).max(200) });

export const mcpSettingsSchema = z.object({
  servers: z.array(mcpServerSchema),
  /** Tool that the agent sees as `search`. `null` if none is chosen. */
  search: toolReferenceSchema.nullable(),
  /** Whether SEARXNG_URL provides `search`, so that the choice above has no effect. */
  hasSearchServer: z.boolean(),
});
export type McpSettings = z.infer<typeof mcpSettingsSchema>;

export const mcpRiskRequestSchema = toolReferenceSchema.extend({ risk: mcpRiskSchema });
export const mcpSearchRequestSchema = z.strictObject({ search: toolReferenceSchema.nullable() });
export const mcpTestSchema = z.object({ server: z.string(), tools: z.int() });
