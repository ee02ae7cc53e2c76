import { z } from 'zod';
import { projectIdSchema } from './ids.ts';

/** Another project in which a call started work that continues after the call. */
export const startedWorkSchema = z.object({
  projectId: projectIdSchema,
  /** The project's name at that time. */
  name: z.string(),
});
export type StartedWork = Readonly<z.infer<typeof startedWorkSchema>>;

export const toolCallSchema = z.object({
  /** Unique within a run, not within a project. */
  callId: z.string(),
  name: z.string(),
  /** Purpose of the call, in one line. */
  label: z.string(),
  /** One-line result. While the call is running and after a failure, same as `label`. */
  summary: z.string(),
  startedAt: z.iso.datetime(),
  /** `null` while it is running or waiting for the user. */
  durationMs: z.int().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Missing if the call started no work in another project. */
  started: startedWorkSchema.optional(),
});
export type ToolCall = Readonly<z.infer<typeof toolCallSchema>>;

export const maxSnapshotCalls = 200;
/** Error messages for the model may be long, so the studio truncates them. */
const maxErrorCharacters = 2000;

interface Started {
  readonly type: 'tool.started';
  readonly at: string;
  readonly callId: string;
  readonly name: string;
  readonly summary: string;
}
interface Finished {
  readonly type: 'tool.finished';
  readonly at: string;
  readonly callId: string;
  readonly durationMs: number;
  readonly summary: string;
  readonly error: ToolCall['error'];
  readonly started?: StartedWork | undefined;
}

/** Applies a tool event to a list of calls, oldest first, and keeps the last `max`. The server and the studio share it. */
export function withToolEvent(calls: readonly ToolCall[], event: Started | Finished, max: number): ToolCall[] {
  const open = calls.findLastIndex((call) => call.callId === event.callId && call.durationMs === null);
  if (event.type === 'tool.started') {
    // A call that waited for the user starts again when the run continues, but counts as the same call.
    if (open !== -1) return [...calls];
    const { callId, name, summary, at } = event;
    return [...calls.slice(1 - max), { callId, name, label: summary, summary, startedAt: at, durationMs: null, error: null }];
  }
  const { durationMs, summary, error, started } = event;
  return calls.map((call, index) =>
    index === open
      ? {
          ...call,
          durationMs,
          // Keeps the label, because the studio shows the error message next to it.
          summary: (error === null && summary) || call.label,
          error: error && { code: error.code, message: shortened(error.message) },
          ...(started && { started }),
        }
      : call,
  );
}

function shortened(message: string): string {
  return message.length <= maxErrorCharacters ? message : `${message.slice(0, maxErrorCharacters)}…`;
}
