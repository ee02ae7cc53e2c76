import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxTokens, type TokenRequest } from '#contract/access.ts';
import { tempStores } from '../../test/fixtures/storage.ts';
import { Access } from './access.ts';

const log = pino({ level: 'silent' });
const request: TokenRequest = { name: 'Claude Code', scopes: ['read', 'render'], projects: 'all', expiresAt: null };
const localKey = 'koda_local_0123456789';
const accessToken = 'the token of the operator';
const projectId = 'prj_0123456789abcdefghjk';

let stores: ReturnType<typeof tempStores>;
let now: number;
let access: Access;
beforeEach(() => {
  stores = tempStores();
  now = Date.parse('2026-01-02T03:04:05.000Z');
  access = new Access({
    tokens: stores.tokens,
    gateway: null,
    localKey,
    sessionKey: 'session',
    accessToken: null,
    log,
    now: () => now,
  });
});
afterEach(() => stores[Symbol.dispose]());

const call = (authorization: string | null, remoteAddress: string | null = '10.0.0.1') =>
  access.authenticate({
    remoteAddress,
    headers: new Headers({
      host: 'localhost:3000',
      'sec-fetch-site': 'same-origin',
      ...(authorization !== null && { authorization }),
    }),
  });

describe('access', () => {
  it('G11: gives a token its name, scopes and projects, from any address', () => {
    const { secret, token } = access.create({ ...request, projects: [projectId] });
    for (const address of ['10.0.0.1', '127.0.0.1', null])
      expect(call(`Bearer ${secret}`, address)).toEqual({
        type: 'program',
        id: token.id,
        name: 'Claude Code',
        scopes: new Set(['read', 'render']),
        projects: new Set([projectId]),
      });
    expect(call(`bearer  ${secret} `)?.name).toBe('Claude Code');
  });

  it('G11: gives the studio’s page on this computer all rights without a token, and nobody else', () => {
    expect(call(null, '127.0.0.1')).toEqual({
      type: 'person',
      id: 'local',
      name: 'Local user',
      scopes: new Set(['read', 'write', 'run', 'render']),
      projects: 'all',
    });
    expect(call(null)).toBeNull();
    expect(call(null, null)).toBeNull();
  });

  it('H2, M5: gives programs that know the key of this computer all rights, and others none', () => {
    for (const authorization of [`Bearer ${localKey}`, `Basic ${Buffer.from(`git:${localKey}`).toString('base64')}`])
      expect(call(authorization)?.type).toBe('person');
    for (const wrong of [`${localKey}x`, localKey.slice(0, -1), localKey.toUpperCase()])
      expect(call(`Bearer ${wrong}`, '127.0.0.1')).toBeNull();
    const headers = new Headers({ host: 'localhost:3000' });
    expect(access.authenticate({ remoteAddress: '127.0.0.1', headers })).toBeNull();
  });

  it('H1: asks everybody for the access token if there is one, browsers on this computer included', () => {
    const strict = new Access({ tokens: stores.tokens, gateway: null, localKey, sessionKey: 'session', accessToken, log });
    const from = (headers: Record<string, string>) =>
      strict.authenticate({
        remoteAddress: '127.0.0.1',
        headers: new Headers({ host: 'localhost:3000', 'sec-fetch-site': 'same-origin', ...headers }),
      });
    expect(from({})).toBeNull();
    expect(from({ authorization: `Bearer ${accessToken.replaceAll(' ', '-')}` })).toBeNull();
    expect(strict.sessionOf('wrong')).toBeNull();
    const session = strict.sessionOf(accessToken);
    expect(session).not.toContain(accessToken);
    expect(from({ cookie: `a=b; koda_session=${session}; c=d` })?.type).toBe('person');
    for (const cookie of [
      'koda_session=',
      'koda_session',
      `x_koda_session=${session}`,
      `koda_session=${session}x`,
      `koda_session=${accessToken}`,
    ])
      expect(from({ cookie }), cookie).toBeNull();
    expect(from({ authorization: `Bearer ${localKey}` })?.type).toBe('person');
    // Another token makes the cookies of the one before worthless.
    const renewed = new Access({
      tokens: stores.tokens,
      gateway: null,
      localKey,
      sessionKey: 'session',
      accessToken: `${accessToken}2`,
      log,
    });
    const headers = new Headers({ cookie: `koda_session=${session}` });
    expect(renewed.authenticate({ remoteAddress: '127.0.0.1', headers })).toBeNull();
    // Without an access token, no cookie counts.
    expect(access.sessionOf(accessToken)).toBeNull();
  });

  it.each(['Bearer koda_wrong', 'Bearer', 'Bearer ', 'Basic a29kYTprb2Rh', '', `Bearer ${'x'.repeat(10_000)}`, 'Bearer a b'])(
    'G11: refuses the authorization “%s” also on this computer',
    (authorization) => {
      access.create(request);
      expect(call(authorization, '127.0.0.1')).toBeNull();
      expect(call(authorization)).toBeNull();
    },
  );

  it('G11: stores no secret, and secrets have 256 random bits', () => {
    const { secret, token } = access.create(request);
    expect(Buffer.from(secret.replace('koda_', ''), 'base64url')).toHaveLength(32);
    const stored = JSON.stringify(stores.database.sqlite.prepare('SELECT * FROM tokens').all());
    expect(stored).toContain(token.id);
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(secret.slice(5, 25));
    expect(JSON.stringify(access.list())).not.toMatch(/hash|koda_/);
    const [hash] = stores.database.sqlite.prepare('SELECT hash FROM tokens').pluck().all();
    expect(call(`Bearer ${String(hash)}`)).toBeNull();
  });

  it('G11: refuses a revoked token at once', () => {
    const [kept, revoked] = [access.create(request), access.create(request)];
    expect(call(`Bearer ${revoked.secret}`)).not.toBeNull();
    expect(access.isStillValid(revoked.token)).toBe(true);
    access.revoke(revoked.token.id);
    expect([revoked.token, kept.token, { id: 'local' }].map((caller) => access.isStillValid(caller))).toEqual([
      false,
      true,
      true,
    ]);
    expect(call(`Bearer ${revoked.secret}`)).toBeNull();
    expect(call(`Bearer ${kept.secret}`)).not.toBeNull();
    expect(access.list().map(({ id }) => id)).toEqual([kept.token.id]);
    expect(() => access.revoke(revoked.token.id)).toThrow('no such token');
  });

  it('G11: refuses a token from the moment at which it expires', () => {
    const { secret, token } = access.create({ ...request, expiresAt: new Date(now + 1000).toISOString() });
    now += 999;
    expect(call(`Bearer ${secret}`)).not.toBeNull();
    expect(access.isStillValid(token)).toBe(true);
    now += 1;
    expect(call(`Bearer ${secret}`)).toBeNull();
    expect(access.isStillValid(token)).toBe(false);
    expect(() => access.create({ ...request, expiresAt: new Date(now).toISOString() })).toThrow('already have expired');
  });

  it('G11: records when a token was last used, at most once a minute', () => {
    const { secret } = access.create(request);
    const lastUsed = () => access.list()[0]?.lastUsedAt;
    expect(lastUsed()).toBeNull();
    call(`Bearer ${secret}`);
    const first = new Date(now).toISOString();
    expect(lastUsed()).toBe(first);
    now += 59_999;
    call(`Bearer ${secret}`);
    expect(lastUsed()).toBe(first);
    now += 1;
    call(`Bearer ${secret}`);
    expect(lastUsed()).toBe(new Date(now).toISOString());
  });

  it('G11: a token works while its use cannot be recorded', () => {
    const warnings: string[] = [];
    const warn = (_fields: unknown, message?: string) => void warnings.push(message ?? '');
    const reading = new Access({
      tokens: stores.tokens,
      gateway: null,
      localKey,
      sessionKey: 'session',
      accessToken: null,
      log: { warn },
      now: () => now,
    });
    const { secret } = reading.create(request);
    stores.database.sqlite.pragma('query_only = ON');
    const headers = new Headers({ authorization: `Bearer ${secret}` });
    expect(reading.authenticate({ headers, remoteAddress: null })?.name).toBe('Claude Code');
    expect(warnings).toEqual(['failed to record the use of a token']);
  });

  it('G11: limits the number of tokens', () => {
    for (let index = 0; index < maxTokens; index++) access.create(request);
    expect(() => access.create(request)).toThrow('Revoke');
    expect(access.list()).toHaveLength(maxTokens);
  });

  it('G11: no header lets another address in without a token', () => {
    access.create(request);
    const name = fc.constantFrom('host', 'authorization', 'forwarded', 'x-forwarded-for', 'x-real-ip', 'via', 'origin', 'cookie');
    const value = fc.oneof(
      fc.constantFrom(
        '127.0.0.1',
        'localhost:3000',
        'for=127.0.0.1',
        'Bearer ',
        'Bearer null',
        'Bearer undefined',
        'this computer',
      ),
      fc.stringMatching(/^[!-~]{0,40}$/),
      fc.base64String().map((text) => `Bearer koda_${text}`),
    );
    const address = fc
      .oneof(fc.ipV4(), fc.constantFrom('::ffff:10.0.0.1', 'fe80::1', ''))
      .filter((text) => !text.startsWith('127.'));
    fc.assert(
      fc.property(address, fc.array(fc.tuple(name, value)), (remoteAddress, headers) => {
        expect(access.authenticate({ remoteAddress, headers: new Headers(headers) })).toBeNull();
      }),
      { numRuns: 1000 },
    );
  });
});
