import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import { isLoopbackHost } from '../lib/loopback.ts';
import type { HttpApp } from './deps.ts';
import type { HostPolicy } from './edge/hosts.ts';
import { type PreviewProxy, rejectUpgrade } from './preview/proxy.ts';

/** Longer than clients keep idle connections, so that no request arrives on a connection that is closing. */
const keepAliveMs = 65_000;
/** Each tab of a browser has at most six. Beyond this number, new connections are closed at once. */
const maxConnections = 4_000;

interface StudioServerDeps {
  readonly app: HttpApp;
  readonly previews: PreviewProxy;
  readonly hosts: HostPolicy;
  /** Whether a connection comes from this computer. */
  readonly isLocal: (remoteAddress: string | undefined) => boolean;
  readonly log: Logger;
}

const misledText =
  'This server answers to localhost only on its own computer. From elsewhere, use its own address: set KODA_PUBLIC_URL.\n';

/** Serves studio and previews on one port, selected by the Host header. Unknown hosts are rejected. */
export function createStudioServer({ app, previews, hosts, isLocal, log }: StudioServerDeps): Server {
  const studio = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  // The parser rejects conflicting lengths, missing or repeated Host headers and other kinds of request smuggling.
  const server = createServer({ insecureHTTPParser: false, requireHostHeader: true, keepAliveTimeout: keepAliveMs });

  // Only this computer reaches the studio as localhost. Another machine that sends this name is pretending.
  const isMisled = ({ headers: { host = '' }, socket }: IncomingMessage): boolean =>
    (isLoopbackHost(host) || /\.localhost(?::\d{1,5})?$/i.test(host)) && !isLocal(socket.remoteAddress);

  server.maxConnections = maxConnections;

  server.on('request', (incoming, outgoing) => {
    if (!isOriginForm(incoming)) {
      outgoing.writeHead(400, { connection: 'close' }).end();
      return;
    }
    if (isMisled(incoming)) {
      outgoing.writeHead(403, { connection: 'close', 'content-type': 'text/plain; charset=utf-8' }).end(misledText);
      return;
    }
    const target = hosts.classify(incoming.headers.host);
    if (target.kind === 'studio') incoming.url = withoutBase(incoming.url ?? '/', hosts.basePath);
    const handled = target.kind === 'preview' ? previews.request(incoming, outgoing, target.label) : studio(incoming, outgoing);
    handled.catch((error: unknown) => {
      log.error({ err: error, host: incoming.headers.host }, 'request failed');
      outgoing.destroy();
    });
  });

  server.on('upgrade', (incoming, socket, head) => {
    // Node removes its own error listener on upgrade. Without another one, a client that disconnects would crash the server.
    socket.on('error', () => socket.destroy());
    const target = hosts.classify(incoming.headers.host);
    if (target.kind !== 'preview' || !isOriginForm(incoming) || isMisled(incoming)) return rejectUpgrade(socket, '403 Forbidden');
    previews.upgrade(incoming, socket, head, target.label).catch((error: unknown) => {
      log.error({ err: error, host: incoming.headers.host }, 'upgrade failed');
      socket.destroy();
    });
  });

  return server;
}

/** Removes the path of the public address, which some proxies pass on and others strip. */
function withoutBase(url: string, basePath: string): string {
  const rest = url.startsWith(basePath) ? url.slice(basePath.length) : url;
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url;
}

/** A target with its own host (as for proxies) could contradict the validated Host header. */
function isOriginForm(incoming: IncomingMessage): boolean {
  return incoming.url?.startsWith('/') ?? false;
}

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
