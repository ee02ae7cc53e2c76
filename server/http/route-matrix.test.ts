import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createdTokenSchema } from '#contract/access.ts';
import { newId } from '#contract/ids.ts';
import { type Route, routes } from '#contract/routes.ts';
import { appRoutes } from '#kinds/app/contract/routes.ts';
import { agUiRoutes } from '#kinds/assistant/contract/ag-ui.ts';
import { assistantRoutes } from '#kinds/assistant/contract/assistant.ts';
import { filmRoutes } from '#kinds/film/contract/routes.ts';
import { type HttpFixture, httpFixture, type LocalRequest, testKey } from '../../test/fixtures/http.ts';
import { newProject } from '../../test/fixtures/storage.ts';

/** Routes that a browser needs before it has signed in. */
const open = new Set<Route>([routes.ready, routes.session, routes.signIn, routes.signOut]);
/** Routes that a program's token opens for its own projects. */
const shared = new Set<Route>([routes.gitRefs, routes.gitPack, routes.renderFile, routes.liveRender]);
const table: [string, Route][] = [routes, filmRoutes, appRoutes, assistantRoutes, agUiRoutes].flatMap((rows) =>
  Object.entries<Route>(rows),
);

let http: HttpFixture;
let own: string;
let foreign: string;
/** Secrets of tokens with all scopes for one project, with all scopes for all, and of a revoked one. */
let secrets: Record<'one' | 'all' | 'revoked', string>;

beforeAll(async () => {
  http = httpFixture();
  own = (await http.stores.projects.create(newProject())).id;
  foreign = (await http.stores.projects.create(newProject())).id;
  const create = async (projects: 'all' | string[]) => {
    const response = await http.send('POST', '/api/tokens', { name: 'x', scopes: ['read', 'write', 'run', 'render'], projects });
    return createdTokenSchema.parse(await response.json());
  };
  const revoked = await create('all');
  await http.call(`/api/tokens/${revoked.token.id}`, { method: 'DELETE' });
  secrets = { one: (await create([own])).secret, all: (await create('all')).secret, revoked: revoked.secret };
});
afterAll(() => http[Symbol.dispose]());

/** Fills in the parameters of a path. Ids that are not given do not exist. */
function pathOf(route: Route, projectId: string): string {
  const known: Record<string, string> = {
    ...{ cid: newId('chk'), aid: newId('ast'), mid: newId('msg'), path: 'src/App.tsx', name: 'x', file: 'video.mp4' },
    ...{ sceneId: 'scene-1', repository: `${projectId}.git`, cursor: '0' },
  };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    if (key === 'id')
      return route.path.startsWith('/api/projects') ? projectId : newId(route.path.includes('tokens') ? 'tok' : 'rnd');
    return known[key] ?? 'x';
  });
  return route === routes.gitRefs ? `${path}?service=git-upload-pack` : path;
}

async function ask(route: Route, projectId: string, request: LocalRequest): Promise<number> {
  const method = route.method.toUpperCase();
  const hasJson = route.body !== undefined && route.body !== null;
  const headers = { ...(hasJson && { 'content-type': 'application/json' }), ...(request.headers as Record<string, string>) };
  const response = await http.call(pathOf(route, projectId), { ...request, method, headers, ...(hasJson && { body: '{}' }) });
  await response.body?.cancel();
  return response.status;
}

const bearer = (secret: string): LocalRequest => ({ headers: { authorization: `Bearer ${secret}` } });

let wrongTokens = 0;
/** A request from another loopback address each time, because the wrong tokens of one address are limited. */
function wrong(secret: string): LocalRequest {
  wrongTokens += 1;
  return { ...bearer(secret), remoteAddress: `127.1.${wrongTokens >> 8}.${wrongTokens & 255}` };
}

describe.each(table)('the route %s', (_name, route) => {
  it('H1: is closed to everybody without a key or a token, unless it is for signing in', async () => {
    const nobody: [string, LocalRequest][] = [
      ['a program on this computer', { program: true }],
      ['another computer', { remoteAddress: '10.0.0.1' }],
      ['a client of a proxy', { headers: { 'x-forwarded-for': '10.0.0.1' } }],
      ['a wrong token', wrong('koda_wrong')],
      ['a revoked token', wrong(secrets.revoked)],
      ['a key with another case', wrong(testKey.toUpperCase())],
      ['an empty cookie', { program: true, headers: { cookie: 'koda_session=' } }],
    ];
    for (const [who, request] of nobody) {
      const status = await ask(route, own, request);
      if (open.has(route)) expect(status, who).not.toBe(401);
      else expect(status, who).toBe(401);
    }
  });
});

describe.each(table.filter(([, route]) => !open.has(route)))('the closed route %s', (_name, route) => {
  it('A15: is closed to pages of other sites', async () => {
    const pages = [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://abcd.localhost:3000', 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of pages) expect(await ask(route, own, { headers: headers as Record<string, string> })).toBe(403);
  });

  it('H1: gives tokens for programs no more than MCP, videos and histories', async () => {
    if (!shared.has(route)) {
      for (const secret of [secrets.one, secrets.all]) expect(await ask(route, own, bearer(secret))).toBe(403);
      return;
    }
    expect(await ask(route, foreign, bearer(secrets.one))).toBe(404);
    expect([401, 403]).not.toContain(await ask(route, own, bearer(secrets.one)));
  });

  it('H1: opens to whoever has the key of this computer', async () => {
    expect([401, 403]).not.toContain(await ask(route, own, bearer(testKey)));
  });
});
