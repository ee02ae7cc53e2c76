import { OpenAPIHono } from '@hono/zod-openapi';
import { type Logger, pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createdTokenSchema } from '#contract/access.ts';
import { errorEnvelopeSchema } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { routes } from '#contract/routes.ts';
import { type HttpFixture, httpFixture, type LocalRequest, testKey } from '../../../test/fixtures/http.ts';
import { newProject } from '../../../test/fixtures/storage.ts';
import { Access } from '../../access/access.ts';
import type { HttpEnv } from '../deps.ts';
import { requireCaller, TokenGuesses } from './access.ts';
import { onError } from './errors.ts';
import { createHostPolicy } from './hosts.ts';

let http: HttpFixture;
beforeEach(() => {
  http = httpFixture();
});
afterEach(() => http[Symbol.dispose]());

const request = { name: ' Claude Code ', scopes: ['render', 'read', 'read'], projects: 'all' };
const errorOf = async (response: Response) => {
  const { error } = errorEnvelopeSchema.parse(await response.json());
  return { status: response.status, code: error.code, message: error.message };
};
const create = async (body: object = request) => {
  const response = await http.send('POST', '/api/tokens', body);
  expect(response.status).toBe(201);
  return createdTokenSchema.parse(await response.json());
};
const list = async () => routes.tokens.response.parse(await (await http.call('/api/tokens')).json()).items;

