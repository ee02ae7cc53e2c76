import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { connect, type IpcNetConnectOpts, Socket } from 'node:net';
import type { Duplex, DuplexOptions } from 'node:stream';

/** Linux flag that references a file without opening it (`<fcntl.h>`; Node has no constant for it). */
const O_PATH = 0o10000000;

/**
 * Unread bytes after which a socket is paused. A response in single-byte chunks costs a call for each, so it may not use the
 * default, which is many reads of the socket.
 */
const readableHighWaterMark = 8 * 1024;

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
    // TypeScript does not know this option, which `connect` passes on to the stream.
    const options: IpcNetConnectOpts & DuplexOptions = { path: `/proc/self/fd/${descriptor}`, readableHighWaterMark };
    // The kernel resolves the address inside `connect`, so the descriptor can be closed afterwards.
    return connect(options);
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
