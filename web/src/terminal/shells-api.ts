import { routes } from '../../../server/contract/routes.ts';
import type { TerminalSize } from '../../../server/contract/sandboxd.ts';
import { type ShellLine, shellLineSchema, type TerminalInput } from '../../../server/contract/shells.ts';
import { ApiError, call, jsonInit, request } from '../api/client.ts';
import { texts } from '../texts.ts';
import { linesOf } from './lines.ts';

/** The server lets a line come every 10 s at least; after this long without one the connection is dead. */
const silenceMs = 30_000;
/** Keys that were not answered for so long are sent again. */
const inputTimeoutMs = 15_000;

/** A browser allows 64 KiB for the bodies of all requests that outlive a page. */
const maxLeftBehindBytes = 60 * 1024;

/** Calls about the shells of a project. Each one throws an ApiError, or what `signal` was aborted with. */
export const shellsApi = {
  list: async (id: string, signal: AbortSignal) => (await call(routes.shells, { id }, { signal })).items,

  /** Opens a terminal, or gives the one that is open another size. */
  open: (id: string, name: string, { size, signal }: { size: TerminalSize; signal: AbortSignal }) =>
    call(routes.openTerminal, { id, name, body: size }, { signal }),

  async type(id: string, name: string, body: TerminalInput, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, AbortSignal.timeout(inputTimeoutMs)]);
    try {
      await call(routes.typeInTerminal, { id, name, body }, { signal: either });
    } catch (error) {
      if (error instanceof ApiError || signal.aborted) throw error;
      throw lost(error);
    }
  },

  /** The last keys of a page that goes away: they arrive without it, unless they are more than a browser lets it leave behind. */
  typeLast(id: string, name: string, body: TerminalInput): void {
    if (new TextEncoder().encode(jsonInit(body).body).length > maxLeftBehindBytes) return;
    const signal = AbortSignal.timeout(inputTimeoutMs);
    call(routes.typeInTerminal, { id, name, body }, { signal, keepalive: true }).catch(() => undefined);
  },

  close: (id: string, name: string) => call(routes.closeTerminal, { id, name }),

  /** What a shell writes, from a place on; ends after `ended`, and in the middle when the connection is cut. */
  async *output(
    id: string,
    name: string,
    options: { session: string | null; offset: number; signal: AbortSignal },
  ): AsyncGenerator<ShellLine, void, void> {
    const { session, offset, signal } = options;
    const query = { session: session ?? '', offset };
    const silent = new AbortController();
    // Only while it is waited for: a line may take its time on the screen.
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
      // A body that breaks off is a TypeError; what cannot be read is something else.
      if (!signal.aborted && (silent.signal.aborted || error instanceof TypeError)) throw lost(error);
      throw error;
    } finally {
      clearTimeout(waiting.timer);
    }
  },
};

/** A connection that broke in the middle, or fell silent. */
function lost(cause: unknown): ApiError {
  return new ApiError('NETWORK', texts.errors.network, { status: 0, recovery: 'retry', cause });
}
