import { z } from 'zod';
import { errorEnvelopeSchema } from '../errors.ts';
import { endUpTo, textUpTo } from './answers.ts';

// Calls between the server and sandboxd.

/** Name of a shell session, chosen by the caller that opens it. Part of a URL path. */
export const shellNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/, 'a session name has at most 32 letters, digits, - and _');
/** Longest time that a single call waits for a command in a session. */
export const maxShellWaitMs = 300_000;
const shellWaitMsSchema = z.int().min(0).max(maxShellWaitMs);

export const shellExecRequestSchema = z.object({
  /** Command for bash, run in the session's folder and environment, both of which it may change. */
  command: z.string().min(1).max(10_000),
  timeoutMs: shellWaitMsSchema,
});
export type ShellExecRequest = z.infer<typeof shellExecRequestSchema>;
export const shellInputSchema = z.object({
  input: z.string().min(1).max(65_536),
  timeoutMs: shellWaitMsSchema,
  /**
   * For writers that resend unacknowledged input. Input is accepted once, in numeric order, and only by this session, never
   * by a later one with the same name (SESSION_NOT_FOUND).
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
  /** Distinguishes sessions with the same name. Empty if the daemon predates this field. */
  session: z.string().max(64).default(''),
  /** `commands`: run in sequence, each with its exit code. `terminal`: a prompt for a person. */
  kind: z.enum(['commands', 'terminal']),
  /** Whether a command is running. For a terminal, whether it is open. */
  running: z.boolean(),
  /** Exit code of the last finished command (128 + signal if a signal ended it). `null` if none has finished. */
  exitCode: z.int().nullable(),
  ended: z.boolean(),
});
export type ShellStatus = z.infer<typeof shellStatusSchema>;
export const shellListSchema = z.object({ shells: z.array(shellStatusSchema) });

export const shellResultSchema = shellStatusSchema.extend({
  /** Output without terminal codes, truncated to the last 50 KB. */
  output: endUpTo(100_000),
  truncated: z.boolean(),
});
export type ShellResult = z.infer<typeof shellResultSchema>;

// Calls between the studio and the server.

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
  /** Changes whenever a new shell with this name starts. */
  session: z.string(),
  ended: z.boolean(),
  /** The shell's exit code (128 + signal if a signal ended it). For the agent's shells, the last command's. */
  exitCode: z.int().nullable(),
});
export type Shell = z.infer<typeof shellSchema>;
export const shellsResponseSchema = z.object({ items: z.array(shellSchema) });

/** Limit of one request in UTF-16 characters. A writer splits longer input. */
export const maxTerminalInput = 32_768;

const keysSchema = z.string().min(1).max(maxTerminalInput);

export const terminalInputSchema = z
  .object({
    /** Session that the input is for. A later session with the same name never receives it. */
    session: z.string().max(64),
    /** Identifies the writer, for example one browser tab. Its input is accepted once, in numeric order from 1. */
    writer: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    number: z.int().min(1),
    input: keysSchema,
    /** The previous input, if it was not acknowledged. It is typed first, unless that has already happened. */
    unanswered: keysSchema.optional(),
  })
  .refine(({ number, unanswered }) => unanswered === undefined || number > 1, {
    path: ['unanswered'],
    error: 'number 1 cannot have unacknowledged input before it',
  });
export type TerminalInput = z.infer<typeof terminalInputSchema>;

export const shellLineSchema = z.discriminatedUnion('type', [
  /** First line: the session, and the offset at which its output continues. Older output is no longer available. */
  z.object({ type: z.literal('open'), session: z.string(), offset: z.int().min(0) }),
  /** Raw bytes and their offset, which is higher than expected if the reader was too slow. */
  z.object({ type: z.literal('output'), offset: z.int().min(0), base64: z.string() }),
  /** Heartbeat without output. */
  z.object({ type: z.literal('alive') }),
  /** Last line: the shell has exited. A stream without it was interrupted; the client resumes from the last offset. */
  z.object({ type: z.literal('ended'), exitCode: z.int().nullable() }),
  z.object({ type: z.literal('error'), error: errorEnvelopeSchema.shape.error }),
]);
export type ShellLine = z.infer<typeof shellLineSchema>;
