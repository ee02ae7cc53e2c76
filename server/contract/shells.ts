import { z } from 'zod';
import { errorEnvelopeSchema } from './errors.ts';
import { endUpTo, textUpTo } from './sandboxd.ts';

// Between the server and sandboxd.

/** What a shell session is called by who opens it; it is part of a path. */
export const shellNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/, 'the name of a session has letters, digits, - and _, at most 32 of them');
/** Longest time that one call waits for a command in a session. */
export const maxShellWaitMs = 300_000;
const shellWaitMsSchema = z.int().min(0).max(maxShellWaitMs);

export const shellExecRequestSchema = z.object({
  /** Run by bash in the session's folder and environment, both of which it may change. */
  command: z.string().min(1).max(10_000),
  /** Until the answer; the command runs on. */
  timeoutMs: shellWaitMsSchema,
});
export type ShellExecRequest = z.infer<typeof shellExecRequestSchema>;
export const shellInputSchema = z.object({
  /** As from a keyboard: `\r` is Enter, `\x03` is Ctrl-C. */
  input: z.string().min(1).max(65_536),
  timeoutMs: shellWaitMsSchema,
  /**
   * For a writer that sends again what was not answered: input is taken once, in the order of its numbers, and by this
   * session alone, never by one that has taken over its name. Refused with SESSION_NOT_FOUND.
   */
  order: z
    .object({ session: z.string().max(64), writer: z.string().min(1).max(64), number: z.int().min(1) })
    .nullable()
    .default(null),
});
export type ShellInput = z.input<typeof shellInputSchema>;
export const shellWaitSchema = z.object({ timeoutMs: shellWaitMsSchema });

export const terminalSizeSchema = z.object({ columns: z.int().min(2).max(1_000), rows: z.int().min(2).max(500) });
export type TerminalSize = z.infer<typeof terminalSizeSchema>;

export const shellStatusSchema = z.object({
  name: textUpTo(100),
  /** Tells sessions of one name apart; empty from a daemon that is older than this field. */
  session: z.string().max(64).default(''),
  /** `commands`: one after the other, each with its exit code. `terminal`: a prompt, at which a person types. */
  kind: z.enum(['commands', 'terminal']),
  /** A command is at work; of a terminal: it has not ended. */
  running: z.boolean(),
  /** Of the last command that has ended (128 + signal when it was ended by one); null when none has. */
  exitCode: z.int().nullable(),
  /** The shell itself has ended (`exit`): the next command begins a new session. */
  ended: z.boolean(),
});
export type ShellStatus = z.infer<typeof shellStatusSchema>;
export const shellListSchema = z.object({ shells: z.array(shellStatusSchema) });

export const shellAnswerSchema = shellStatusSchema.extend({
  /** Without terminal codes; its end, when it is longer than 50 KB. */
  output: endUpTo(100_000),
  truncated: z.boolean(),
});
export type ShellAnswer = z.infer<typeof shellAnswerSchema>;

// Between the page and the server.

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
    /** The client that writes, e.g. one page; its input is taken once, in the order of its numbers, which begin at 1. */
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
