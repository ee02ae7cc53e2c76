import { z } from 'zod';

/** A call of a tool as people are shown it. */
export const toolCallSchema = z.object({
  /** Unique within a run alone, and so not in a project. */
  callId: z.string(),
  name: z.string(),
  /** What it set out to do, in one line. */
  label: z.string(),
  /** What was done, in one line; while it is at work and after a failure, what it set out to do. */
  summary: z.string(),
  startedAt: z.iso.datetime(),
  /** Null while it is at work or waits for the user. */
  durationMs: z.int().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type ToolCall = Readonly<z.infer<typeof toolCallSchema>>;

/** As many of a project's last calls come with its snapshot. */
export const maxSnapshotCalls = 200;
/** An error's words are for the model as well, and may be long: what people are shown of them ends here. */
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
}

/** The calls after one more event of a tool, oldest first, the last `most` of them: the same for the server and the page. */
export function withToolEvent(calls: readonly ToolCall[], event: Started | Finished, most: number): ToolCall[] {
  const open = calls.findLastIndex((call) => call.callId === event.callId && call.durationMs === null);
  if (event.type === 'tool.started') {
    // A call that waited for the user is begun again when the run goes on: it is the same one.
    if (open !== -1) return [...calls];
    const { callId, name, summary, at } = event;
    return [...calls.slice(1 - most), { callId, name, label: summary, summary, startedAt: at, durationMs: null, error: null }];
  }
  const { durationMs, summary, error } = event;
  return calls.map((call, index) =>
    index === open
      ? {
          ...call,
          durationMs,
          // What was tried says more than an error's words, which are shown beside it.
          summary: (error === null && summary) || call.label,
          error: error && { code: error.code, message: shortened(error.message) },
        }
      : call,
  );
}

function shortened(message: string): string {
  return message.length <= maxErrorCharacters ? message : `${message.slice(0, maxErrorCharacters)}…`;
}
