import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createProxyServer, type ProxyServer, type ServerOptions } from 'http-proxy-3';
import type { Logger } from 'pino';
import { errorMessage } from '../contract/errors.ts';
import type { ProjectService } from '../projects/commands.ts';
import { SandboxSocketAgent } from '../sandbox/socket-agent.ts';
import type { ProjectStore } from '../storage/projects.ts';
import type { HostPolicy } from './hosts.ts';
import { escapeHtml, htmlPage } from './page.ts';
import { cleanRequestHeaders, cleanResponseHeaders, cleanStatus, ownProcess } from './preview-headers.ts';

interface PreviewProxyDeps {
  readonly store: Pick<ProjectStore, 'findByPreviewLabel'>;
  readonly projects: Pick<ProjectService, 'wakePreview'>;
  /** The socket to the dev server of a project's running sandbox; null when none runs. */
  readonly socketPath: (projectId: string) => string | null;
  readonly hosts: Pick<HostPolicy, 'studioSources'>;
  readonly log: Logger;
}

/** Leads requests to preview hosts into the sandbox of their project, and nowhere else. */
export interface PreviewProxy {
  request(incoming: IncomingMessage, outgoing: ServerResponse, label: string): Promise<void>;
  /** The caller listens for errors of the socket. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, label: string): Promise<void>;
  /** Ends the WebSockets that are open; the HTTP server ends the rest. */
  close(): void;
}

/** How long a dev server may keep silent before a request is given up. */
const silenceTimeoutMs = 120_000;
const reloadSeconds = 2;

