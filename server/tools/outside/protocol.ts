import { z } from 'zod';
import { errorCodeSchema } from '#contract/errors.ts';
import type { PrivateAddresses } from '../../lib/outbound-fetch.ts';

/** Longest line between the app and the process of the connections: a result with its images, or a tool's input. */
export const maxLineBytes = 12 * 1024 * 1024;
/** The process reports that its event loop runs. */
export const beatIntervalMs = 1_000;

export interface McpTimeouts {
  readonly connectMs: number;
  readonly callMs: number;
}

/** How a server is reached. */
export type Endpoint =
  | {
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly privateAddresses: PrivateAddresses;
    }
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

/** A tool that another server has declared. Everything in it is untrusted. */
export const declaredToolSchema = z.object({
  /** Name that the server gave it. */
  name: z.string(),
  /** Name that the agent sees. */
  offeredAs: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  /** Changes with the declaration, so that a permission does not outlive what it was given for. */
  digest: z.string(),
  /** Why the agent cannot have the tool. `null` if it can. */
  problem: z.string().nullable(),
});
export type DeclaredTool = Readonly<z.output<typeof declaredToolSchema>>;

/** A tool's result within the limits of what the agent gets. */
export const outsideResultSchema = z.object({
  isError: z.boolean(),
  text: z.string(),
  leftOutCharacters: z.int(),
  images: z.array(z.object({ mediaType: z.enum(['image/png', 'image/jpeg']), base64: z.string() })),
});
export type OutsideResult = z.output<typeof outsideResultSchema>;

export const problemsSchema = z.array(z.string());

/** What the app sends. `connection` and `request` are numbers that it chooses. */
export type Command =
  | {
      readonly type: 'open';
      readonly connection: number;
      readonly name: string;
      readonly endpoint: Endpoint;
      readonly version: string;
      readonly timeouts: McpTimeouts;
    }
  | { readonly type: 'close'; readonly connection: number }
  | { readonly type: 'cancel'; readonly request: number }
  | ({ readonly request: number; readonly connection: number } & Question);

export type Question =
  | { readonly type: 'connect' }
  | { readonly type: 'check'; readonly tool: string; readonly digest: string; readonly input: unknown }
  | { readonly type: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

/** What the process of the connections sends. A `state` with `hasNewTools` makes the tools before it the connection's list. */
export const reportSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('beat') }),
  z.object({ type: z.literal('tool'), connection: z.int(), tool: declaredToolSchema }),
  z.object({
    type: z.literal('state'),
    connection: z.int(),
    state: z.enum(['connecting', 'connected', 'failed']),
    error: z.string().nullable(),
    hasNewTools: z.boolean(),
  }),
  z.object({ type: z.literal('answer'), request: z.int(), value: z.unknown() }),
  z.object({
    type: z.literal('failure'),
    request: z.int(),
    code: errorCodeSchema,
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
]);
export type Report = z.output<typeof reportSchema>;
