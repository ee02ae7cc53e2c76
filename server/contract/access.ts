import { z } from 'zod';
import { projectIdSchema, tokenIdSchema } from './ids.ts';

/** Rights of another program: read projects, change files and plans, run code in the sandbox, render videos. */
export const scopeSchema = z.enum(['read', 'write', 'run', 'render']);
export type Scope = z.infer<typeof scopeSchema>;

export const maxTokens = 100;
export const maxTokenProjects = 100;

export const tokenRequestSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name, so that you recognise the token later.')
    .max(80, 'A name can have at most 80 characters.')
    .regex(/^\P{Cc}*$/u, 'A name cannot contain line breaks or control characters.'),
  scopes: z
    .array(scopeSchema)
    .min(1, 'Choose at least one scope.')
    .transform((list) => scopeSchema.options.filter((scope) => list.includes(scope))),
  /** Projects that the token opens. `all` includes future ones. */
  projects: z.union([
    z.literal('all'),
    z
      .array(projectIdSchema)
      .min(1, 'Choose at least one project.')
      .max(maxTokenProjects)
      .transform((ids) => [...new Set(ids)]),
  ]),
  /** `null`: valid until it is revoked. */
  expiresAt: z.iso.datetime().nullable().default(null),
});
export type TokenRequest = z.output<typeof tokenRequestSchema>;

/** A token without its secret, which only its creator sees, once. */
export const tokenSchema = z.object({
  id: tokenIdSchema,
  name: z.string(),
  scopes: z.array(scopeSchema),
  projects: z.union([z.literal('all'), z.array(projectIdSchema)]),
  createdAt: z.iso.datetime(),
  /** Precise to a minute. `null` if the token was never used. */
  lastUsedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
});
export type Token = z.infer<typeof tokenSchema>;

export const createdTokenSchema = z.object({ token: tokenSchema, secret: z.string() });

/** What a browser may do, and whether it needs the access token for it. */
export const sessionSchema = z.object({ signedIn: z.boolean(), needsToken: z.boolean() });

export const signInRequestSchema = z.strictObject({ token: z.string().trim().min(1, 'Enter the access token.').max(400) });
