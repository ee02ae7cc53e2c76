import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { healthResponseSchema, modelChecksSchema, type ProjectSnapshot } from '#contract/api.ts';
import type { ProjectEvent } from '#contract/events.ts';
import { foundServersSchema, modelTestLineSchema } from '#contract/model-servers.ts';
import type { Project } from '#contract/project.ts';
import { modelSettingsSchema, settingsSchema } from '#contract/settings.ts';
import { readLocalKey } from '../../server/access/local-key.ts';
import { StudioClient } from '../../server/cli/client.ts';
import { readConfig } from '../../server/lib/config.ts';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { leadingModel, planOf } from '../fixtures/leading-model.ts';
import { type Answer, startModelServer } from '../fixtures/model-server.ts';

const canary = 'sk-canary-0123456789abcdef';
const lead = leadingModel({ asksFirst: false, plan: () => planOf(['Only']) });

/** Returns a project's events after `after`, up to the first match. */
async function eventsUntil(
  studio: TestStudio,
  id: string,
  isLast: (event: ProjectEvent) => boolean,
  after = 0,
): Promise<ProjectEvent[]> {
  const events: ProjectEvent[] = [];
  for await (const event of new StudioClient(studio.url, () => readLocalKey(studio.dataDir)).events(id, {
    afterSeq: after,
    signal: AbortSignal.timeout(600_000),
  })) {
    events.push(event);
    if (isLast(event)) break;
  }
  return events;
}
const isGate = (event: ProjectEvent) => event.type === 'run.finished';
const newProject = (studio: TestStudio) =>
  studio.send<Project>('POST', '/api/projects', { prompt: 'A green cube spins, smooth', style: 'smooth' });

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* filesIn(join(folder, entry.name));
    else if (entry.isFile()) yield join(folder, entry.name);
  }
}

/** A log that stores every line. */
function keptLog() {
  const lines: string[] = [];
  return { lines, log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) };
}

