import { createServer, type IncomingMessage, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import type { HttpApp } from './deps.ts';
import type { HostPolicy } from './hosts.ts';
import { type PreviewProxy, refuseUpgrade } from './preview-proxy.ts';

/** Longer than clients keep an idle connection: a request on a connection that is closing would fail for nothing. */
const keepAliveMs = 65_000;

interface StudioServerDeps {
  readonly app: HttpApp;
  readonly previews: PreviewProxy;
  readonly hosts: HostPolicy;
  readonly log: Logger;
}

/**
 * One port, two worlds that never meet: by its Host header a request is for a preview, and goes into the sandbox,
 * or for the studio, whose guard refuses every name that is not its own.
 */
export function createStudioServer({ app, previews, hosts, log }: StudioServerDeps): Server {
  const studio = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  // Conflicting lengths, missing or repeated hosts and other ways to smuggle a request are refused by the parser.
  const server = createServer({ insecureHTTPParser: false, requireHostHeader: true, keepAliveTimeout: keepAliveMs });

  server.on('request', (incoming, outgoing) => {
    if (!isOriginForm(incoming)) {
      outgoing.writeHead(400, { connection: 'close' }).end();
      return;
    }
    const target = hosts.classify(incoming.headers.host);
    const handled = target.kind === 'preview' ? previews.request(incoming, outgoing, target.label) : studio(incoming, outgoing);
    handled.catch((error: unknown) => {
      log.error({ err: error, host: incoming.headers.host }, 'a request failed');
      outgoing.destroy();
    });
  });

  server.on('upgrade', (incoming, socket, head) => {
    // The server takes its own listener away with the socket: without another, a client that breaks off would end it.
    socket.on('error', () => socket.destroy());
    const target = hosts.classify(incoming.headers.host);
    if (target.kind !== 'preview' || !isOriginForm(incoming)) return refuseUpgrade(socket, '403 Forbidden');
    previews.upgrade(incoming, socket, head, target.label).catch((error: unknown) => {
      log.error({ err: error, host: incoming.headers.host }, 'an upgrade failed');
      socket.destroy();
    });
  });

  return server;
}

/** A target that starts with a host of its own (as proxies get it) would contradict the Host header that was checked. */
function isOriginForm(incoming: IncomingMessage): boolean {
  return incoming.url?.startsWith('/') ?? false;
}
