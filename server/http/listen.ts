import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Listens; resolves with the port that was taken. Throws an Error whose message is a sentence for the person who
 * started the server, e.g. when the port is taken.
 */
export function listen(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(explain(error, { port, host }), { cause: error })));
    server.listen({ port, host }, () => resolve((server.address() as AddressInfo).port));
  });
}

function explain(error: NodeJS.ErrnoException, { port, host }: { port: number; host: string }): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program. Stop that one, or choose another: KODA_PORT=${port + 100}`;
    case 'EACCES':
      return `Port ${port} may not be used by this user. Choose one above 1023: KODA_PORT=3000`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address "${host}". Set KODA_HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.`;
    default:
      return `The server cannot listen on ${host}:${port}: ${error.message}`;
  }
}

/** How long connections may take to end by themselves before they are cut. */
const graceMs = 2000;

/** Takes no more connections, lets answers that are under way end, then cuts what is left. Idempotent. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose answer has ended would be kept for a next request that must not come.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await closed;
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
  }
}
