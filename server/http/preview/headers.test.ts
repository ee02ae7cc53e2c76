import { describe, expect, it } from 'vitest';
import { cleanRequestHeaders, cleanResponseHeaders, cleanStatus } from './headers.ts';

describe('request headers for a preview', () => {
  it('A15: contain no secrets and no details of the outer connection', () => {
    const headers: Record<string, string> = {
      host: 'ab12.localhost:3000',
      origin: 'http://ab12.localhost:3000',
      referer: 'http://ab12.localhost:3000/?token=1',
      cookie: 'session=1',
      authorization: 'Bearer x',
      forwarded: 'for=1.2.3.4',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-host': 'ab12.localhost:3000',
      'x-forwarded-anything': 'x',
      'x-real-ip': '1.2.3.4',
      'x-hop': '1',
      connection: 'keep-alive, X-Hop, Accept',
      te: 'trailers',
      trailer: 'x-end',
      expect: '100-continue',
      accept: 'text/html',
    };
    cleanRequestHeaders(headers, { upgrade: false });
    expect(headers).toEqual({ host: 'localhost', origin: 'http://localhost', connection: 'close', accept: 'text/html' });
  });

  it.each([
    'x-auth-request-access-token',
    'cf-access-jwt-assertion',
    'cf-access-client-secret',
    'x-amzn-oidc-data',
    'x-goog-iap-jwt-assertion',
    'x-authentik-jwt',
    'x-pomerium-jwt-assertion',
    'remote-user',
    'tailscale-user-login',
    'x-ms-client-principal',
    'proxy-authorization',
    'x-any-other-header',
  ])('M7: do not contain %s', (name) => {
    for (const upgrade of [false, true]) {
      const headers: Record<string, string> = { host: 'x', accept: '*/*', [name]: 'secret' };
      cleanRequestHeaders(headers, { upgrade });
      expect(JSON.stringify(headers)).not.toContain('secret');
      expect(headers['accept']).toBe('*/*');
    }
  });

  it('M7: contain what a dev server needs', () => {
    const needed = {
      accept: 'text/css',
      'accept-encoding': 'gzip',
      'accept-language': 'de',
      'cache-control': 'no-cache',
      'content-length': '5',
      'content-type': 'text/plain',
      'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
      'if-none-match': '"1"',
      'if-range': '"1"',
      pragma: 'no-cache',
      purpose: 'prefetch',
      range: 'bytes=0-1',
      'sec-fetch-dest': 'script',
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'same-origin',
      'user-agent': 'x',
    };
    const headers: Record<string, string> = { ...needed };
    cleanRequestHeaders(headers, { upgrade: false });
    expect(headers).toEqual({ ...needed, host: 'localhost', connection: 'close' });
  });

  it('A15: keep the headers of an upgrade', () => {
    const webSocket = {
      'sec-websocket-key': 'k',
      'sec-websocket-version': '13',
      'sec-websocket-protocol': 'vite-hmr',
      'sec-websocket-extensions': 'permessage-deflate',
    };
    const headers: Record<string, string> = {
      host: 'x',
      connection: 'keep-alive, Upgrade',
      upgrade: 'WebSocket',
      cookie: 'a=1',
      ...webSocket,
    };
    cleanRequestHeaders(headers, { upgrade: true });
    expect(headers).toEqual({ host: 'localhost', connection: 'Upgrade', upgrade: 'websocket', ...webSocket });
  });
});

const context = { frameAncestors: 'http://localhost:3000', host: 'ab12.localhost:3000', path: '/a/b?c=1', framed: true };

/** Returns the headers that a browser receives if the sandbox sends these. */
function received(sent: Record<string, string | string[]>, options: { framed?: boolean } = {}) {
  const headers = { ...sent };
  cleanResponseHeaders(headers, { ...context, ...options });
  return headers;
}

