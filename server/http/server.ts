import { createServer, type IncomingMessage, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import type { HttpApp } from './deps.ts';
import type { HostPolicy } from './hosts.ts';
import { type PreviewProxy, rejectUpgrade } from './preview-proxy.ts';

/** Longer than clients keep idle connections, so that no request arrives on a connection that is closing. */
const keepAliveMs = 65_000;

interface StudioServerDeps {
  readonly app: HttpApp;
  readonly previews: PreviewProxy;
  readonly hosts: HostPolicy;
  readonly log: Logger;
}

/** Serves studio and previews on one port, selected by the Host header. Unknown hosts are rejected. */
export function createStudioServer({ app, previews, hosts, log }: StudioServerDeps): Server {
  const studio = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  // The parser rejects conflicting lengths, missing or repeated Host headers and other kinds of request smuggling.
  const server = createServer({ insecureHTTPParser: false, requireHostHeader: true, keepAliveTimeout: keepAliveMs });

  server.on('request', (incoming, outgoing) => {
    if (!isOriginForm(incoming)) {
      outgoing.writeHead(400, { connection: 'close' }).end();
      return;
    }
    const target = hosts.classify(incoming.headers.host);
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
    if (target.kind !== 'preview' || !isOriginForm(incoming)) return rejectUpgrade(socket, '403 Forbidden');
    previews.upgrade(incoming, socket, head, target.label).catch((error: unknown) => {
      log.error({ err: error, host: incoming.headers.host }, 'upgrade failed');
      socket.destroy();
    });
  });

  return server;
}

/** A target with its own host (as for proxies) could contradict the validated Host header. */
function isOriginForm(incoming: IncomingMessage): boolean {
  return incoming.url?.startsWith('/') ?? false;
}
