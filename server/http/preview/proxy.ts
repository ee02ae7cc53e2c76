import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createProxyServer, type ProxyServer, type ServerOptions } from 'http-proxy-3';
import type { Logger } from 'pino';
import { errorMessage } from '#contract/errors.ts';
import { sandboxWait } from '#contract/project.ts';
import { isLoopbackHost } from '../../lib/loopback.ts';
import type { ProjectService } from '../../projects/commands.ts';
import { SandboxSocketAgent } from '../../sandbox/socket-agent.ts';
import type { ProjectRecord, ProjectStore } from '../../storage/projects.ts';
import type { HostPolicy } from '../edge/hosts.ts';
import { escapeHtml, htmlPage } from '../edge/page.ts';
import { cleanRequestHeaders, cleanResponseHeaders, cleanStatus, connectionAllowlist, isolation } from './headers.ts';
import type { PreviewLaunches } from './launches.ts';

interface PreviewProxyDeps {
  readonly store: Pick<ProjectStore, 'findByPreviewLabel'>;
  readonly projects: Pick<ProjectService, 'ensurePreview' | 'dataStored'>;
  /** Returns the socket of the dev server in a project's running sandbox, or `null` if none is running. */
  readonly socketPath: (projectId: string) => string | null;
  readonly hosts: Pick<HostPolicy, 'isPreviewOrigin' | 'studioUrl' | 'studioSources'>;
  readonly launches: PreviewLaunches;
  readonly log: Logger;
}

export interface PreviewProxy {
  request(incoming: IncomingMessage, outgoing: ServerResponse, label: string): Promise<void>;
  /** The caller must handle the socket's errors. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, label: string): Promise<void>;
  close(): void;
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
const idleTimeoutMs = 120_000;
const reloadSeconds = 2;

export function createPreviewProxy({ store, projects, socketPath, hosts, launches, log }: PreviewProxyDeps): PreviewProxy {
  const proxy: ProxyServer = createProxyServer({ xfwd: false, proxyTimeout: idleTimeoutMs });
  const openSockets = new Set<Duplex>();
  /** Responses whose headers have been sent, so that no error page can replace them. */
  const started = new WeakSet<ServerResponse>();

  // The sandbox can write to that folder, so the agent connects only to sockets and follows no links.
  const target = (path: string): ServerOptions => ({
    target: { host: 'localhost', port: 80 },
    agent: new SandboxSocketAgent(path, { keepAlive: false }),
  });

  // Receives errors on the browser's side of a WebSocket, which would crash the server without a listener.
  proxy.on('error', (error) => log.debug({ reason: errorMessage(error) }, 'preview connection failed'));
  /** Host that the browser requested. It is stored because the forwarded `Host` header differs. */
  const requestedHosts = new WeakMap<IncomingMessage, string>();
  const requestedProjects = new WeakMap<IncomingMessage, string>();
  const clean = (response: IncomingMessage, incoming: IncomingMessage): void => {
    cleanStatus(response);
    cleanResponseHeaders(response.headers, {
      frameAncestors: hosts.studioSources(),
      host: requestedHosts.get(incoming) ?? '',
      path: incoming.url ?? '/',
      framed: incoming.headers['sec-fetch-dest'] === 'iframe',
    });
  };
  proxy.on('proxyReq', (request: ClientRequest, _incoming, outgoing) => {
    // Without a response, the browser would wait forever.
    request.once('upgrade', (_response, inner) => {
      inner.destroy();
      outgoing.destroy();
    });
  });
  proxy.on('proxyRes', (response, incoming, outgoing) => {
    started.add(outgoing);
    const projectId = requestedProjects.get(incoming);
    const isWriting = !readingMethods.has(incoming.method ?? 'GET');
    if (projectId !== undefined && isWriting && (response.statusCode ?? 0) < 300) projects.dataStored(projectId);
    clean(response, incoming);
    // If a sandbox aborts a response, the browser must not wait for the rest.
    response.once('close', () => {
      if (!response.complete) outgoing.destroy();
    });
  });
  proxy.on('proxyReqWs', (request: ClientRequest, incoming, socket) => {
    // Registered first, so that it runs before the proxy copies the headers.
    request.once('response', (response) => {
      clean(response, incoming);
      // The server no longer reads requests from this connection, so clients must not reuse it.
      response.headers.connection = 'close';
    });
    request.once('upgrade', (response, inner) => {
      clean(response, incoming);
      Object.assign(response.headers, { connection: 'Upgrade', upgrade: 'websocket' });
      // The proxy only half-closes. A sandbox that keeps its half open would hold both connections.
      socket.once('close', () => inner.destroy());
      if (socket.destroyed) inner.destroy();
    });
    socket.once('close', () => request.destroy());
  });

  /** Resolves a label to its project and the sandbox's socket. */
  const resolve = async (label: string): Promise<{ project: ProjectRecord; projectId: string; path: string | null } | null> => {
    const project = await store.findByPreviewLabel(label);
    return project === null ? null : { project, projectId: project.id, path: socketPath(project.id) };
  };

  const startPreview = (projectId: string, options: { isRepeated?: boolean } = {}): void => {
    projects
      .ensurePreview(projectId, options)
      .catch((error: unknown) => log.warn({ err: error, projectId }, 'failed to start preview'));
  };

  const starting = (incoming: IncomingMessage, outgoing: ServerResponse, project: ProjectRecord): void =>
    sendError(incoming, outgoing, {
      status: 503,
      title: 'The preview is starting',
      text: sandboxWait(project) ?? 'This page reloads automatically in a few seconds.',
      reloadSeconds,
      frameAncestors: hosts.studioSources(),
    });