describe('response headers of a preview', () => {
  it('A15 H3: are what describes the body, and Koda’s own', () => {
    const described = {
      'content-type': 'text/html',
      'content-length': '5',
      'content-encoding': 'gzip',
      'content-range': 'bytes 0-1/5',
      'accept-ranges': 'bytes',
      'cache-control': 'no-cache',
      etag: '"1"',
      'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT',
      vary: 'Origin',
    };
    expect(received({ ...described, 'connection-allowlist': '("https://evil.example/*")' })).toEqual({
      ...described,
      'connection-allowlist': '(response-origin)',
      'content-security-policy': expect.stringMatching(/^default-src [^,]*; frame-ancestors http:\/\/localhost:3000$/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-dns-prefetch-control': 'off',
      'origin-agent-cluster': '?1',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    });
  });

  it.each([
    'access-control-allow-origin',
    'alt-svc',
    'attribution-reporting-register-source',
    'clear-site-data',
    // A reverse proxy removes the headers that this one names.
    'connection',
    'connection-allowlist-report-only',
    'content-security-policy-report-only',
    'cross-origin-embedder-policy-report-only',
    'cross-origin-opener-policy-report-only',
    'document-policy',
    'document-policy-report-only',
    'integrity-policy-report-only',
    'link',
    'nel',
    'no-vary-search',
    'observe-browsing-topics',
    'proxy-authenticate',
    'refresh',
    'report-to',
    'reporting-endpoints',
    'service-worker-allowed',
    'set-cookie',
    'set-login',
    'sourcemap',
    'speculation-rules',
    'strict-transport-security',
    'supports-loading-mode',
    'timing-allow-origin',
    'trailer',
    'use-as-dictionary',
    'www-authenticate',
    'x-accel-redirect',
    'x-frame-options',
    'x-lighttpd-send-file',
    'x-sendfile',
    'x-sourcemap',
    'x-any-other-header',
  ])('H3: do not contain %s', (name) => {
    expect(received({ [name]: 'https://evil.example/' })).toEqual(received({}));
    expect(received({ [name]: ['https://evil.example/', 'x'] })).toEqual(received({}));
  });

  it('H3: contain only Koda’s policies, however often the sandbox sends its own', () => {
    for (const name of ['content-security-policy', 'permissions-policy', 'connection-allowlist', 'referrer-policy']) {
      expect(received({ [name]: 'report-uri https://evil.example/' })).toEqual(received({}));
      expect(received({ [name]: ['report-uri https://evil.example/', 'x'] })).toEqual(received({}));
    }
  });

  it.each([
    ['/next?x=1#y', '/next?x=1#y'],
    ['next', '/a/next'],
    ['?x=1', '/a/b?x=1'],
    ['http://localhost/next', '/next'],
    ['http://ab12.localhost:3000/next', '/next'],
    ['https://ab12.localhost:3000/next', '/next'],
    ['https://evil.example/?data', undefined],
    ['//evil.example/', undefined],
    ['/\\evil.example/', undefined],
    ['\\\\evil.example/', undefined],
    ['/\t/evil.example/', undefined],
    ['http://localhost//evil.example/', '/evil.example/'],
    ['/..//evil.example/', '/evil.example/'],
    ['http://localhost:3000/api/projects', undefined],
    ['http://ab12.localhost:3000@evil.example/', undefined],
    ['http://ab12.localhost:3001/', undefined],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['http://', undefined],
  ])('H3: redirect only within the preview: %s becomes %s', (location, sent) => {
    expect(received({ location })['location']).toBe(sent);
  });

  it('X3: let a page reach only its own host', () => {
    const { 'content-security-policy': policy = '' } = received({});
    const [sources = '', ...rest] = String(policy).split('; ');
    expect(sources.split(' ').slice(1)).toEqual([
      "'self'",
      'data:',
      'blob:',
      'ws://ab12.localhost:3000',
      'wss://ab12.localhost:3000',
      "'unsafe-inline'",
      "'unsafe-eval'",
    ]);
    expect(rest).toEqual(["form-action 'self'", "object-src 'none'", "webrtc 'block'", 'frame-ancestors http://localhost:3000']);
  });

  it('H3: put a page outside of a frame into a sandbox like that of the studio’s frame', () => {
    const { 'content-security-policy': policy } = received({}, { framed: false });
    expect(policy).toMatch(/; sandbox allow-scripts allow-same-origin allow-forms allow-downloads$/);
  });

  it.each([
    [0, 502],
    [42, 502],
    [101, 502],
    [600, 502],
    [200, 200],
    [404, 404],
    [599, 599],
  ])('A15: say nothing in their first line that could not be sent: %i becomes %i', (statusCode, sent) => {
    const answer = { statusCode, statusMessage: 'a\u0001b' };
    cleanStatus(answer);
    expect(answer).toEqual({ statusCode: sent, statusMessage: '' });
  });
});
