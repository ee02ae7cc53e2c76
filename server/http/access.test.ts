import { OpenAPIHono } from '@hono/zod-openapi';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createdTokenSchema } from '#contract/access.ts';
import { errorEnvelopeSchema } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { routes } from '#contract/routes.ts';
import { type HttpFixture, httpFixture } from '../../test/fixtures/http.ts';
import { newProject } from '../../test/fixtures/storage.ts';
import { Access } from '../access/access.ts';
import { requireCaller } from './access.ts';
import type { HttpEnv } from './deps.ts';
import { onError } from './errors.ts';

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
    const refused = [
      { headers: { authorization: `Bearer ${secret}` } },
      { remoteAddress: '10.0.0.1' },
      { remoteAddress: '172.18.0.1' },
      { headers: { 'x-forwarded-for': '10.0.0.1' } },
      { headers: { origin: 'http://evil.example' } },
      { headers: { origin: 'http://abcd.localhost:3000', 'sec-fetch-site': 'same-site' } },
    ];
    for (const init of refused) {
      const json = { 'content-type': 'application/json', ...init.headers };
      const responses = [
        await http.call('/api/tokens', init),
        await http.call('/api/tokens', { ...init, method: 'POST', headers: json, body: JSON.stringify(request) }),
        await http.call(`/api/tokens/${token.id}`, { ...init, method: 'DELETE' }),
      ];
      for (const response of responses) expect(await errorOf(response), JSON.stringify(init)).toMatchObject({ status: 403 });
    }
    expect(await list()).toMatchObject([{ id: token.id }]);
  });
});

describe('requireCaller', () => {
  const app = () => {
    const access = new Access({ tokens: http.stores.tokens, gateway: null, log: pino({ level: 'silent' }) });
    const guarded = new OpenAPIHono<HttpEnv>();
    guarded.onError(onError(pino({ level: 'silent' })));
    guarded.use(requireCaller(access));
    guarded.post('/mcp', (c) => c.text(c.get('caller')?.name ?? 'nobody'));
    return async (remoteAddress: string, headers: Record<string, string> = {}) => {
      const incoming = { socket: { remoteAddress } } as HttpEnv['Bindings']['incoming'];
      return await guarded.request('/mcp', { method: 'POST', headers: { host: 'localhost:3000', ...headers } }, { incoming });
    };
  };

  it('G11: sets the caller, and asks others for a token', async () => {
    const send = app();
    const { secret, token } = await create();
    expect(await (await send('127.0.0.1')).text()).toBe('this computer');
    expect(await (await send('10.0.0.1', { authorization: `Bearer ${secret}` })).text()).toBe('Claude Code');
    const anonymous = await send('10.0.0.1');
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer');
    expect(await errorOf(anonymous)).toMatchObject({ status: 401, message: expect.stringContaining('koda token create') });
    await http.call(`/api/tokens/${token.id}`, { method: 'DELETE' });
    const revoked = await send('127.0.0.1', { authorization: `Bearer ${secret}` });
    expect(await errorOf(revoked)).toMatchObject({ status: 401, message: expect.stringContaining('revoked') });
  });

  it('G11: refuses a request whose address is unknown', async () => {
    expect((await http.app.request('/api/tokens', { headers: { host: 'localhost:3000' } }, {})).status).toBe(403);
  });
});