  /** The only page of a preview that leaves its origin: it has no code of the project's. */
  const notLaunched = (incoming: IncomingMessage, outgoing: ServerResponse, projectId: string): void => {
    // Without a public address, visitors from other machines reach the studio by a name that the preview's host does not tell.
    const isReachable =
      !isLoopbackHost(new URL(hosts.studioUrl()).host) || /\.localhost(:\d+)?$/i.test(incoming.headers.host ?? '');
    sendError(incoming, outgoing, {
      status: 403,
      title: 'Open this preview from the studio',
      text: 'A preview opens in its own tab only from the studio, because its code is untrusted.',
      link: isReachable ? { url: `${hosts.studioUrl()}/p/${projectId}`, text: 'Open the project' } : null,
      reloadSeconds: null,
      frameAncestors: hosts.studioSources(),
    });
  };

  return {
    async request(incoming, outgoing, label) {
      // Without a listener, an error on a single response would crash the server.
      outgoing.on('error', () => outgoing.destroy());
      const frameAncestors = hosts.studioSources();
      // A service worker would outlive the preview and respond in its place.
      if (incoming.headers['service-worker'] !== undefined) {
        const text = 'Service workers are not available in previews.';
        return sendError(incoming, outgoing, { status: 403, title: 'Not available', text, reloadSeconds: null, frameAncestors });
      }
      const found = await resolve(label);
      if (outgoing.closed || incoming.destroyed) return;
      if (found === null) {
        const text = 'There is no project at this address. It may have been deleted.';
        return sendError(incoming, outgoing, {
          status: 404,
          title: 'Preview not found',
          text,
          reloadSeconds: null,
          frameAncestors,
        });
      }
      const { project, projectId, path } = found;
      const { url = '/', headers } = incoming;
      if (launches.isLaunch(url)) {
        const launched = launches.redeem(label, url);
        if (launched === null) return notLaunched(incoming, outgoing, projectId);
        const { location, cookie } = launched;
        outgoing.writeHead(303, { location, 'set-cookie': cookie, 'cache-control': 'no-store', ...isolation }).end();
        return;
      }
      if (headers['sec-fetch-dest'] === 'document' && !launches.isLaunched(label, headers.cookie)) {
        return notLaunched(incoming, outgoing, projectId);
      }
      if (path === null) {
        startPreview(projectId);
        return starting(incoming, outgoing, project);
      }
      requestedHosts.set(incoming, incoming.headers.host ?? '');
      requestedProjects.set(incoming, projectId);
      cleanRequestHeaders(incoming.headers, { upgrade: false });
      proxy.web(incoming, outgoing, target(path), (error) => {
        if (started.has(outgoing) || outgoing.closed) return void outgoing.destroy();
        log.debug({ projectId, reason: errorMessage(error) }, 'preview did not respond');
        startPreview(projectId);
        starting(incoming, outgoing, project);
      });
    },

    async upgrade(incoming, socket, head, label) {
      // No data may arrive before the handshake completes, so reading loses nothing and detects a disconnect.
      socket.once('end', () => socket.destroy());
      socket.resume();
      if (head.length > 0 || !isCleanUpgrade(incoming)) return rejectUpgrade(socket, '400 Bad Request');
      const { origin, host = '' } = incoming.headers;
      // Browsers send the origin of the page that opens a WebSocket, but do not block other origins.
      if (origin !== undefined && !hosts.isPreviewOrigin(origin, host, label)) return rejectUpgrade(socket, '403 Forbidden');
      const found = await resolve(label);
      if (socket.destroyed) return;
      if (found === null) return rejectUpgrade(socket, '404 Not Found');
      const { projectId, path } = found;
      if (path === null) {
        // The page that a preview serves reconnects by itself, for as long as it is open.
        startPreview(projectId, { isRepeated: true });
        return rejectUpgrade(socket, '503 Service Unavailable');
      }
      openSockets.add(socket);
      socket.once('close', () => openSockets.delete(socket));
      requestedHosts.set(incoming, incoming.headers.host ?? '');
      cleanRequestHeaders(incoming.headers, { upgrade: true });
      proxy.ws(incoming, socket, head, target(path), (error) => {
        log.debug({ projectId, reason: errorMessage(error) }, 'preview websocket failed');
        socket.destroy();
      });
    },

    close() {
      for (const socket of openSockets) socket.destroy();
    },
  };
}

/** Returns whether a request is a plain WebSocket handshake (RFC 6455), without a body that could hide a second request. */
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

/** Rejects an upgrade and closes the connection, so that remaining data is not parsed as another request. */
export function rejectUpgrade(socket: Duplex, status: string): void {
  const allowlist = isolation['connection-allowlist'];
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\nConnection-Allowlist: ${allowlist}\r\n\r\n`, () =>
    socket.destroy(),
  );
}

interface ErrorPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly url: string; readonly text: string } | null;
  readonly reloadSeconds: number | null;
  readonly frameAncestors: string;
}

function sendError(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, title, text, link = null, reloadSeconds, frameAncestors }: ErrorPage,
): void {
  const linkHtml = link === null ? '' : `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.text)}</a></p>`;
  const wantsPage = incoming.headers.accept?.includes('text/html') ?? false;
  const body = wantsPage
    ? htmlPage(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${linkHtml}`, { reloadSeconds })
    : `${title}. ${text}\n`;
  outgoing.writeHead(status, {
    'content-type': wantsPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${frameAncestors}`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...isolation,
    ...(link === null ? {} : { 'connection-allowlist': connectionAllowlist([new URL(link.url).origin]) }),
    connection: 'close',
    ...(status === 503 ? { 'retry-after': String(reloadSeconds ?? 5) } : {}),
  });
  outgoing.end(incoming.method === 'HEAD' ? undefined : body);
}
