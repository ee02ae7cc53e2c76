import { routes } from '#contract/routes.ts';
import { type ShellLine, shellLineSchema, type TerminalInput, type TerminalSize } from '#contract/sandbox/shells.ts';
import { ApiError, call, disconnected, jsonInit, request } from '../api/client.ts';

/** The server sends a line at least every 10 s. Without one for this long, the connection is dead. */
const silenceMs = 30_000;
/** Unconfirmed keys are sent again after this time. */
const inputTimeoutMs = 15_000;

/** Browsers allow 64 KiB for the bodies of all requests that outlive a page. */
const maxLeftBehindBytes = 60 * 1024;

export const shellsApi = {
  list: async (id: string, signal: AbortSignal) => (await call(routes.shells, { id }, { signal })).items,

  open: (id: string, name: string, { size, signal }: { size: TerminalSize; signal: AbortSignal }) =>
    call(routes.openTerminal, { id, name, body: size }, { signal }),

  async type(id: string, name: string, body: TerminalInput, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, AbortSignal.timeout(inputTimeoutMs)]);
    try {
      await call(routes.typeInTerminal, { id, name, body }, { signal: either });
    } catch (error) {
      if (error instanceof ApiError || signal.aborted) throw error;
      throw disconnected(error);
    }
  },

  /** Sends a closing page's last keys, unless they exceed what browsers send for a closed page. */
  typeLast(id: string, name: string, body: TerminalInput): void {
    if (new TextEncoder().encode(jsonInit(body).body).length > maxLeftBehindBytes) return;
    const signal = AbortSignal.timeout(inputTimeoutMs);
    call(routes.typeInTerminal, { id, name, body }, { signal, keepalive: true }).catch(() => undefined);
  },

  close: (id: string, name: string) => call(routes.closeTerminal, { id, name }),

  /** Streams a shell's output from an offset. Ends after `ended`, or early if the connection breaks. */
  async *output(
    id: string,
    name: string,
    options: { session: string | null; offset: number; signal: AbortSignal },
  ): AsyncGenerator<ShellLine, void, void> {
    const { session, offset, signal } = options;
    const query = { session: session ?? '', offset };
    const silent = new AbortController();
    // Runs only while the page is waiting, because showing a line may take time.
    const waiting = { timer: setTimeout(() => silent.abort(), silenceMs) };
    try {
      const init = { signal: AbortSignal.any([signal, silent.signal]) };
      const response = await request(routes.shellOutput, { id, name, query }, init);
      for await (const line of linesOf(response.body)) {
        clearTimeout(waiting.timer);
        yield shellLineSchema.parse(JSON.parse(line));
        waiting.timer = setTimeout(() => silent.abort(), silenceMs);
      }
    } catch (error) {
      // A body that breaks off throws a TypeError; an unreadable one does not.
      if (!signal.aborted && (silent.signal.aborted || error instanceof TypeError)) throw disconnected(error);
      throw error;
    } finally {
      clearTimeout(waiting.timer);
    }
  },
};

/** The longest valid line contains 64 KB of output, as base64 in JSON. */
const maxLineCharacters = 1024 * 1024;

/** Yields a text stream's complete lines. Cancels the stream when the reader stops. */
export async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void, void> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let turn = await reader.read(); !turn.done; turn = await reader.read()) {
      const lines = (rest + decoder.decode(turn.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > maxLineCharacters) throw new Error('The server sent a line that was too long.');
      yield* lines;
    }
  } finally {
    // Has no effect on a stream that has ended or failed.
    await reader.cancel().catch(() => undefined);
  }
}