export function createPreviewProxy({ store, projects, socketPath, hosts, log }: PreviewProxyDeps): PreviewProxy {
  const proxy: ProxyServer = createProxyServer({ xfwd: false, proxyTimeout: silenceTimeoutMs });
  const openSockets = new Set<Duplex>();
  /** Clients that an answer has begun to reach: nothing else may be sent to them. */
  const answered = new WeakSet<ServerResponse>();

  // The agent follows no link and connects to nothing but a socket: the sandbox writes that folder.
  const target = (path: string): ServerOptions => ({
    target: { host: 'localhost', port: 80 },
    agent: new SandboxSocketAgent(path, { keepAlive: false }),
  });

  // What breaks off on the browser's side of a WebSocket arrives here whatever callback a call has, and the proxy
  // throws it for the whole server when nobody listens.
  proxy.on('error', (error) => log.debug({ reason: errorMessage(error) }, 'a connection to a preview broke off'));
  /** The host that a browser asked for; what is sent on names another one. */
  const askedHosts = new WeakMap<IncomingMessage, string>();
  const clean = (answer: IncomingMessage, incoming: IncomingMessage): void => {
    cleanStatus(answer);
    cleanResponseHeaders(answer.headers, { frameAncestors: hosts.studioSources(), host: askedHosts.get(incoming) ?? '' });
  };
  proxy.on('proxyReq', (request: ClientRequest, _incoming, outgoing) => {
    // Nobody else answers; without a response the browser would wait for ever.
    request.once('upgrade', (_answer, inner) => {
      inner.destroy();
      outgoing.destroy();
    });
  });
  proxy.on('proxyRes', (answer, incoming, outgoing) => {
    answered.add(outgoing);
    clean(answer, incoming);
    // A sandbox that breaks off in the middle of an answer must not leave the browser waiting for the rest.
    answer.once('close', () => {
      if (!answer.complete) outgoing.destroy();
    });
  });
  proxy.on('proxyReqWs', (request: ClientRequest, incoming, socket) => {
    // First in line, before the proxy copies the headers.
    request.once('response', (answer) => clean(answer, incoming));
    request.once('upgrade', (answer, inner) => {
      clean(answer, incoming);
      // The proxy only half-closes; a sandbox that never closes its half would keep both ends.
      socket.once('close', () => inner.destroy());
      if (socket.destroyed) inner.destroy();
    });
    socket.once('close', () => request.destroy());
  });

  /**
   * The project behind a label, and the way into its sandbox. The one place where a visitor is let in: a launch
   * token will be checked here.
   */
  const resolve = async (label: string): Promise<{ projectId: string; path: string | null } | null> => {
    const project = await store.findByPreviewLabel(label);
    return project === null ? null : { projectId: project.id, path: socketPath(project.id) };
  };

  const wake = (projectId: string): void => {
    projects.wakePreview(projectId).catch((error: unknown) => log.warn({ err: error, projectId }, 'waking a preview failed'));
  };

  const starting = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
    refuse(incoming, outgoing, {
      status: 503,
      title: 'The preview is starting',
      text: 'It appears here by itself in a few seconds.',
      reloadSeconds,
      frameAncestors: hosts.studioSources(),
    });

  return {
    async request(incoming, outgoing, label) {
      // Without a listener, whatever goes wrong with one answer would end the server.
      outgoing.on('error', () => outgoing.destroy());
      const frameAncestors = hosts.studioSources();
      // A service worker would outlive the preview and answer for it.
      if (incoming.headers['service-worker'] !== undefined) {
        const text = 'Service workers are not available in previews.';
        return refuse(incoming, outgoing, { status: 403, title: 'Not here', text, reloadSeconds: null, frameAncestors });
      }
      const found = await resolve(label);
      if (outgoing.closed || incoming.destroyed) return;
      if (found === null) {
        const text = 'No project has this address. It may have been deleted.';
        return refuse(incoming, outgoing, {
          status: 404,
          title: 'There is no preview',
          text,
          reloadSeconds: null,
          frameAncestors,
        });
      }
      const { projectId, path } = found;
      if (path === null) {
        wake(projectId);
        return starting(incoming, outgoing);
      }
      askedHosts.set(incoming, incoming.headers.host ?? '');
      cleanRequestHeaders(incoming.headers, { upgrade: false });
      proxy.web(incoming, outgoing, target(path), (error) => {
        if (answered.has(outgoing) || outgoing.closed) return void outgoing.destroy();
        log.debug({ projectId, reason: errorMessage(error) }, 'a preview did not answer');
        wake(projectId);
        starting(incoming, outgoing);
      });
    },

    async upgrade(incoming, socket, head, label) {
      // Nothing may come before the handshake is answered, so reading on loses nothing, and shows when the browser leaves.
      socket.once('end', () => socket.destroy());
      socket.resume();
      if (head.length > 0 || !isCleanUpgrade(incoming)) return refuseUpgrade(socket, '400 Bad Request');
      if (!isOwnOrigin(incoming)) return refuseUpgrade(socket, '403 Forbidden');
      const found = await resolve(label);
      if (socket.destroyed) return;
      if (found === null) return refuseUpgrade(socket, '404 Not Found');
      const { projectId, path } = found;
      if (path === null) {
        wake(projectId);
        return refuseUpgrade(socket, '503 Service Unavailable');
      }
      openSockets.add(socket);
      socket.once('close', () => openSockets.delete(socket));
      askedHosts.set(incoming, incoming.headers.host ?? '');
      cleanRequestHeaders(incoming.headers, { upgrade: true });
      proxy.ws(incoming, socket, head, target(path), (error) => {
        log.debug({ projectId, reason: errorMessage(error) }, 'a WebSocket of a preview broke off');
        socket.destroy();
      });
    },

    close() {
      for (const socket of openSockets) socket.destroy();
    },
  };
}

/** Whether it is exactly a WebSocket handshake (RFC 6455), without a body that could hide a second request. */
function isCleanUpgrade({ method, headers, httpVersion }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-key'] !== undefined &&
    headers['sec-websocket-version'] === '13' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

/** Browsers name the page that opens a WebSocket, and do not stop foreign ones. */
function isOwnOrigin({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}

/** Refusals close the connection, so that nothing that is left on it is read as another request. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly reloadSeconds: number | null;
  readonly frameAncestors: string;
}

function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, title, text, reloadSeconds, frameAncestors }: Refusal,
): void {
  const wantsPage = incoming.headers.accept?.includes('text/html') ?? false;
  const body = wantsPage
    ? htmlPage(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`, { reloadSeconds })
    : `${title}. ${text}\n`;
  outgoing.writeHead(status, {
    'content-type': wantsPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${frameAncestors}`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...ownProcess,
    connection: 'close',
    ...(status === 503 ? { 'retry-after': String(reloadSeconds ?? 5) } : {}),
  });
  outgoing.end(incoming.method === 'HEAD' ? undefined : body);
}
