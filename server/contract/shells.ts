import { z } from 'zod';
import { errorEnvelopeSchema } from './errors.ts';

/** The terminals that the user of a project may have open, one each; every other shell of a sandbox is the agent's. */
export const terminalNames = ['user-1', 'user-2', 'user-3', 'user-4'] as const;
export type TerminalName = (typeof terminalNames)[number];
export const terminalNameSchema = z.enum(
  terminalNames,
  `the terminals of the user are ${terminalNames.join(', ')}; the shells of the agent can only be watched`,
);
export const isTerminalName = (name: string): name is TerminalName => terminalNames.some((known) => known === name);

export const shellSchema = z.object({
  name: z.string(),
  owner: z.enum(['user', 'agent']),
  /** Another one each time that a shell of this name begins. */
  session: z.string(),
  /** The shell itself has ended. */
  ended: z.boolean(),
  /** How it ended, 128 + signal when it was ended by one; for the agent's shells that of the last command. */
  exitCode: z.int().nullable(),
});
export type Shell = z.infer<typeof shellSchema>;
export const shellsResponseSchema = z.object({ items: z.array(shellSchema) });

/** Most characters (UTF-16) of one request; a writer with more sends them one after the other. */
export const maxTerminalInput = 32_768;

/** As from a keyboard: `\r` is Enter, `\x03` is Ctrl-C. */
const keysSchema = z.string().min(1).max(maxTerminalInput);

export const terminalInputSchema = z
  .object({
    /** Of the shell that is meant: one that has taken over its name never gets these keys. */
    session: z.string().max(64),
    /** Who writes, e.g. one page; its input is taken once, in the order of its numbers, which begin at 1. */
    writer: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    number: z.int().min(1),
    input: keysSchema,
    /** What was sent under the number before, when no answer to it came: it is typed first, unless it was already. */
    unanswered: keysSchema.optional(),
  })
  .refine(({ number, unanswered }) => unanswered === undefined || number > 1, {
    path: ['unanswered'],
    error: 'there is nothing before the first number',
  });
export type TerminalInput = z.infer<typeof terminalInputSchema>;

/** What a shell writes, one line of JSON each. Offsets count bytes from the beginning of the session. */
export const shellLineSchema = z.discriminatedUnion('type', [
  /** The first: which session this is, and where its output goes on. What lies before that is not kept any more. */
  z.object({ type: z.literal('open'), session: z.string(), offset: z.int().min(0) }),
  /** Bytes as they were written, and where they begin: behind the last ones, or later when the reader was too slow. */
  z.object({ type: z.literal('output'), offset: z.int().min(0), base64: z.string() }),
  /** Nothing was written for a while. */
  z.object({ type: z.literal('alive') }),
  /** The last: the shell has ended. A stream without it was cut, and goes on from the last offset. */
  z.object({ type: z.literal('ended'), exitCode: z.int().nullable() }),
  z.object({ type: z.literal('error'), error: errorEnvelopeSchema.shape.error }),
]);
export type ShellLine = z.infer<typeof shellLineSchema>;
