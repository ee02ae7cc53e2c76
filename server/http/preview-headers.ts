import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Headers with secrets or details about the outer connection, which sandboxes must not receive. */
const secretRequestHeaders = [
  'cookie',
  'authorization',
  'proxy-authorization',
  'proxy-connection',
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded',
  'cf-connecting-ip',
  'true-client-ip',
];

/** Response headers that would affect other origins or outlive the preview. */
const unsafeResponseHeaders = [
  'service-worker-allowed',
  'clear-site-data',
  'strict-transport-security',
  'alt-svc',
  'www-authenticate',
  'proxy-authenticate',
  'x-frame-options',
  'report-to',
  'reporting-endpoints',
  'nel',
  'sourcemap',
  // Trailers are not forwarded, and a response of known length has none.
  'trailer',
];
/** Headers that control a reverse proxy, for example to send a local file. */
const proxyInstruction = /^x-(accel-|sendfile|lighttpd-)/;

/** Removes unsafe and hop-by-hop request headers in place. Sets Host to `localhost`, which every dev server accepts. */
export function cleanRequestHeaders(headers: IncomingHttpHeaders, options: { upgrade: boolean }): void {
  for (const token of (headers.connection ?? '').toLowerCase().split(',')) {
    const name = token.trim();
    if (name !== '' && name !== 'upgrade' && name !== 'close' && name !== 'keep-alive') delete headers[name];
  }
  for (const name of Object.keys(headers)) {
    if (secretRequestHeaders.includes(name) || name.startsWith('x-forwarded-')) delete headers[name];
  }
  headers.host = 'localhost';
  if (headers.origin !== undefined) headers.origin = 'http://localhost';
  if (options.upgrade) {
    headers.connection = 'Upgrade';
  } else {
    headers.connection = 'close';
    delete headers.upgrade;
  }
}

/** Isolates previews in their own process, so that an endless loop cannot block the studio. Needed on every response. */
export const processIsolation = { 'origin-agent-cluster': '?1' };

/** Sanitises a status in place. The parser accepts values that would crash the server, and non-final codes such as 101. */
export function cleanStatus(response: Pick<IncomingMessage, 'statusCode' | 'statusMessage'>): void {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 599) response.statusCode = 502;
  response.statusMessage = '';
}

/** Studio origins that may frame the preview, and the preview's host as the browser addresses it. */
interface PreviewContext {
  readonly frameAncestors: string;
  readonly host: string;
}

/**
 * Returns a preview's CSP: unrestricted use of its own resources, no access to other hosts. Its code must not send data out
 * or explore the user's network. Anything loaded from elsewhere would also be missing from a render. Chromium does not
 * support `webrtc` yet, so WebRTC remains a way out there.
 */
function previewPolicy({ frameAncestors, host }: PreviewContext): string {
  // Some browsers do not include WebSockets on the same host in 'self'.
  const own = `'self' data: blob: ws://${host} wss://${host}`;
  return [
    `default-src ${own} 'unsafe-inline' 'unsafe-eval'`,
    "form-action 'self'",
    "object-src 'none'",
    "webrtc 'block'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}

/** Removes unsafe response headers in place. Cookies stay on the preview's host, and only the studio can frame it. */
export function cleanResponseHeaders(headers: IncomingHttpHeaders, context: PreviewContext): void {
  for (const name of Object.keys(headers)) {
    if (unsafeResponseHeaders.includes(name) || proxyInstruction.test(name)) delete headers[name];
  }
  if (headers['set-cookie'] !== undefined) headers['set-cookie'] = headers['set-cookie'].map(withoutDomain);
  // An additional policy can only restrict the page's own policy.
  const policy = previewPolicy(context);
  const own = headers['content-security-policy'];
  headers['content-security-policy'] = own === undefined ? policy : `${own}, ${policy}`;
  headers['x-content-type-options'] = 'nosniff';
  headers['referrer-policy'] = 'same-origin';
  headers['x-dns-prefetch-control'] = 'off';
  Object.assign(headers, processIsolation);
}

function withoutDomain(cookie: string): string {
  return cookie
    .split(';')
    .filter((attribute, index) => index === 0 || !/^\s*domain\s*(=|$)/i.test(attribute))
    .join(';');
}
