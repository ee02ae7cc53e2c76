import { z } from 'zod';
import { errorEnvelopeSchema } from './errors.ts';
import { endUpTo, textUpTo } from './sandboxd.ts';

// Calls between the server and sandboxd.

/** Name of a shell session, chosen by the caller that opens it. It is part of a path. */
export const shellNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/, 'a session name has at most 32 letters, digits, - and _');
/** Limit of a single call that waits for a command in a session. */
export const maxShellWaitMs = 300_000;
const shellWaitMsSchema = z.int().min(0).max(maxShellWaitMs);

export const shellExecRequestSchema = z.object({
  /** Run by bash in the session's folder and environment, which the command may change. */
  command: z.string().min(1).max(10_000),
  timeoutMs: shellWaitMsSchema,
});
export type ShellExecRequest = z.infer<typeof shellExecRequestSchema>;
export const shellInputSchema = z.object({
  input: z.string().min(1).max(65_536),
  timeoutMs: shellWaitMsSchema,
  /**
   * For a writer that repeats unacknowledged input. Input is accepted once, in numeric order, and only by this session, never by
   * a later one of the same name (SESSION_NOT_FOUND).
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
  /** Distinguishes sessions of the same name. Empty from a daemon that is older than this field. */
  session: z.string().max(64).default(''),
  /** `commands`: one after the other, each with its exit code. `terminal`: a prompt for a person. */
  kind: z.enum(['commands', 'terminal']),
  /** Whether a command is running. For a terminal: whether it is open. */
  running: z.boolean(),
  /** Exit code of the last finished command (128 + signal if a signal ended it). `null` if there is none. */
  exitCode: z.int().nullable(),
  ended: z.boolean(),
});
export type ShellStatus = z.infer<typeof shellStatusSchema>;
export const shellListSchema = z.object({ shells: z.array(shellStatusSchema) });

export const shellResultSchema = shellStatusSchema.extend({
  /** Without terminal codes. Truncated to the last 50 KB. */
  output: endUpTo(100_000),
  truncated: z.boolean(),
});
export type ShellResult = z.infer<typeof shellResultSchema>;

// Calls between the studio and the server.

/** Terminals of a project's user. All other shells of a sandbox belong to the agent. */
export const terminalNames = ['user-1', 'user-2', 'user-3', 'user-4'] as const;
export type TerminalName = (typeof terminalNames)[number];
export const terminalNameSchema = z.enum(
  terminalNames,
  `the user terminals are ${terminalNames.join(', ')}; the agent’s shells are read-only`,
);
export const isTerminalName = (name: string): name is TerminalName => terminalNames.some((known) => known === name);

export const shellSchema = z.object({
  name: z.string(),
  owner: z.enum(['user', 'agent']),
  /** Changes whenever a new shell of this name starts. */
  session: z.string(),
  ended: z.boolean(),
  /** Exit code of the shell (128 + signal if a signal ended it). For the agent's shells, that of the last command. */
  exitCode: z.int().nullable(),
});
export type Shell = z.infer<typeof shellSchema>;
export const shellsResponseSchema = z.object({ items: z.array(shellSchema) });

/** Limit of one request in UTF-16 characters. A writer splits longer input. */
export const maxTerminalInput = 32_768;

const keysSchema = z.string().min(1).max(maxTerminalInput);

export const terminalInputSchema = z
  .object({
    /** Session that the keys are meant for. A later session of the same name never gets them. */
    session: z.string().max(64),
    /** Client that writes, for example one browser tab. Its input is accepted once, in numeric order from 1. */
    writer: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    number: z.int().min(1),
    input: keysSchema,
    /** Input of the previous number if it was not acknowledged. It is typed first, unless it already was. */
    unanswered: keysSchema.optional(),
  })
  .refine(({ number, unanswered }) => unanswered === undefined || number > 1, {
    path: ['unanswered'],
    error: 'number 1 cannot have unacknowledged input before it',
  });
export type TerminalInput = z.infer<typeof terminalInputSchema>;

export const shellLineSchema = z.discriminatedUnion('type', [
  /** First line: the session and the offset at which its output continues. Older output is no longer stored. */
  z.object({ type: z.literal('open'), session: z.string(), offset: z.int().min(0) }),
  /** Raw bytes and their offset, which is higher than expected if the reader was too slow. */
  z.object({ type: z.literal('output'), offset: z.int().min(0), base64: z.string() }),
  /** Heartbeat without output. */
  z.object({ type: z.literal('alive') }),
  /** Last line: the shell has exited. A stream without it was cut and continues from the last offset. */
  z.object({ type: z.literal('ended'), exitCode: z.int().nullable() }),
  z.object({ type: z.literal('error'), error: errorEnvelopeSchema.shape.error }),
]);
export type ShellLine = z.infer<typeof shellLineSchema>;
