import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Linux's O_PATH, which Node does not name: a handle on the entry itself, without opening it. */
const oPath = 0o10000000;

/**
 * Connects to a Unix socket in a folder that a sandbox may write to. The sandbox could put a link there, to the
 * socket of another sandbox or of the engine's broker, and could do so between a check and the connection. So the
 * entry is pinned first (links are not followed), checked on the handle, and connected to through that handle.
 * Throws when the entry is not a socket.
 */
export function connectPinned(path: string): Socket {
  const handle = openSync(path, oPath | constants.O_NOFOLLOW);
  try {
    if (!fstatSync(handle).isSocket()) throw new Error(`${path} is not a socket`);
    // connect(2) is called before this returns, so the handle may be closed right after.
    return connect({ path: `/proc/self/fd/${handle}` });
  } finally {
    closeSync(handle);
  }
}

/** An agent for `http.request({ socketPath })` that connects as above. Each request gets a connection of its own. */
export class PinnedSocketAgent extends Agent {
  constructor(options: AgentOptions = {}) {
    super({ ...options, keepAlive: false });
  }

  override createConnection(
    options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    // Node hands over `socketPath` as `path`, and a thrown error would escape the request.
    try {
      return connectPinned(options.socketPath ?? '');
    } catch (error) {
      callback?.(error instanceof Error ? error : new Error(String(error)), undefined as never);
      return undefined;
    }
  }
}
