import { describe, expect, it } from 'vitest';
import { cleanRequestHeaders, cleanResponseHeaders, cleanStatus } from './preview-headers.ts';

describe('request headers for a preview', () => {
  it('A15: contain no secrets and no details of the outer connection', () => {
    const headers: Record<string, string> = {
      host: 'ab12.localhost:3000',
      origin: 'http://ab12.localhost:3000',
      cookie: 'session=1',
      authorization: 'Bearer x',
      forwarded: 'for=1.2.3.4',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-host': 'ab12.localhost:3000',
      'x-forwarded-anything': 'x',
      'x-real-ip': '1.2.3.4',
      'x-hop': '1',
      connection: 'keep-alive, X-Hop',
      accept: 'text/html',
    };
    cleanRequestHeaders(headers, { upgrade: false });
    expect(headers).toEqual({ host: 'localhost', origin: 'http://localhost', connection: 'close', accept: 'text/html' });
  });

  it('A15: keep the headers of an upgrade', () => {
    const headers: Record<string, string> = {
      host: 'x',
      connection: 'keep-alive, Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'k',
      cookie: 'a=1',
    };
    cleanRequestHeaders(headers, { upgrade: true });
    expect(headers).toEqual({ host: 'localhost', connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'k' });
  });
});

describe('response headers of a preview', () => {
  it('A15: affect only its own origin', () => {
    const headers: Record<string, string | string[]> = {
      'content-type': 'text/html',
      'set-cookie': ['a=1; Domain=localhost; Path=/', 'domain=1; path=/; DOMAIN = .localhost ', 'b=2'],
      'service-worker-allowed': '/',
      'clear-site-data': '"*"',
      'strict-transport-security': 'max-age=1; includeSubDomains',
      'x-frame-options': 'DENY',
      trailer: 'x-end',
      'x-accel-redirect': '/storage/renders/rnd_1/video.mp4',
      'x-sendfile': '/etc/passwd',
      'content-security-policy': "default-src 'self'",
    };
    cleanResponseHeaders(headers, { frameAncestors: 'http://localhost:3000', host: 'ab12.localhost:3000' });
    expect(headers).toEqual({
      'content-type': 'text/html',
      'set-cookie': ['a=1; Path=/', 'domain=1; path=/', 'b=2'],
      'content-security-policy': expect.stringMatching(
        /^default-src 'self', default-src .*; frame-ancestors http:\/\/localhost:3000$/,
      ),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-dns-prefetch-control': 'off',
      'origin-agent-cluster': '?1',
    });
  });

  it('X3: let a page reach only its own host', () => {
    const headers: Record<string, string> = {};
    cleanResponseHeaders(headers, { frameAncestors: 'http://localhost:3000', host: 'ab12.localhost:3000' });
    const [sources = '', ...rest] = headers['content-security-policy']?.split('; ') ?? [];
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
