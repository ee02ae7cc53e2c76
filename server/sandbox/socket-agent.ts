import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Linux flag that references a file without opening it (`<fcntl.h>`; Node has no constant for it). */
const O_PATH = 0o10000000;

export class NotASocketError extends Error {
  readonly code = 'ENOTSOCK';

  constructor(path: string) {
    super(`"${path}" is not a socket.`);
    this.name = 'NotASocketError';
  }
}

/**
 * Connects to a Unix socket in a folder that the sandbox can write to. Connects by descriptor to the file that was checked,
 * so that replacing it with a link cannot redirect the connection. Throws the system's error (ENOENT, ELOOP) or
 * NotASocketError. A refused connection is an `error` event.
 */
export function connectToSandboxSocket(path: string): Socket {
  const descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
  try {
    if (!fstatSync(descriptor).isSocket()) throw new NotASocketError(path);
    // The kernel resolves the address inside `connect`, so the descriptor can be closed afterwards.
    return connect({ path: `/proc/self/fd/${descriptor}` });
  } finally {
    closeSync(descriptor);
  }
}

/** HTTP agent for a sandbox's socket. For proxies, pass it as `agent` instead of a `socketPath`. */
export class SandboxSocketAgent extends Agent {
  readonly #path: string;

  constructor(path: string, options: AgentOptions) {
    super(options);
    this.#path = path;
  }

  override createConnection(_options: ClientRequestArgs, done?: (error: Error | null, socket: Duplex) => void): Duplex | null {
    try {
      return connectToSandboxSocket(this.#path);
    } catch (error) {
      // Reported like a refused connection, so that callers handle failures in one place.
      const failed = new Socket();
      failed.destroy();
      if (!done) throw error;
      done(error instanceof Error ? error : new Error(String(error)), failed);
      return null;
    }
  }
}
