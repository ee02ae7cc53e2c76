import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Linux: names a file without opening it (`<fcntl.h>`; Node has no constant for it). */
const O_PATH = 0o10000000;

/** What stands where a sandbox's socket should be is not one. */
export class NotASocketError extends Error {
  readonly code = 'ENOTSOCK';

  constructor(path: string) {
    super(`"${path}" is not a socket.`);
    this.name = 'NotASocketError';
  }
}

/**
 * Connects to a Unix socket in a folder that the sandbox can write. The very file that was looked at is the
 * one connected to, by its descriptor: a link put there, at any moment, leads nowhere else.
 * Throws the system's error (ENOENT, ELOOP) or NotASocketError; a refused connection comes as `error` event.
 */
export function connectToSandboxSocket(path: string): Socket {
  const descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
  try {
    if (!fstatSync(descriptor).isSocket()) throw new NotASocketError(path);
    // The kernel resolves the address while `connect` runs, so that the descriptor is not needed after it.
    return connect({ path: `/proc/self/fd/${descriptor}` });
  } finally {
    closeSync(descriptor);
  }
}

/** An HTTP agent over a sandbox's socket. Also for proxies: give it as `agent` instead of a `socketPath`. */
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
      // Told like a refused connection, so that a caller has one place to look for failures.
      const failed = new Socket();
      failed.destroy();
      if (!done) throw error;
      done(error instanceof Error ? error : new Error(String(error)), failed);
      return null;
    }
  }
}
