import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectSnapshotSchema } from '#contract/api.ts';
import { type ErrorCode, errorCodes, errorEnvelopeSchema, KodaError } from '#contract/errors.ts';
import { projectEventSchema } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import { verifyLineSchema } from '#contract/maintenance.ts';
import { eventBlocks, eventNumber } from '../../test/fixtures/event-blocks.ts';
import { type HttpFixture, httpFixture, memorySandbox, testKey } from '../../test/fixtures/http.ts';
import { newProject, testPerson } from '../../test/fixtures/storage.ts';
import { createHostPolicy } from './edge/hosts.ts';

interface Described {
  readonly responses: Record<string, { readonly content: object }>;
}

const publicHosts = createHostPolicy({
  ...{ port: () => 3000, allowedHosts: [], previewDomain: 'example.org' },
  publicUrl: 'https://example.org:8443/koda',
});

let http: HttpFixture;
beforeEach(() => {
  http = httpFixture();
});
afterEach(() => http[Symbol.dispose]());

const prompt = 'A red ball bounces three times, playful';
const create = async (body: Record<string, unknown> = {}): Promise<string> => {
  const response = await http.send('POST', '/api/projects', { prompt, start: false, ...body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
};

async function expectError(response: Response, status: number, code: ErrorCode) {
  const { error } = errorEnvelopeSchema.parse(await response.json());
  expect({ status: response.status, code: error.code }).toEqual({ status, code });
  expect(errorCodes).toContain(error.code);
  expect(error.message).not.toMatch(/\n\s+at |node_modules|\.ts:\d/);
  return error;
}

describe('access control', () => {
  it.each(['evil.example', 'localhost:4000', 'abcd.localhost:3000', '169.254.169.254'])(
    'A15: refuses the host %s',
    async (host) => {
      await expectError(await http.call('/api/projects', { headers: { host } }), 403, 'FORBIDDEN');
      await expectError(await http.call('/', { headers: { host } }), 403, 'FORBIDDEN');
    },
  );

  it.each([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://abcd.localhost:3000' },
    { origin: 'http://localhost:5173' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' },
  ])('A15: refuses what another page sends: %o', async (headers) => {
    const id = await create();
    await expectError(await http.send('POST', '/api/projects', { prompt }, headers), 403, 'FORBIDDEN');
    await expectError(await http.call(`/api/projects/${id}/stop`, { method: 'POST', headers }), 403, 'FORBIDDEN');
    await expectError(await http.call(`/api/projects/${id}`, { method: 'DELETE', headers }), 403, 'FORBIDDEN');
    await expectError(await http.call(`/api/projects/${id}/events`, { headers }), 403, 'FORBIDDEN');
  });

  it('A15: accepts the studio and programs', async () => {
    const same = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' };
    expect((await http.send('POST', '/api/projects', { prompt, start: false }, same)).status).toBe(201);
    expect((await http.send('POST', '/api/projects', { prompt, start: false })).status).toBe(201);
  });

  it('A15: accepts JSON only, which excludes forms of other pages', async () => {
    for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const response = await http.send('POST', '/api/projects', { prompt }, { 'content-type': contentType });
      await expectError(response, 415, 'UNSUPPORTED_TYPE');
    }
    const untyped = await http.call('/api/projects', { method: 'POST', body: new Blob([JSON.stringify({ prompt })]) });
    await expectError(untyped, 415, 'UNSUPPORTED_TYPE');
  });

  it('A15: sends headers that isolate the studio from previews and other pages', async () => {
    for (const path of ['/', '/api/health', '/api/nothing']) {
      const { headers } = await http.call(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain('frame-src http://*.localhost:3000;');
      expect(policy).toContain("script-src 'self';");
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('invalid input', () => {
  it('G9: the error for an empty prompt names the field', async () => {
    const error = await expectError(await http.send('POST', '/api/projects', { prompt: '   ' }), 400, 'VALIDATION_ERROR');
    expect(error.details?.['field']).toBe('prompt');
    expect(error.recovery?.action).toBe('correct_request');
  });

  it('G9: a prompt of 20,001 characters is too large', async () => {
    const error = await expectError(await http.send('POST', '/api/projects', { prompt: 'x'.repeat(20_001) }), 413, 'TOO_LARGE');
    expect(error.message).toContain('20000');
  });

  it('G9: a body of 2 MB is too large', async () => {
    await expectError(
      await http.send('POST', '/api/projects', { prompt }, { 'content-length': String(2 * 1024 * 1024) }),
      413,
      'TOO_LARGE',
    );
  });

  it('G9: rejects malformed JSON', async () => {
    const response = await http.call('/api/projects', {
      method: 'POST',
      body: '{"prompt":',
      headers: { 'content-type': 'application/json' },
    });
    await expectError(response, 400, 'BAD_REQUEST');
    await expectError(await http.call('/api/projects', { method: 'POST' }), 400, 'VALIDATION_ERROR');
  });

  it('G9: rejects unknown and malformed project ids', async () => {
    const id = newId('prj');
    await expectError(await http.call(`/api/projects/${id}`), 404, 'NOT_FOUND');
    await expectError(await http.call(`/api/projects/${id}/events`), 404, 'NOT_FOUND');
    await expectError(await http.call(`/api/projects/${id}/stop`, { method: 'POST' }), 404, 'NOT_FOUND');
    await expectError(await http.send('POST', `/api/projects/${id}/messages`, { content: 'hi' }), 404, 'NOT_FOUND');
    await expectError(await http.call('/api/projects/1'), 400, 'VALIDATION_ERROR');
  });

  it('A1 G9: an invalid transition changes nothing', async () => {
    const id = await create();
    const before = await (await http.call(`/api/projects/${id}`)).json();
    await expectError(await http.send('POST', `/api/projects/${id}/plan`, { action: 'accept' }), 409, 'INVALID_TRANSITION');
    await expectError(await http.send('POST', `/api/projects/${id}/preview`, { action: 'accept' }), 409, 'INVALID_TRANSITION');
    await expectError(await http.send('POST', `/api/projects/${id}/answer`, { text: 'smooth' }), 409, 'INVALID_TRANSITION');
    expect(await (await http.call(`/api/projects/${id}`)).json()).toEqual(before);
  });

  it('A5 A17: rejects a render before there is a film', async () => {
    const id = await create();
    const refused = await http.send('POST', `/api/projects/${id}/renders`, {});
    expect((await expectError(refused, 409, 'INVALID_TRANSITION')).recovery?.action).toBe('accept_plan');
    for (const durationSeconds of [0, -1, 3 * 3600, '5']) {
      const response = await http.send('POST', `/api/projects/${id}/renders`, { durationSeconds });
      expect((await expectError(response, 400, 'VALIDATION_ERROR')).details?.['field']).toBe('durationSeconds');
    }
    await expectError(await http.call(`/api/renders/${newId('rnd')}`), 404, 'NOT_FOUND');
  });

  it('G9: reports the problem of an invalid command', async () => {
    const id = await create();
    const error = await expectError(
      await http.send('POST', `/api/projects/${id}/plan`, { action: 'burn' }),
      400,
      'VALIDATION_ERROR',
    );
    expect(error.details?.['field']).toBe('action');
    await expectError(await http.send('POST', `/api/projects/${id}/answer`, {}), 400, 'VALIDATION_ERROR');
  });

  it('G9: returns 404 for unknown paths and 405 for wrong methods', async () => {
    await expectError(await http.call('/api/nothing'), 404, 'NOT_FOUND');
    await expectError(await http.call('/api/projects/x/y/z', { method: 'DELETE' }), 404, 'NOT_FOUND');
    const response = await http.call('/api/health', { method: 'DELETE' });
    expect(response.headers.get('allow')).toBe('GET');
    await expectError(response, 405, 'METHOD_NOT_ALLOWED');
    await expectError(await http.send('PUT', '/api/projects', {}), 405, 'METHOD_NOT_ALLOWED');
  });

  it('G9: an internal error reveals only a request id', async () => {
    using broken = httpFixture({
      health: () => Promise.reject(new Error('password=hunter2')),
    });
    const response = await broken.call('/api/health');
    const error = await expectError(response, 500, 'INTERNAL_ERROR');
    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(error.details?.['requestId']).toBe(response.headers.get('x-request-id'));
  });

  it('G9: says when to retry', async () => {
    http.closing.abort();
    const response = await http.call('/api/ready');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectError(response, 503, 'SERVICE_UNAVAILABLE');
  });
});

describe('projects', () => {
  it('A1: creates, reads, renames, lists, searches and deletes', async () => {
    const ids = [];
    for (const name of ['Ball', 'Cube', 'Balloon']) ids.push(await create({ name }));
    const snapshot = (await (await http.call(`/api/projects/${ids[0]}`)).json()) as {
      project: Record<string, unknown>;
      seq: number;
    };
    expect(snapshot.project).toMatchObject({ name: 'Ball', phase: 'idle', prompt });
    expect(snapshot.project).not.toHaveProperty('previewLabel');

    const first = (await (await http.call('/api/projects?limit=2')).json()) as { items: { name: string }[]; nextCursor: string };
    const second = (await (
      await http.call(`/api/projects?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)
    ).json()) as typeof first;
    expect([...first.items, ...second.items].map((item) => item.name)).toEqual(['Balloon', 'Cube', 'Ball']);
    expect(second.nextCursor).toBeNull();
    const found = (await (await http.call('/api/projects?search=ball')).json()) as typeof first;
    expect(found.items.map((item) => item.name)).toEqual(expect.arrayContaining(['Ball', 'Balloon']));
    await expectError(await http.call('/api/projects?limit=1000'), 400, 'VALIDATION_ERROR');

    expect(await (await http.send('PATCH', `/api/projects/${ids[1]}`, { name: 'Box' })).json()).toMatchObject({ name: 'Box' });
    expect((await http.call(`/api/projects/${ids[1]}`, { method: 'DELETE' })).status).toBe(200);
    await expectError(await http.call(`/api/projects/${ids[1]}`), 404, 'NOT_FOUND');
  });

  it('T17: reports model usage as the contract describes it', async () => {
    const id = await create();
    const usage = async () => projectSnapshotSchema.parse(await (await http.call(`/api/projects/${id}`)).json()).usage;
    expect(await usage()).toEqual({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 });
    const told = { type: 'usage', inputTokens: 100, cachedInputTokens: 60, outputTokens: 10, costUsd: 0.25 } as const;
    await http.stores.projects.record(id, [told, { type: 'thinking', text: null }], { by: testPerson });
    await http.stores.projects.record(id, [told], { by: testPerson });
    expect(await usage()).toEqual({ inputTokens: 200, cachedInputTokens: 120, outputTokens: 20, costUsd: 0.5 });
    const document = JSON.stringify((await (await http.call('/api/openapi.json')).json()) as object);
    expect(document).toContain('"usage":{"type":"object","properties":{"inputTokens"');
  });

  it('G9: creates a project once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'k-1' };
    const first = await http.send('POST', '/api/projects', { prompt, start: false }, headers);
    const again = await http.send('POST', '/api/projects', { prompt, start: false }, headers);
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await again.json()).toEqual(await first.json());
    await expectError(await http.send('POST', '/api/projects', { prompt: 'Another', start: false }, headers), 409, 'CONFLICT');
    const { items } = (await (await http.call('/api/projects')).json()) as { items: unknown[] };
    expect(items).toHaveLength(1);
  });

  it('G9: a rejected request does not consume its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'k-2' };
    await expectError(await http.send('POST', '/api/projects', { prompt: '' }, headers), 400, 'VALIDATION_ERROR');
    expect((await http.send('POST', '/api/projects', { prompt, start: false }, headers)).status).toBe(201);
  });
});

describe('data check', () => {
  it('A22: streams progress and ends with the report; rejects other origins', async () => {
    const response = await http.call('/api/verify', { method: 'POST' });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => verifyLineSchema.parse(JSON.parse(line)));
    expect(lines[0]).toEqual({ type: 'progress', progress: { step: 'database', done: 0, total: 1, projectId: null } });
    expect(lines.at(-1)).toMatchObject({ type: 'report', report: { damage: [] } });
    const foreign = await http.call('/api/verify', { method: 'POST', headers: { origin: 'https://evil.example' } });
    await expectError(foreign, 403, 'FORBIDDEN');
  });

  it('M14, L8: backups and checks need POST, so a page can neither start them with an image nor with HEAD', async () => {
    for (const path of ['/api/backup', '/api/verify']) {
      for (const method of ['GET', 'HEAD']) {
        const refused = await http.call(path, { method });
        expect([refused.status, refused.headers.get('allow')], `${method} ${path}`).toEqual([405, 'POST']);
      }
      const message = `${path} does not support GET. Use POST.`;
      expect(await (await http.call(path)).json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED', message } });
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await http.call(path, { method: 'POST', headers: form, body: 'a=b' })).status).toBe(415);
      const foreign = await http.call(path, { method: 'POST', headers: { origin: 'https://evil.example' } });
      await expectError(foreign, 403, 'FORBIDDEN');
    }
  });

  it('A22: a failure or server shutdown is the last line', async () => {
    const failing = [new KodaError('STORAGE_FULL', 'No room.'), new Error('secret')];
    const verify = async () => {
      throw failing.shift();
    };
    using other = httpFixture({ maintenance: { backup: () => Promise.reject(new Error('none')), verify } });
    const last = async () =>
      verifyLineSchema.parse(JSON.parse(await (await other.call('/api/verify', { method: 'POST' })).text()));
    expect(await last()).toMatchObject({ type: 'error', error: { code: 'STORAGE_FULL', message: 'No room.' } });
    expect(JSON.stringify(await last())).toMatch(/^(?!.*secret).*INTERNAL_ERROR/);
    other.closing.abort();
    expect(await last()).toMatchObject({ type: 'error', error: { code: 'SERVICE_UNAVAILABLE' } });
  });
});

describe('events', () => {
  const record = (id: string, text: string) => http.stores.projects.record(id, [{ type: 'thinking', text }], { by: testPerson });
  async function* blocksOf({ body }: Response): AsyncGenerator<string, void, void> {
    if (body !== null) yield* eventBlocks(body.pipeThrough(new TextDecoderStream()));
  }

  async function numbers(response: Response, count: number): Promise<number[]> {
    const seen: number[] = [];
    for await (const block of blocksOf(response)) {
      const number = eventNumber(block);
      if (number !== null) seen.push(number);
      if (seen.length >= count) break;
    }
    return seen;
  }

  it('A20: resumes anywhere without loss or repeats, by header and by query', async () => {
    const id = await create();
    const total = 120;
    // Written while the stream is being read, so that replay and live delivery overlap.
    const writing = (async () => {
      for (let step = 1; step <= total; step++) {
        await record(id, `step ${step}`);
        if (step % 3 === 0) await turn();
      }
    })();
    const all: number[] = [];
    while (all.length < total) {
      const last = all.at(-1) ?? 0;
      const response = await http.call(`/api/${last % 2 ? 'nodes' : 'projects'}/${id}/events`, {
        headers: { 'last-event-id': String(last) },
      });
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      all.push(...(await numbers(response, 1 + (all.length % 7))));
    }
    await writing;
    expect(all).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    const byQuery = await http.call(`/api/projects/${id}/events?after=10`);
    expect(await numbers(byQuery, 3)).toEqual([11, 12, 13]);
    const both = await http.call(`/api/projects/${id}/events?after=10`, { headers: { 'last-event-id': '12' } });
    expect(await numbers(both, 2)).toEqual([13, 14]);
  });

  it('A20: one stream follows several projects from their own sequence numbers, and reports deleted ones', async () => {
    const [one, two, three] = [await create(), await create(), await create()];
    for (const text of ['a', 'b', 'c']) await record(one, text);
    await record(two, 'd');
    const unknown = newId('prj');
    const follow = [`${one}:1`, `${two}:9`, `${three}:0`, `${unknown}:0`].map((part) => `follow=${part}`).join('&');
    const response = await http.call(`/api/events?${follow}`);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const seen: string[] = [];
    for await (const block of blocksOf(response)) {
      expect(block).not.toMatch(/^id:/m);
      const data = /^data: (.+)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      const event = JSON.parse(data) as { type: string; projectId: string; seq?: number };
      seen.push([[one, two, three, unknown].indexOf(event.projectId), event.type, event.seq ?? ''].join(' '));
      // Events during the read are delivered too, and deleting one project does not end the stream.
      if (seen.length === 4) await record(three, 'e');
      if (seen.length === 5) http.stores.bus.end(three);
      if (seen.length >= 6) break;
    }
    expect(seen.slice(0, 2).sort()).toEqual(['1 reset 1', '3 gone ']);
    expect(seen.slice(2, 4)).toEqual(['0 thinking 2', '0 thinking 3']);
    expect(seen.slice(4)).toEqual(['2 thinking 1', '2 gone ']);
  });

  it('A20: rejects a stream of invalid or too many projects', async () => {
    for (const query of ['follow=prj_x:1', `follow=${newId('prj')}`, `follow=${newId('prj')}:-1`]) {
      await expectError(await http.call(`/api/events?${query}`), 400, 'VALIDATION_ERROR');
    }
    const many = Array.from({ length: 33 }, () => `follow=${newId('prj')}:0`).join('&');
    await expectError(await http.call(`/api/events?${many}`), 400, 'VALIDATION_ERROR');
  });

  it.each([
    ['is ahead of the server', '99', 'has fewer events'],
    ['brings the id of another server', '0f3c-7', 'not come from this server'],
    ['brings a number that cannot be', '-1', 'not come from this server'],
    ['was away for so long that events are gone', '1', 'no longer stored'],
  ])('A20: a client that %s gets a reset with a snapshot, and then what follows', async (_, lastEventId, reason) => {
    const id = await create();
    for (const text of ['one', 'two', 'three', 'four']) await record(id, text);
    http.stores.database.sqlite.prepare('DELETE FROM events WHERE project_id = ? AND seq = 2').run(id);
    const response = await http.call(`/api/projects/${id}/events`, { headers: { 'last-event-id': lastEventId } });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const [, frame = ''] = /\nid: 4\nevent: reset\ndata: (.+)\n\n$/.exec((await reader?.read())?.value ?? '') ?? [];
    const reset = projectEventSchema.parse(JSON.parse(frame));
    expect(reset).toMatchObject({
      seq: 4,
      type: 'reset',
      reason: expect.stringContaining(reason),
      snapshot: { seq: 4, project: { id, thinking: 'four' } },
    });
    await record(id, 'five');
    expect((await reader?.read())?.value).toMatch(/^id: 5\nevent: thinking\n/);
    await reader?.cancel();
  });

  it('A20: an up-to-date client continues even if old events were pruned', async () => {
    const id = await create();
    for (const text of ['one', 'two', 'three']) await record(id, text);
    http.stores.database.sqlite.prepare('DELETE FROM events WHERE project_id = ? AND seq <= 2').run(id);
    expect(await numbers(await http.call(`/api/projects/${id}/events?after=2`), 1)).toEqual([3]);
    const atTheEnd = numbers(await http.call(`/api/projects/${id}/events?after=3`), 1);
    await record(id, 'four');
    expect(await atTheEnd).toEqual([4]);
  });

  it('A20: heartbeats keep an idle stream alive', async () => {
    using quick = httpFixture({ heartbeatMs: 15 });
    const made = await quick.send('POST', '/api/projects', { prompt, start: false });
    const { id } = (await made.json()) as { id: string };
    const reader = (await quick.call(`/api/projects/${id}/events`)).body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    expect((await reader?.read())?.value).toMatch(/^: /);
    await reader?.cancel();
  });

  it('G9: rejects invalid sequence numbers', async () => {
    const id = await create();
    await expectError(await http.call(`/api/projects/${id}/events?after=-1`), 400, 'VALIDATION_ERROR');
    await expectError(await http.call(`/api/projects/${id}/events?after=abc`), 400, 'VALIDATION_ERROR');
  });
});

describe('studio', () => {
  it('reports that the studio is not built', async () => {
    const response = await http.call('/');
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('not built');
  });

  it('A15: serves the built page, its files with long caching, and the start page for client routes', async () => {
    mkdirSync(join(http.webDir, 'assets'));
    writeFileSync(join(http.webDir, 'index.html'), '<title>Koda</title>');
    writeFileSync(join(http.webDir, 'assets', 'main-abc123.js'), 'export {}');
    for (const path of ['/', '/projects/x']) {
      const page = await http.call(path);
      expect([page.status, await page.text(), page.headers.get('cache-control')]).toEqual([
        200,
        '<title>Koda</title>',
        'no-cache',
      ]);
    }
    const script = await http.call('/assets/main-abc123.js');
    expect(script.headers.get('content-type')).toContain('javascript');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect((await http.call('/assets/gone.js')).status).toBe(404);
    expect((await http.call('/..%2f..%2fkoda.db')).headers.get('content-type')).toContain('text/html');
    await expectError(await http.call('/api/nothing'), 404, 'NOT_FOUND');
  });

  it('F2: below a path, the page names it, and API documents the public address', async () => {
    using koda = httpFixture({ hosts: publicHosts });
    mkdirSync(join(koda.webDir, 'assets'));
    writeFileSync(join(koda.webDir, 'index.html'), '<base href="/" /><title>Koda</title>');
    for (const path of ['/', '/p/x']) {
      const page = await koda.call(path, { headers: { host: 'example.org:8443' } });
      expect(await page.text()).toBe('<base href="/koda/" /><title>Koda</title>');
      expect(page.headers.get('cache-control')).toBe('no-cache');
      expect(page.headers.get('content-security-policy')).toContain("base-uri 'self'");
      expect(page.headers.get('content-security-policy')).toContain('frame-src https://*.example.org:8443;');
    }
    const document = await (await koda.call('/api/openapi.json')).json();
    expect(document).toMatchObject({ servers: [{ url: 'https://example.org:8443/koda' }] });
    expect(await (await koda.call('/docs')).text()).toContain('href="/koda/api/openapi.json"');
    expect(await (await http.call('/api/openapi.json')).json()).not.toHaveProperty('servers');
  });

  it('F2: a preview opens at the public scheme and port', async () => {
    using koda = httpFixture({ hosts: publicHosts });
    const { id, previewLabel } = await koda.stores.projects.create(newProject());
    const headers = { host: 'example.org:8443' };
    const opened = await koda.call(`/proxy/${id}/a`, { headers: { ...headers, authorization: `Bearer ${testKey}` } });
    expect(opened.headers.get('location')).toMatch(new RegExp(`^https://${previewLabel}\\.example\\.org:8443/koda-launch/`));
  });

  it('G9: documents every route', async () => {
    const document = (await (await http.call('/api/openapi.json')).json()) as { paths: Record<string, Record<string, unknown>> };
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = http.app.routes
      .filter(
        (route) => route.method !== 'ALL' && /^\/(api|storage|git)\//.test(route.path) && route.path !== '/api/openapi.json',
      )
      .map((route) => `${route.method} ${route.path.replaceAll(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`);
    expect(new Set(served)).toEqual(new Set(routes));
    const answersOf = (path: string) => {
      const post = document.paths[path]?.['post'] as Described | undefined;
      return Object.keys(post?.responses['200']?.content ?? {});
    };
    expect(answersOf('/api/backup')).toEqual(['application/x-tar']);
    expect(answersOf('/api/verify')).toEqual(['application/x-ndjson']);
    const page = await (await http.call('/docs')).text();
    expect(page).toContain('/api/projects/{id}/messages');
    expect(page).not.toMatch(/<script|https?:\/\/(?!localhost)/);
  });

  it('A15: the path form of a preview only redirects to its origin', async () => {
    const id = await create();
    const { previewLabel } = await http.stores.projects.get(id);
    const response = await http.call(`/proxy/${id}/a/b?c=1`);
    expect(response.status).toBe(302);
    const launch = new RegExp(`^http://${previewLabel}\\.localhost:3000/koda-launch/[\\w-]{43}/a/b\\?c=1$`);
    expect(response.headers.get('location')).toMatch(launch);
    const hostile = await http.call(`/proxy/${id}//evil.example`);
    expect(new URL(hostile.headers.get('location') ?? '').host).toBe(`${previewLabel}.localhost:3000`);
  });

  it('H3: no other page opens a preview in its own tab', async () => {
    const id = await create();
    for (const site of ['cross-site', 'same-site']) {
      await expectError(await http.call(`/proxy/${id}/`, { headers: { 'sec-fetch-site': site } }), 403, 'FORBIDDEN');
    }
    for (const site of ['same-origin', 'none']) {
      expect((await http.call(`/proxy/${id}/`, { headers: { 'sec-fetch-site': site } })).status).toBe(302);
    }
  });

  it('A22: saves from the sandbox that a file was written to; acknowledges nothing if that one died', async () => {
    const dead = new KodaError('SANDBOX_DEAD', 'The sandbox stopped.', { recovery: 'retry' });
    const sandbox = memorySandbox(newId('prj'), new Map());
    let asked: unknown = null;
    using other = httpFixture({
      sandboxes: {
        find: async () => sandbox,
        projectOf: () => null,
        restart: async () => undefined,
        remove: async () => undefined,
      },
      checkpoints: {
        save: async (_projectId, _trigger, options) => {
          asked = options.sandbox;
          throw dead;
        },
      },
    });
    const made = await other.send('POST', '/api/projects', { prompt, start: false });
    const { id } = (await made.json()) as { id: string };
    const written = await other.call(`/api/projects/${id}/files/src/a.ts`, { method: 'PUT', body: 'x' });
    await expectError(written, 502, 'SANDBOX_DEAD');
    expect(asked).toBe(sandbox);
  });
});
