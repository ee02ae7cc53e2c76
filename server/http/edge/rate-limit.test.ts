import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createdTokenSchema } from '#contract/access.ts';
import { errorEnvelopeSchema } from '#contract/errors.ts';
import { type HttpFixture, httpFixture, testKey } from '../../../test/fixtures/http.ts';
import { newProject } from '../../../test/fixtures/storage.ts';
import { maxStreams } from '../streams/event-streams.ts';
import { addressKey, RateLimit } from './rate-limit.ts';

const accessToken = 'the-token-of-the-operator';
let http: HttpFixture;
beforeEach(() => {
  http = httpFixture({ accessToken });
});
afterEach(() => {
  vi.useRealTimers();
  http[Symbol.dispose]();
});

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const repeat = async (times: number, ask: () => Promise<Response>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) statuses.push((await ask()).status);
  return statuses;
};
const times = (count: number, status: number) => Array.from({ length: count }, () => status);

/** Returns what a refusal says. */
async function refusal(response: Response) {
  const { error } = errorEnvelopeSchema.parse(await response.json());
  return {
    status: response.status,
    code: error.code,
    message: error.message,
    seconds: Number(response.headers.get('retry-after')),
  };
}

const signIn = (token: string) => http.send('POST', '/api/session', { token });

async function sessionCookie(): Promise<string> {
  return (await signIn(accessToken)).headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function programToken(): Promise<string> {
  const created = await http.send('POST', '/api/tokens', { name: 'agent', scopes: ['read'], projects: 'all' }, bearer(testKey));
  return createdTokenSchema.parse(await created.json()).secret;
}

describe('wrong tokens', () => {
  const guess = (remoteAddress: string, secret = 'a-guess-of-the-access-token') =>
    http.call('/api/projects', { remoteAddress, headers: bearer(secret) });

  it('M6: of one address are limited, and the access token is not even compared beyond that', async () => {
    expect(await repeat(30, () => guess('10.0.0.1'))).toEqual(times(30, 401));
    const refused = await refusal(await guess('10.0.0.1'));
    expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(refused.message).toMatch(
      /^More than 30 wrong access tokens came from this address within a minute\. Try again in \d+ s\.$/,
    );
    expect(refused.seconds).toBeGreaterThan(50);
    expect(refused.seconds).toBeLessThanOrEqual(60);
    expect((await guess('10.0.0.1', accessToken)).status).toBe(429);
    expect((await guess('10.0.0.2', accessToken)).status).toBe(200);
  });

  it('M6: lock out nobody who has a secret that cannot be guessed', async () => {
    const secret = await programToken();
    const cookie = await sessionCookie();
    await repeat(40, () => guess('127.0.0.1'));
    expect((await guess('127.0.0.1', testKey)).status).toBe(200);
    expect((await http.call('/api/projects', { headers: { cookie } })).status).toBe(200);
    // A token for programs is for MCP, so the API knows and refuses it.
    expect((await guess('127.0.0.1', secret)).status).toBe(403);
  });

  it('M6: at the sign-in count together with all others, and a page without a token counts nothing', async () => {
    expect(await repeat(40, () => http.call('/api/projects'))).toEqual(times(40, 401));
    expect(await repeat(15, () => signIn('wrong'))).toEqual(times(15, 401));
    expect(await repeat(10, () => guess('127.0.0.1'))).toEqual(times(10, 401));
    const asked = () => http.call('/api/session', { headers: bearer('wrong') });
    expect(await repeat(5, asked)).toEqual(times(5, 200));
    expect(await refusal(await signIn('wrong'))).toMatchObject({ status: 429 });
    expect((await signIn(accessToken)).status).toBe(429);
    expect((await asked()).status).toBe(429);
  });
});

describe('work', () => {
  it('M6: that one caller starts is limited, and a page may still read, edit and stop', async () => {
    const { id } = await http.stores.projects.create(newProject());
    const send = (path: string, body: object) => http.send('POST', path, body, bearer(testKey));
    // An invalid request counts, so this starts nothing.
    const start = () => send(`/api/projects/${id}/messages`, {});
    expect(new Set(await repeat(300, start))).toEqual(new Set([400]));
    const refused = await refusal(await start());
    expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED', message: expect.stringContaining('Try again in') });
    expect(refused.seconds).toBeGreaterThan(0);
    expect((await send('/api/projects', {})).status).toBe(429);
    expect((await send(`/api/projects/${id}/stop`, {})).status).toBe(202);
    expect((await send(`/api/projects/${id}/activity`, {})).status).toBe(202);
    expect((await http.call(`/api/projects/${id}`, { headers: bearer(testKey) })).status).toBe(200);
    // The person's pages have a limit of their own.
    expect((await http.send('POST', `/api/projects/${id}/messages`, {}, { cookie: await sessionCookie() })).status).toBe(400);
  });
});

describe('messages of MCP clients', () => {
  it('M6: of one caller are limited', async () => {
    const post = () => http.send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, bearer(testKey));
    expect(new Set(await repeat(1_200, post))).toEqual(new Set([400]));
    const refused = await refusal(await post());
    expect(refused).toMatchObject({ status: 429, message: expect.stringContaining('Poll less often') });
    expect(refused.seconds).toBeGreaterThan(0);
    expect((await http.send('POST', '/mcp', {}, bearer(await programToken()))).status).toBe(400);
  });
});

describe('event streams', () => {
  it('M6: of one caller are limited, and closed ones make room', async () => {
    const { id } = await http.stores.projects.create(newProject());
    const closed = new AbortController();
    const follow = async (path: string, signal = closed.signal, headers: Record<string, string> = bearer(testKey)) =>
      await http.call(path, { headers, signal });
    const paths = [`/api/events?follow=${id}:0`, `/api/projects/${id}/events`];
    for (let count = 0; count < maxStreams; count += 1) {
      expect((await follow(paths[count % 2] ?? '')).status).toBe(200);
    }
    for (const path of paths) {
      const refused = await refusal(await follow(path));
      expect(refused).toMatchObject({ status: 429, message: expect.stringContaining('Close one') });
      expect(refused.seconds).toBeGreaterThan(0);
    }
    // A request that fails takes no room.
    const other = await follow(paths[0] ?? '', closed.signal, { cookie: await sessionCookie() });
    expect(other.status).toBe(200);
    await other.body?.cancel();
    closed.abort();
    expect((await follow(paths[0] ?? '', new AbortController().signal)).status).toBe(200);
  });
});

describe('the limit', () => {
  it('M6: ends after a minute', async () => {
    vi.useFakeTimers();
    const limit = new RateLimit(2, (perMinute) => `At most ${perMinute}.`);
    await limit.take('a', 2);
    await limit.check('a');
    await expect(limit.take('a')).rejects.toThrow('At most 2. Try again in 60 s.');
    await expect(limit.check('a')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await limit.take('b');
    vi.advanceTimersByTime(60_001);
    await limit.take('a');
  });

  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3::4', '2001:db8:1:2'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2'],
    [null, 'unknown'],
    ['', 'unknown'],
  ])('M6: counts the address %s as %s', (address, key) => {
    const parts = addressKey(address);
    expect(parts).toBe(
      key.includes(':')
        ? key
            .split(':')
            .map((part) => Number.parseInt(part, 16))
            .join(':')
        : key,
    );
  });
});