describe('the model on the settings page', () => {
  it('V6: a stored key appears in no response, event, error, log, backup or other file', async () => {
    let told: Answer | null = null;
    await using server = await startModelServer((request) => {
      if (told !== null) return told;
      const answer = lead(request);
      // A service may repeat secrets in anything that it sends.
      return { ...answer, thinking: `My key is ${canary}.`, text: `It is ${canary}!`, fragment: 5 };
    });
    const { lines: logged, log } = keptLog();
    await using studio = await startTestStudio({}, log);
    const seen: string[] = [];
    const ask = async (method: string, path: string, body?: unknown): Promise<Response> => {
      const headers = { 'content-type': 'application/json' };
      const response = await studio.call(path, {
        method,
        ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
      });
      seen.push(JSON.stringify([...response.headers]), await response.clone().text());
      return response;
    };
    const wanted = { provider: 'server', baseUrl: server.url, orchestrator: 'claude-sonnet-5-5', apiKey: canary };

    const lines = (await (await ask('POST', '/api/settings/model/test', wanted)).text()).trim().split('\n');
    const last = modelTestLineSchema.parse(JSON.parse(lines.at(-1) ?? ''));
    expect(last).toMatchObject({
      type: 'report',
      test: {
        model: 'claude-sonnet-5-5',
        steps: expect.arrayContaining([expect.objectContaining({ id: 'answers', state: 'good' })]),
      },
    });
    // A test call stores nothing.
    expect(settingsSchema.parse(await (await ask('GET', '/api/settings')).json()).model).toMatchObject({
      provider: 'director',
      keyFor: null,
    });
    const saved = modelSettingsSchema.parse(await (await ask('PUT', '/api/settings/model', wanted)).json());
    expect(saved).toMatchObject({ provider: 'server', keyFor: server.url, current: { kind: 'anthropic' } });
    expect(server.keys.at(-1)).toContain(canary);

    for (const [code, message] of [
      [401, `${canary} is not valid`],
      [500, `upstream ${canary} failed`],
      [400, `x-api-key: ${canary}`],
      [404, `no model for ${canary}`],
    ] as const) {
      told = { status: { code, type: 'api_error', message } };
      const { models } = modelChecksSchema.parse(await (await ask('POST', '/api/models/check', {})).json());
      expect(models).toMatchObject([{ ok: false, detail: expect.stringContaining('[removed]') }]);
      await ask('POST', '/api/settings/model/test', wanted);
    }
    told = null;
    for (const wrong of [
      { ...wanted, baseUrl: `http://x:${canary}@box` },
      { ...wanted, apiKey: `${canary} x` },
      { ...wanted, orchestrator: '' },
      { ...wanted, provider: canary },
    ]) {
      expect((await ask('PUT', '/api/settings/model', wrong)).status).toBe(400);
    }

    const { id } = await newProject(studio);
    const events = await eventsUntil(studio, id, isGate);
    expect(events.filter(({ type }) => type === 'plan.proposed')).toHaveLength(1);
    seen.push(JSON.stringify(events));
    for (const path of [`/api/projects/${id}`, '/api/settings', '/api/health', '/api/about', '/api/openapi.json'])
      await ask('GET', path);
    const backup = Buffer.from(await (await studio.call('/api/backup', { method: 'POST' })).arrayBuffer());
    expect(backup.length).toBeGreaterThan(1000);

    // The server removes its copy of the database after the last byte.
    await expect.poll(() => readdirSync(studio.dataDir).filter((name) => name.startsWith('.backup-'))).toEqual([]);
    const kept = [...filesIn(studio.dataDir)].filter((path) => readFileSync(path).includes(canary));
    expect(kept).toEqual([join(studio.dataDir, 'models.json')]);
    expect(statSync(kept[0] ?? '').mode & 0o777).toBe(0o600);
    expect(backup.includes(canary)).toBe(false);
    expect(seen.join('\n')).not.toContain(canary);
    expect(logged.join('\n')).not.toContain(canary);
    // The change itself is logged.
    expect(logged.filter((line) => line.includes('"audit":"settings.model"'))).toEqual([
      expect.stringMatching(new RegExp(`"baseUrl":"${server.url}".*"key":"set"`)),
    ]);
    // A key was redacted somewhere, so this test could fail.
    expect(JSON.stringify(events)).toContain('[removed]');
  });

  it('V6: accepts settings only as JSON, and from no other page', async () => {
    await using studio = await startTestStudio();
    const body = JSON.stringify({ provider: 'server', baseUrl: 'http://evil.example', orchestrator: 'x' });
    const json = { 'content-type': 'application/json' };
    for (const [method, path] of [
      ['PUT', '/api/settings/model'],
      ['POST', '/api/settings/model/test'],
      ['DELETE', '/api/settings/model/key'],
    ] as const) {
      const send = async (headers: Record<string, string>) =>
        (await studio.call(path, { method, headers, ...(method === 'DELETE' ? {} : { body }) })).status;
      expect(await send({ ...json, origin: 'http://evil.example' })).toBe(403);
      expect(await send({ ...json, 'sec-fetch-site': 'cross-site' })).toBe(403);
      if (method !== 'DELETE') expect(await send({ 'content-type': 'text/plain' })).toBe(415);
    }
    for (const path of ['/api/settings', '/api/settings/model/servers'])
      expect((await studio.call(path, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await studio.send<{ provider: string }>('PUT', '/api/settings/model', JSON.parse(body))).provider).toBe('server');
  });

  it('X2: finds a server on this computer, unless the environment sets the connection', async () => {
    await using server = await startModelServer(lead, { '/v1/models': { data: [{ id: 'hearth', max_model_len: 8_192 }] } });
    const places = [{ kind: 'vllm', addresses: [server.url] }] as const;
    const found = async (studio: TestStudio) =>
      foundServersSchema.parse(await studio.send('GET', '/api/settings/model/servers')).servers;
    await using open = await startTestStudio({}, null, places);
    expect(await found(open)).toMatchObject([
      { kind: 'vllm', address: server.url, models: [{ name: 'hearth', contextTokens: 8_192 }] },
    ]);
    const models = readConfig({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:9', KODA_MODEL: 'x' }).models;
    await using fixed = await startTestStudio({ models }, null, places);
    expect(await found(fixed)).toEqual([]);
  });

  it('X2: the next run uses the new model, and the running one keeps its own', async () => {
    await using first = await startModelServer((request) => ({ ...lead(request), dripMs: 40 }));
    await using second = await startModelServer(lead);
    const { log } = keptLog();
    await using studio = await startTestStudio({}, log);
    const use = (baseUrl: string) =>
      studio.send('PUT', '/api/settings/model', { provider: 'server', baseUrl, orchestrator: 'claude-sonnet-5-5' });
    await use(first.url);
    const { id } = await newProject(studio);
    while (first.requests.length === 0) await new Promise((wake) => setTimeout(wake, 20));
    await use(second.url);
    const events = await eventsUntil(studio, id, isGate);
    expect(events.some(({ type }) => type === 'plan.proposed')).toBe(true);
    expect(second.requests).toHaveLength(0);

    const { seq } = await studio.send<ProjectSnapshot>('GET', `/api/projects/${id}`);
    await studio.send('POST', `/api/projects/${id}/plan`, { action: 'changes', feedback: 'shorter' });
    await eventsUntil(studio, id, isGate, seq);
    expect(second.requests.length).toBeGreaterThan(0);
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });

  it('F7: after a model has called every request too long, the next run asks it again', async () => {
    let isBroken = true;
    const refusal = { status: { code: 400, type: 'invalid_request_error', message: 'context length exceeded' } };
    const title = { text: 'A green cube', emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] };
    const film = { title: 'Cube', style: 'smooth', theme: 'paper', aspect: '16:9', caveat: null };
    const call = { name: 'write_film', input: { ...film, scenes: [{ type: 'title', props: title }] } };
    await using server = await startModelServer(() => (isBroken ? refusal : { calls: [call] }));
    await using studio = await startTestStudio();
    const model = { provider: 'server', baseUrl: server.url, orchestrator: 'qwen3', contextTokens: 8_192 };
    await studio.send('PUT', '/api/settings/model', model);
    const { id } = await newProject(studio);
    const failed = await eventsUntil(studio, id, ({ type }) => type === 'error');
    expect(failed.at(-1)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    isBroken = false;
    const next = await eventsUntil(studio, (await newProject(studio)).id, isGate);
    expect(next.map(({ type }) => type)).toContain('plan.proposed');
  });

  it('X1, X2: a project continues from the built-in author to a language model and back', async () => {
    await using server = await startModelServer(lead);
    await using studio = await startTestStudio();
    const { id } = await newProject(studio);
    await eventsUntil(studio, id, isGate);
    const model = { provider: 'server', baseUrl: server.url, orchestrator: 'qwen3', modelPath: 'code' };
    await studio.send('PUT', '/api/settings/model', model);
    expect(healthResponseSchema.parse(await studio.send('GET', '/api/health')).model).toEqual({
      kind: 'anthropic',
      canRepair: true,
      name: 'qwen3',
    });

    let { seq } = await studio.send<ProjectSnapshot>('GET', `/api/projects/${id}`);
    await studio.send('POST', `/api/projects/${id}/plan`, { action: 'changes', feedback: 'shorter' });
    await eventsUntil(studio, id, isGate, seq);
    expect(server.complaints).toEqual([]);
    expect(JSON.stringify(server.requests[0]?.messages[0])).toContain('## request');

    await studio.send('PUT', '/api/settings/model', { provider: 'director' });
    ({ seq } = await studio.send<ProjectSnapshot>('GET', `/api/projects/${id}`));
    const before = server.requests.length;
    await studio.send('POST', `/api/projects/${id}/plan`, { action: 'changes', feedback: 'longer' });
    const events = await eventsUntil(studio, id, isGate, seq);
    expect(events.some(({ type }) => type === 'plan.proposed')).toBe(true);
    expect(server.requests.length).toBe(before);
  });

  it('X2: a model that is not Claude plans a film of formats in one request, and changes it in another', async () => {
    const title = (text: string) => ({ text, emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] });
    const film = { title: 'Cube', style: 'smooth', theme: 'paper', aspect: '16:9', caveat: null };
    const edit = { type: 'field', scene: 'scene-1', path: ['text'], value: 'A blue cube' };
    const calls = [
      { name: 'write_film', input: { ...film, scenes: [{ type: 'title', props: title('A green cube') }] } },
      { name: 'edit_film', input: { edits: [edit], summary: 'The cube is blue.' } },
    ];
    await using server = await startModelServer((_request, index) => ({ calls: calls.slice(index, index + 1) }));
    await using studio = await startTestStudio();
    const model = { provider: 'server', baseUrl: server.url, orchestrator: 'qwen3', contextTokens: 8_192 };
    await studio.send('PUT', '/api/settings/model', model);
    expect(healthResponseSchema.parse(await studio.send('GET', '/api/health')).model).toMatchObject({ canRepair: false });
    const { id } = await newProject(studio);
    await eventsUntil(studio, id, isGate);
    const before = await studio.send<ProjectSnapshot>('GET', `/api/projects/${id}`);
    expect(before.plan?.document).toMatchObject({
      theme: 'paper',
      scenes: [{ format: 'title', props: { text: 'A green cube' } }],
    });
    await studio.send('POST', `/api/projects/${id}/plan`, { action: 'changes', feedback: 'make it blue' });
    await eventsUntil(studio, id, isGate, before.seq);
    const { plan, usage } = await studio.send<ProjectSnapshot>('GET', `/api/projects/${id}`);
    expect(plan).toMatchObject({ caveat: 'The cube is blue.', document: { scenes: [{ props: { text: 'A blue cube' } }] } });
    expect(usage).toMatchObject({ outputTokens: expect.any(Number) });
    expect(server.complaints).toEqual([]);
    const [one, other] = server.requests;
    expect([server.requests.length, one?.tools.length, one?.tool_choice]).toEqual([
      2,
      1,
      { type: 'tool', name: 'write_film', disable_parallel_tool_use: true },
    ]);
    // The start of the request is the same for all films and changes.
    expect(other?.system).toEqual(one?.system);
    expect(one?.max_tokens).toBeGreaterThan(2_000);
  });

  it('X2: settings outlive a restart, and a key can be replaced and removed', async () => {
    await using server = await startModelServer(lead);
    const { log } = keptLog();
    await using before = await startTestStudio({}, log);
    const model = { provider: 'server', baseUrl: server.url, orchestrator: 'qwen3' };
    await before.send('PUT', '/api/settings/model', { ...model, apiKey: `${canary}1` });
    await before.send('PUT', '/api/settings/model', { ...model, apiKey: `${canary}2` });
    await before.stop();
    await using after = await startTestStudio({ dataDir: before.dataDir }, log);
    expect(settingsSchema.parse(await after.send('GET', '/api/settings')).model).toMatchObject({ ...model, keyFor: server.url });
    await after.send('POST', '/api/models/check', {});
    expect(server.keys.at(-1)).toContain(`${canary}2`);
    expect(await after.send('DELETE', '/api/settings/model/key')).toMatchObject({ provider: 'server', keyFor: null });
    await after.send('POST', '/api/models/check', {});
    expect(server.keys.at(-1)).not.toContain(canary);
  });
});
