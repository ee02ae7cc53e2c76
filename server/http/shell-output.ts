import { setTimeout as delay } from 'node:timers/promises';
import { KodaError } from '../contract/errors.ts';
import type { ShellLine, ShellStatus } from '../contract/shells.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type LiveStreamOptions, liveStream } from './live-stream.ts';

type ShellSource = Pick<Sandbox, 'shells' | 'shellStream'>;

/** Pause before a stream that ended without a byte is opened anew, while its shell lives. */
const pauseMs = 500;

/** Throws NOT_FOUND. */
export async function findShell(sandbox: ShellSource, name: string, signal: AbortSignal): Promise<ShellStatus> {
  const shell = (await sandbox.shells({ signal })).find((known) => known.name === name);
  if (shell) return shell;
  throw new KodaError('NOT_FOUND', `There is no shell "${name}" (any more).`, { recovery: 'open_shell' });
}

/**
 * A shell's output from an offset to its end. A reader that is too slow misses what the sandbox no longer keeps, and sees
 * that in the offsets. Throws what the sandbox throws.
 */
export async function* shellOutput(
  sandbox: ShellSource,
  shell: ShellStatus,
  { offset, signal }: { offset: number; signal: AbortSignal },
): AsyncGenerator<ShellLine, void, void> {
  const { name, session } = shell;
  for (let at = offset, opened = false; ; ) {
    const asked = at;
    const answer = await sandbox.shellStream(name, { signal, offset: at });
    at = answer.offset;
    if (!opened) yield { type: 'open', session, offset: at };
    opened = true;
    for await (const chunk of answer.stream as AsyncIterable<Buffer>) {
      yield { type: 'output', offset: at, base64: chunk.toString('base64') };
      at += chunk.length;
    }
    // It ends with the shell, and for a reader that fell behind.
    const now = (await sandbox.shells({ signal })).find((known) => known.name === name && known.session === session);
    if (now === undefined || now.ended) {
      yield { type: 'ended', exitCode: now?.exitCode ?? null };
      return;
    }
    if (at === asked) await delay(pauseMs, undefined, { signal });
  }
}

interface ShellStreamOptions extends LiveStreamOptions {
  readonly lines: AsyncIterable<ShellLine>;
  /** The last line when something fails. */
  readonly failure: (error: unknown) => ShellLine;
}

/** Lines as NDJSON: a slow reader's output waits in the sandbox, which limits it. */
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
