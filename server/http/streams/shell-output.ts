import { setTimeout as delay } from 'node:timers/promises';
import { KodaError } from '#contract/errors.ts';
import type { ShellLine, ShellStatus } from '#contract/sandbox/shells.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type LiveStreamOptions, liveStream } from './live-stream.ts';

type ShellSource = Pick<Sandbox, 'shells' | 'shellStream'>;

/** Delay before reopening a stream that ended while its shell was running, so that a sandbox cannot keep the server busy. */
const reopenMs = 50;
const reopenEmptyMs = 500;

export async function findShell(sandbox: ShellSource, name: string, signal: AbortSignal): Promise<ShellStatus> {
  const shell = (await sandbox.shells({ signal })).find((known) => known.name === name);
  if (shell) return shell;
  throw new KodaError('NOT_FOUND', `The shell "${name}" does not exist or has ended. Open a new one.`, {
    recovery: 'open_shell',
  });
}

/** Yields a shell's output from an offset on. Gaps in the offsets show dropped output. Errors propagate. */
export async function* shellOutput(
  sandbox: ShellSource,
  shell: ShellStatus,
  { offset, signal }: { offset: number; signal: AbortSignal },
): AsyncGenerator<ShellLine, void, void> {
  const { name, session } = shell;
  for (let at = offset, opened = false; ; ) {
    const requested = at;
    const response = await sandbox.shellStream(name, { signal, offset: at });
    at = response.offset;
    if (!opened) yield { type: 'open', session, offset: at };
    opened = true;
    for await (const chunk of response.stream as AsyncIterable<Buffer>) {
      yield { type: 'output', offset: at, base64: chunk.toString('base64') };
      at += chunk.length;
    }
    // The stream ends when the shell exits or the reader falls behind.
    const now = (await sandbox.shells({ signal })).find((known) => known.name === name && known.session === session);
    if (now === undefined || now.ended) {
      yield { type: 'ended', exitCode: now?.exitCode ?? null };
      return;
    }
    await delay(at === requested ? reopenEmptyMs : reopenMs, undefined, { signal });
  }
}

interface ShellStreamOptions extends LiveStreamOptions {
  readonly lines: AsyncIterable<ShellLine>;
  readonly failure: (error: unknown) => ShellLine;
}

/** Streams lines as NDJSON. A slow reader's output waits in the sandbox, which limits it. */
export function shellStream({ lines, failure, ...options }: ShellStreamOptions): ReadableStream<Uint8Array> {
  const text = (line: ShellLine) => `${JSON.stringify(line)}\n`;
  const wire = { opening: null, item: text, heartbeat: text({ type: 'alive' }), closing: null };
  return liveStream(withFailure(lines, failure), wire, options);
}

async function* withFailure(
  lines: AsyncIterable<ShellLine>,
  failure: ShellStreamOptions['failure'],
): AsyncGenerator<ShellLine, void, void> {
  try {
    yield* lines;
  } catch (error) {
    yield failure(error);
  }
}
