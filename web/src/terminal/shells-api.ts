import type { TerminalSize } from '../../../server/contract/sandboxd.ts';
import {
  type ShellLine,
  shellLineSchema,
  shellSchema,
  shellsResponseSchema,
  type TerminalInput,
} from '../../../server/contract/shells.ts';
import { ApiError, getJson, jsonInit, project, send } from '../api/client.ts';
import { texts } from '../texts.ts';
import { linesOf } from './lines.ts';

/** The server lets a line come every 10 s at least; after this long without one the connection is dead. */
const silenceMs = 30_000;
/** Keys that were not answered for so long are sent again. */
const inputTimeoutMs = 15_000;

/** A browser allows 64 KiB for the bodies of all requests that outlive a page. */
const maxLeftBehindBytes = 60 * 1024;

const shellPath = (projectId: string, name: string) => `${project(projectId)}/shells/${encodeURIComponent(name)}`;

/** Calls about the shells of a project. Each one throws an ApiError, or what `signal` was aborted with. */
export const shellsApi = {
  list: async (projectId: string, signal: AbortSignal) =>
    (await getJson(`${project(projectId)}/shells`, shellsResponseSchema, signal)).items,

  /** Opens a terminal, or gives the one that is open another size. */
  async open(projectId: string, name: string, options: { size: TerminalSize; signal: AbortSignal }) {
    const { size, signal } = options;
    const response = await send(shellPath(projectId, name), { ...jsonInit('PUT', size), signal });
    return shellSchema.parse(await response.json());
  },

  async type(projectId: string, name: string, input: TerminalInput, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, AbortSignal.timeout(inputTimeoutMs)]);
    try {
      await send(`${shellPath(projectId, name)}/input`, { ...jsonInit('POST', input), signal: either });
    } catch (error) {
      if (error instanceof ApiError || signal.aborted) throw error;
      throw lost(error);
    }
  },

  /** The last keys of a page that goes away: they arrive without it, unless they are more than a browser lets it leave behind. */
  typeLast(projectId: string, name: string, input: TerminalInput): void {
    const init = jsonInit('POST', input);
    if (new TextEncoder().encode(init.body).length > maxLeftBehindBytes) return;
    const signal = AbortSignal.timeout(inputTimeoutMs);
    send(`${shellPath(projectId, name)}/input`, { ...init, signal, keepalive: true }).catch(() => undefined);
  },

  async close(projectId: string, name: string): Promise<void> {
    await send(shellPath(projectId, name), { method: 'DELETE' });
  },

  /** What a shell writes, from a place on; ends after `ended`, and in the middle when the connection is cut. */
  async *output(
    projectId: string,
    name: string,
    options: { session: string | null; offset: number; signal: AbortSignal },
  ): AsyncGenerator<ShellLine, void, void> {
    const { session, offset, signal } = options;
    const query = new URLSearchParams({ session: session ?? '', offset: String(offset) });
    const silent = new AbortController();
    // Only while it is waited for: a line may take its time on the screen.
    const waiting = { timer: setTimeout(() => silent.abort(), silenceMs) };
    try {
      const init = { signal: AbortSignal.any([signal, silent.signal]) };
      const response = await send(`${shellPath(projectId, name)}/output?${query}`, init);
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
