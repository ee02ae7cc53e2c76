import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Connections without a request, which browsers open in advance. Node does not count them as idle. */
const unused = new WeakMap<Server, Set<Socket>>();

/**
 * Starts listening and resolves to the port. Throws an Error with a message for the operator, for example if the port is in
 * use.
 */
export function listen(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  trackUnused(server);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(explain(error, { port, host }), { cause: error })));
    server.listen({ port, host }, () => resolve((server.address() as AddressInfo).port));
  });
}

function trackUnused(server: Server): void {
  const sockets = new Set<Socket>();
  unused.set(server, sockets);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  for (const event of ['request', 'upgrade']) server.on(event, ({ socket }: IncomingMessage) => sockets.delete(socket));
}

function explain(error: NodeJS.ErrnoException, { port, host }: { port: number; host: string }): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program. Stop that program, or choose another port: KODA_PORT=${port + 100}`;
    case 'EACCES':
      return `This user has no permission to use port ${port}. Choose one above 1023: KODA_PORT=3000`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address "${host}". Set KODA_HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.`;
    default:
      return `The server cannot listen on ${host}:${port}: ${error.message}`;
  }
}

/** Grace period before connections are closed forcibly. */
const graceMs = 2000;

/** Stops accepting connections, lets current responses finish, then closes the rest. Idempotent. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections without a response to finish would otherwise stay open although no requests are accepted.
  const idle = setInterval(() => {
    server.closeIdleConnections();
    for (const socket of unused.get(server) ?? []) socket.destroy();
  }, 20);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await closed;
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
  }
}