describe('token routes', () => {
  it('G11: create, list and revoke tokens, and show a secret only once', async () => {
    const { token, secret } = await create();
    expect(token).toMatchObject({ name: 'Claude Code', scopes: ['read', 'render'], projects: 'all', lastUsedAt: null });
    expect(await list()).toEqual([token]);
    expect(await (await http.call('/api/tokens')).text()).not.toContain(secret);
    expect((await http.call(`/api/tokens/${token.id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await list()).toEqual([]);
    expect(await errorOf(await http.call(`/api/tokens/${token.id}`, { method: 'DELETE' }))).toMatchObject({ status: 404 });
  });

  it('G11: restrict a token to projects that exist', async () => {
    const { id } = await http.stores.projects.create(newProject());
    expect((await create({ ...request, projects: [id, id] })).token.projects).toEqual([id]);
    const unknown = await http.send('POST', '/api/tokens', { ...request, projects: [newId('prj')] });
    expect(await errorOf(unknown)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await list()).toHaveLength(1);
  });

  it.each([
    { name: '' },
    { name: 'x'.repeat(81) },
    { name: 'a\nb' },
    { scopes: [] },
    { scopes: ['admin'] },
    { projects: [] },
    { projects: ['prj_1'] },
    { projects: Array.from({ length: 101 }, () => newId('prj')) },
    { expiresAt: 'tomorrow' },
    { expiresAt: '2020-01-01T00:00:00.000Z' },
    { admin: true },
  ])('G11: reject the request %j', async (fields) => {
    const response = await http.send('POST', '/api/tokens', { ...request, ...fields });
    expect(await errorOf(response)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(await list()).toEqual([]);
  });

  it('G11: cannot be called with a token, from another address, through a proxy, or by another page', async () => {
    const { secret, token } = await create();
    const refused: [number[], LocalRequest][] = [
      [[403, 403, 403], { headers: { authorization: `Bearer ${secret}` } }],
      [[401, 401, 401], { remoteAddress: '10.0.0.1' }],
      [[401, 401, 401], { remoteAddress: '172.18.0.1' }],
      [[401, 401, 401], { headers: { 'x-forwarded-for': '10.0.0.1' } }],
      [[401, 401, 401], { program: true }],
      [[403, 403, 403], { headers: { origin: 'http://evil.example' } }],
      [[403, 403, 403], { headers: { origin: 'http://abcd.localhost:3000', 'sec-fetch-site': 'same-site' } }],
    ];
    for (const [statuses, init] of refused) {
      const json = { 'content-type': 'application/json', ...init.headers };
      const responses = [
        await http.call('/api/tokens', init),
        await http.call('/api/tokens', { ...init, method: 'POST', headers: json, body: JSON.stringify(request) }),
        await http.call(`/api/tokens/${token.id}`, { ...init, method: 'DELETE' }),
      ];
      expect(
        responses.map(({ status }) => status),
        JSON.stringify(init),
      ).toEqual(statuses);
    }
    expect(await list()).toMatchObject([{ id: token.id }]);
  });
});

describe('requireCaller', () => {
  const app = (log: Pick<Logger, 'warn'> = pino({ level: 'silent' })) => {
    const access = new Access({
      tokens: http.stores.tokens,
      gateway: null,
      localKey: testKey,
      sessionKey: 'session',
      accessToken: null,
      log,
    });
    const guarded = new OpenAPIHono<HttpEnv>();
    guarded.onError(onError(pino({ level: 'silent' })));
    const hosts = createHostPolicy({ port: () => 3000, publicUrl: null, allowedHosts: [], previewDomain: 'localhost' });
    guarded.use(requireCaller(access, hosts, new TokenGuesses()));
    guarded.post('/mcp', (c) => c.text(c.get('caller')?.name ?? 'nobody'));
    return async (remoteAddress: string, headers: Record<string, string> = {}) => {
      const incoming = { socket: { remoteAddress } } as HttpEnv['Bindings']['incoming'];
      return await guarded.request('/mcp', { method: 'POST', headers: { host: 'localhost:3000', ...headers } }, { incoming });
    };
  };

  it('G11: sets the caller, and asks others for a token', async () => {
    const send = app();
    const { secret, token } = await create();
    expect(await (await send('127.0.0.1', { 'sec-fetch-site': 'same-origin' })).text()).toBe('Local user');
    expect(await (await send('127.0.0.1', { authorization: `Bearer ${testKey}` })).text()).toBe('Local user');
    expect((await send('127.0.0.1')).status).toBe(401);
    expect(await (await send('10.0.0.1', { authorization: `Bearer ${secret}` })).text()).toBe('Claude Code');
    const anonymous = await send('10.0.0.1');
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer');
    expect(await errorOf(anonymous)).toMatchObject({ status: 401, message: expect.stringContaining('koda token create') });
    await http.call(`/api/tokens/${token.id}`, { method: 'DELETE' });
    const revoked = await send('127.0.0.1', { authorization: `Bearer ${secret}` });
    expect(await errorOf(revoked)).toMatchObject({ status: 401, message: expect.stringContaining('revoked') });
  });

  it('L12: logs refused requests, at most once per minute for each address', async () => {
    const lines: string[] = [];
    const send = app(pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }));
    for (let tries = 0; tries < 20; tries += 1) await send('10.0.0.1', { authorization: `Bearer koda_${tries}` });
    await send('10.0.0.2');
    await send('10.0.0.3', { authorization: `Bearer ${testKey}` });
    const logged = lines.map((line) => JSON.parse(line) as object);
    expect(logged).toMatchObject([
      { level: 40, from: '10.0.0.1', method: 'POST', path: '/mcp', hasToken: true },
      { level: 40, from: '10.0.0.2', hasToken: false },
    ]);
    expect(lines.join('')).not.toContain('koda_');
    using clock = vi.spyOn(performance, 'now');
    clock.mockReturnValue(performance.now() + 60_000);
    await send('10.0.0.1');
    expect(lines).toHaveLength(3);
  });

  it('G11: refuses a request whose address is unknown', async () => {
    expect((await http.app.request('/api/tokens', { headers: { host: 'localhost:3000' } }, {})).status).toBe(401);
  });
});

it('F2: behind HTTPS, the session cookie is secure and belongs to the studio’s path', async () => {
  const hosts = createHostPolicy({
    ...{ port: () => 3000, allowedHosts: [], previewDomain: 'example.org' },
    publicUrl: 'https://example.org:8443/koda',
  });
  using koda = httpFixture({ accessToken: 'the-token-of-the-operator', hosts });
  const signIn = (headers: Record<string, string>) =>
    koda.send('POST', '/api/session', { token: 'the-token-of-the-operator' }, { host: 'example.org:8443', ...headers });
  for (const headers of [{}, { origin: 'https://example.org:8443' }] as Record<string, string>[])
    expect((await signIn(headers)).headers.get('set-cookie')).toMatch(
      /^koda_session=[\w-]{43}; Max-Age=2592000; Path=\/koda; HttpOnly; Secure; SameSite=Lax$/,
    );
  expect((await signIn({ origin: 'http://example.org:8443' })).status).toBe(403);
  expect((await signIn({ origin: 'https://abcd.example.org:8443', 'sec-fetch-site': 'same-site' })).status).toBe(403);
});

describe('the API', () => {
  const paths = ['/api/projects', '/api/health', '/api/backup', '/api/openapi.json', '/storage/renders/x/video.mp4', '/proxy/x/'];

  it('H1, H2: answers nobody who only comes from this computer', async () => {
    for (const path of [...paths, '/git/prj_0123456789abcdefghjk.git/info/refs?service=git-upload-pack'])
      expect((await http.call(path, { program: true })).status, path).toBe(401);
    const body = JSON.stringify(request);
    const headers = { 'content-type': 'application/json' };
    expect((await http.call('/api/tokens', { program: true, method: 'POST', headers, body })).status).toBe(401);
    expect(await list()).toEqual([]);
  });

  it('H1: answers programs that have the key, and says before who may ask', async () => {
    const headers = { authorization: `Bearer ${testKey}` };
    expect((await http.call('/api/projects', { headers })).status).toBe(200);
    const session = await http.call('/api/session', { remoteAddress: '10.0.0.1' });
    expect(await session.json()).toEqual({ signedIn: false, needsToken: false });
    expect((await http.call('/api/ready', { remoteAddress: '10.0.0.1' })).status).toBe(200);
    expect((await http.call('/', { remoteAddress: '10.0.0.1' })).status).not.toBe(401);
  });

  it('H1: gives a token for programs no more than its projects’ videos and histories', async () => {
    const { id } = await http.stores.projects.create(newProject());
    const other = await http.stores.projects.create(newProject());
    const { secret } = await create({ ...request, scopes: ['read'], projects: [id] });
    const headers = { authorization: `Bearer ${secret}` };
    const git = (project: string) => http.call(`/git/${project}.git/info/refs?service=git-upload-pack`, { headers });
    for (const path of paths.slice(0, 4)) expect((await http.call(path, { headers })).status, path).toBe(403);
    expect((await git(other.id)).status).toBe(404);
    expect((await git(id)).status).not.toBe(403);
    const blind = await create({ ...request, scopes: ['run'], projects: [id] });
    const refused = await http.call(`/git/${id}.git/info/refs?service=git-upload-pack`, {
      headers: { authorization: `Bearer ${blind.secret}` },
    });
    expect(refused.status).toBe(403);
  });

  it('H1: with an access token, asks browsers for it once and keeps it in a cookie', async () => {
    using strict = httpFixture({ accessToken: 'the-token-of-the-operator' });
    expect((await strict.call('/api/projects')).status).toBe(401);
    expect(await (await strict.call('/api/session')).json()).toEqual({ signedIn: false, needsToken: true });
    expect((await strict.send('POST', '/api/session', { token: 'another-token' })).status).toBe(401);
    const foreign = { origin: 'http://evil.example' };
    expect((await strict.send('POST', '/api/session', { token: 'the-token-of-the-operator' }, foreign)).status).toBe(403);
    const signedIn = await strict.send('POST', '/api/session', { token: 'the-token-of-the-operator' });
    const cookie = signedIn.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^koda_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    const headers = { cookie: cookie.split(';')[0] ?? '' };
    expect((await strict.call('/api/projects', { headers })).status).toBe(200);
    const withForeign = { cookie: `koda_session=planted; ${headers.cookie}` };
    expect((await strict.call('/api/projects', { headers: withForeign })).status).toBe(200);
    expect(await (await strict.call('/api/session', { headers })).json()).toEqual({ signedIn: true, needsToken: true });
    const out = await strict.call('/api/session', { method: 'DELETE', headers });
    expect(out.headers.get('set-cookie')).toContain('koda_session=; Max-Age=0');
  });
});
