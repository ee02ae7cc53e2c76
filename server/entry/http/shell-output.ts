import { setTimeout as delay } from 'node:timers/promises';
import { KodaError } from '../../contract/errors.ts';
import type { ShellStatus } from '../../contract/sandboxd.ts';
import type { ShellLine } from '../../contract/shells.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { nextTurn } from './sse.ts';

type ShellSource = Pick<Sandbox, 'shells' | 'shellStream'>;

/** Before a stream that ended without a byte, of a shell that has not, is opened anew. */
const pauseMs = 500;

/** Throws NOT_FOUND. */
export async function findShell(sandbox: ShellSource, name: string, signal: AbortSignal): Promise<ShellStatus> {
  const shell = (await sandbox.shells({ signal })).find((known) => known.name === name);
  if (shell) return shell;
  throw new KodaError('NOT_FOUND', `There is no shell "${name}" (any more).`, { recovery: 'open_shell' });
}

/**
 * What a shell writes from an offset on, to its end. A reader that is too slow misses what the sandbox did not keep for
 * it, and sees that in the offsets. Throws what the sandbox does.
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

interface ShellStreamOptions {
  readonly lines: AsyncGenerator<ShellLine, void, void>;
  /** The last line when something fails. */
  readonly failure: (error: unknown) => ShellLine;
  readonly heartbeatMs: number;
  /** Ends the stream in the middle: the reader asks again. */
  readonly closing: AbortSignal;
  /** How long a line may wait for a reader that has no room for it; then the stream is over. */
  readonly stalledAfterMs: number;
  /** Called before the end of a stream whose reader stalled, to cut its connection. */
  readonly onStalled: () => void;
  /** Called once when the stream is over, whoever ended it. */
  readonly onEnd: () => void;
}

/** Lines as NDJSON. None is asked for before the reader has room for it: what waits, waits in the sandbox, which limits it. */
export function shellStream(options: ShellStreamOptions): ReadableStream<Uint8Array> {
  const { lines, closing, heartbeatMs } = options;
  const encoder = new TextEncoder();
  let pending: Promise<IteratorResult<ShellLine, void>> | null = null;
  let stalled: NodeJS.Timeout | undefined;
  let ended = false;

  const end = (): void => {
    if (ended) return;
    ended = true;
    clearTimeout(stalled);
    options.onEnd();
    void lines.return().catch(() => undefined);
  };
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, line: ShellLine): void => {
    controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
    clearTimeout(stalled);
    stalled = setTimeout(() => {
      options.onStalled();
      if (!ended) controller.error(new Error('The reader takes nothing.'));
      end();
    }, options.stalledAfterMs);
  };
  const close = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    controller.close();
    end();
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stalled);
        // A failure that nobody waits for any more is that of a reader who left.
        pending ??= lines.next().catch((error: unknown) => ({ done: false, value: options.failure(error) }));
        const turn = await nextTurn(pending, { heartbeatMs, closing });
        if (ended) return;
        if (turn === 'heartbeat') return send(controller, { type: 'alive' });
        if (turn === 'closing' || turn.done) return close(controller);
        pending = null;
        send(controller, turn.value);
        if (turn.value.type === 'error') close(controller);
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
}
