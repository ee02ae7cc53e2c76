import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Secrets and facts of the outer connection that a sandbox must not see. */
const requestSecrets = [
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

/** Headers that a sandbox must not send: they would reach beyond its own origin or outlive it. */
const responseClaims = [
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
  // Trailers are not passed on, and an answer of a known length cannot have any.
  'trailer',
];
/** Instructions to a proxy in front of this server, e.g. to send a file of its own. */
const proxyOrder = /^x-(accel-|sendfile|lighttpd-)/;

/**
 * Headers for the dev server, changed in place. Host and Origin become `localhost`, which every dev server accepts,
 * and which is no use to it. Hop-by-hop headers that `Connection` names go as well, except those of an upgrade.
 */
export function cleanRequestHeaders(headers: IncomingHttpHeaders, options: { upgrade: boolean }): void {
  for (const token of (headers.connection ?? '').toLowerCase().split(',')) {
    const name = token.trim();
    if (name !== '' && name !== 'upgrade' && name !== 'close' && name !== 'keep-alive') delete headers[name];
  }
  for (const name of Object.keys(headers)) {
    if (requestSecrets.includes(name) || name.startsWith('x-forwarded-')) delete headers[name];
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

/**
 * Asks the browser for a process of its own, where it would put a preview into the studio's: a page that loops forever
 * must not hang what shows it. Holds only when every answer of the origin says it, those without a page included.
 */
export const ownProcess = { 'origin-agent-cluster': '?1' };

/**
 * The status of an answer, changed in place. The parser takes numbers and words that could not be sent on, for which
 * the server would die; and one that is no answer to a request (101, say) must not pass for one.
 */
export function cleanStatus(answer: Pick<IncomingMessage, 'statusCode' | 'statusMessage'>): void {
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 599) answer.statusCode = 502;
  // Those of the number are sent.
  answer.statusMessage = '';
}

/** Who may frame a preview, and the host under which the browser has it. */
interface Place {
  readonly frameAncestors: string;
  readonly host: string;
}

/**
 * What a preview may do in a browser: everything with what is its own, and nothing with any other machine. Its code was
 * written where there is no network, and must not find one here, to send away what was uploaded or to look around in the
 * user's own. Anything that it could load only here, a render would lack. `webrtc` is in the standard and not in Chromium yet:
 * there, WebRTC remains a way out.
 */
function previewPolicy({ frameAncestors, host }: Place): string {
  // Not every browser counts WebSockets of the same host as 'self'.
  const own = `'self' data: blob: ws://${host} wss://${host}`;
  return [
    `default-src ${own} 'unsafe-inline' 'unsafe-eval'`,
    "form-action 'self'",
    "object-src 'none'",
    "webrtc 'block'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}

/** Headers from the dev server, changed in place: cookies stay on the preview's host, and only the studio may frame it. */
export function cleanResponseHeaders(headers: IncomingHttpHeaders, place: Place): void {
  for (const name of Object.keys(headers)) {
    if (responseClaims.includes(name) || proxyOrder.test(name)) delete headers[name];
  }
  if (headers['set-cookie'] !== undefined) headers['set-cookie'] = headers['set-cookie'].map(withoutDomain);
  // A further policy can only narrow what the page's own one allows.
  const policy = previewPolicy(place);
  const own = headers['content-security-policy'];
  headers['content-security-policy'] = own === undefined ? policy : `${own}, ${policy}`;
  headers['x-content-type-options'] = 'nosniff';
  headers['referrer-policy'] = 'same-origin';
  headers['x-dns-prefetch-control'] = 'off';
  Object.assign(headers, ownProcess);
}

/** A cookie for the host that set it alone. */
function withoutDomain(cookie: string): string {
  return cookie
    .split(';')
    .filter((attribute, index) => index === 0 || !/^\s*domain\s*(=|$)/i.test(attribute))
    .join(';');
}
