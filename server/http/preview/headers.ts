import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/**
 * Request headers that a sandbox receives: what a dev server needs to answer. All others may identify the user, such as cookies
 * and the headers of authenticating proxies.
 */
const forwardedRequestHeaders = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'pragma',
  'purpose',
  'range',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'sec-purpose',
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-protocol',
  'sec-websocket-version',
  // Frames the body. Without it, a body would be read as the next request.
  'transfer-encoding',
  'user-agent',
]);

/**
 * Response headers that a browser receives from a sandbox: what describes the body. All others may set a policy of the page,
 * start a request to another machine, affect another origin, outlive the preview, or control a reverse proxy. `connection` is
 * left out because it could make a reverse proxy remove Koda's own headers.
 */
const forwardedResponseHeaders = new Set([
  'accept-ranges',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'sec-websocket-accept',
  'sec-websocket-extensions',
  'sec-websocket-protocol',
  'vary',
]);

/** Removes all request headers but the forwarded ones, in place. Sets Host to `localhost`, which every dev server accepts. */
export function cleanRequestHeaders(headers: IncomingHttpHeaders, options: { upgrade: boolean }): void {
  const fromPage = headers.origin !== undefined;
  for (const name of Object.keys(headers)) {
    if (!forwardedRequestHeaders.has(name)) delete headers[name];
  }
  headers.host = 'localhost';
  if (fromPage) headers.origin = 'http://localhost';
  headers.connection = options.upgrade ? 'Upgrade' : 'close';
  if (options.upgrade) headers.upgrade = 'websocket';
}

/** Returns the value of the header that allows a page to contact its own origin, and these others. */
export function connectionAllowlist(otherOrigins: readonly string[] = []): string {
  return `(${['response-origin', ...otherOrigins.map((origin) => JSON.stringify(origin))].join(' ')})`;
}

/**
 * Headers of every response on a preview's host. Chromium applies the allowlist before each connection that a page causes,
 * also to those that no CSP covers: navigation, WebRTC, preconnect and reports. Previews have their own process, so that an
 * endless loop cannot block the studio; Chromium isolates an origin only if all its responses ask for it.
 */
export const isolation = { 'connection-allowlist': connectionAllowlist(), 'origin-agent-cluster': '?1' };

/** Sanitises a status in place. The parser accepts values that would crash the server, and non-final codes such as 101. */
export function cleanStatus(response: Pick<IncomingMessage, 'statusCode' | 'statusMessage'>): void {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 599) response.statusCode = 502;
  response.statusMessage = '';
}

interface PreviewContext {
  /** Studio origins that may frame the preview. */
  readonly frameAncestors: string;
  /** The preview's host as the browser addresses it. */
  readonly host: string;
  /** The request's path and query. */
  readonly path: string;
  /** Whether the browser has said that it loads the response into a frame. */
  readonly framed: boolean;
}

/**
 * Returns a preview's CSP: unrestricted use of its own resources, no access to other hosts. Its code must not send data out
 * or explore the user's network. Anything loaded from elsewhere would also be missing from a render.
 */
function previewPolicy({ frameAncestors, host, framed }: PreviewContext): string {
  // Some browsers do not include WebSockets on the same host in 'self'.
  const own = `'self' data: blob: ws://${host} wss://${host}`;
  const policy = [
    `default-src ${own} 'unsafe-inline' 'unsafe-eval'`,
    "form-action 'self'",
    "object-src 'none'",
    "webrtc 'block'",
    `frame-ancestors ${frameAncestors}`,
  ];
  // The studio's frame has a sandbox too. It keeps the preview's origin, because modules and hot reload of an opaque origin
  // would require sharing the preview with every opaque origin. The origin has nothing of the user's.
  // In a tab of its own, the preview may also use forms, whose targets are limited above, and save files, as an app does.
  if (!framed) policy.push('sandbox allow-scripts allow-same-origin allow-forms allow-downloads');
  return policy.join('; ');
}

/** Removes all response headers but the forwarded ones, in place, and adds Koda's own. */
export function cleanResponseHeaders(headers: IncomingHttpHeaders, context: PreviewContext): void {
  const location = headers.location === undefined ? null : ownLocation(headers.location, context);
  for (const name of Object.keys(headers)) {
    if (!forwardedResponseHeaders.has(name)) delete headers[name];
  }
  if (location !== null) headers.location = location;
  headers['content-security-policy'] = previewPolicy(context);
  headers['x-content-type-options'] = 'nosniff';
  headers['referrer-policy'] = 'same-origin';
  headers['x-dns-prefetch-control'] = 'off';
  // The studio's frame has these permissions removed, too.
  headers['permissions-policy'] = 'camera=(), microphone=(), geolocation=(), payment=(), usb=()';
  Object.assign(headers, isolation);
}

/** Returns a redirect's target as a path on the preview's host, or `null` if it is elsewhere. */
function ownLocation(location: string, { host, path }: PreviewContext): string | null {
  const target = URL.parse(location, URL.parse(path, `http://${host}`)?.href);
  // The sandbox is addressed as `localhost`, so it may redirect to that name.
  if (target === null || (target.host !== host && target.host !== 'localhost')) return null;
  // A path that starts with two slashes would name another host.
  return `${target.pathname.replace(/^\/+/, '/')}${target.search}${target.hash}`;
}
