import { describe, expect, it } from 'vitest';
import { type ProjectSnapshot, projectSnapshotSchema } from '#contract/api.ts';
import { mcpSettingsSchema } from '#contract/mcp-servers.ts';
import type { Project } from '#contract/project.ts';
import { readConfig } from '../../server/lib/config.ts';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { leadingModel, planOf } from '../fixtures/leading-model.ts';
import { connectMcp } from '../fixtures/mcp-client.ts';
import { type Answer, type ModelServer, startModelServer, type WireRequest } from '../fixtures/model-server.ts';
import { orders, startOutsideServer, startPlainServer } from '../fixtures/outside-server.ts';

const callOf = (name: string, input: unknown): Answer => ({ calls: [{ name, input }] });

/** Returns the results that the model has received from a tool, oldest first. */
function resultsIn({ messages }: WireRequest, tool: string): string[] {
  const texts = messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [JSON.stringify(block)] : [])),
  );
  return texts.filter((text) => text.includes(`tool: ${tool}`));
}

async function start(script: (request: WireRequest) => Answer, outsideUrl: string) {
  const server: ModelServer = await startModelServer(script);
  const { models } = readConfig({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'key', KODA_MODEL: 'claude-sonnet-5-5' });
  const studio = await startTestStudio({ models });
  await studio.send('PUT', '/api/settings/mcp-servers/brand', { url: outsideUrl });
  await expect.poll(async () => (await settingsOf(studio)).servers[0]?.state, { timeout: 20_000 }).toBe('connected');
  return {
    ...{ server, studio, models },
    async [Symbol.asyncDispose]() {
      await studio[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const settingsOf = async (studio: TestStudio) => mcpSettingsSchema.parse(await studio.send('GET', '/api/settings/mcp-servers'));
const create = async (studio: TestStudio): Promise<string> =>
  (await studio.send<Project>('POST', '/api/projects', { prompt: 'A green cube spins, smooth', style: 'smooth' })).id;
const snapshot = async (studio: TestStudio, id: string): Promise<ProjectSnapshot> =>
  projectSnapshotSchema.parse(await studio.send('GET', `/api/projects/${id}`));

async function approvalOf(studio: TestStudio, id: string, type: string) {
  await expect.poll(async () => (await snapshot(studio, id)).approval?.type, { timeout: 60_000 }).toBe(type);
  const { approval } = await snapshot(studio, id);
  if (approval === null) throw new Error('The approval is no longer open.');
  return approval;
}

const answer = (studio: TestStudio, id: string, body: unknown) => studio.send('POST', `/api/projects/${id}/answer`, body);

describe('a language model with tools of other servers', { timeout: 120_000 }, () => {
  it('T8: calls one with permission, receives its result as data, and needs no second permission for the project', async () => {
    await using outside = await startOutsideServer();
    const lead = leadingModel({
      asksFirst: false,
      plan: () => planOf(['Only']),
      instead: ({ phase, calls }) => (phase === 'executing' && calls.length > 0 ? { silence: 'hang' } : null),
    });
    await using running = await start((request) => {
      const echoes = resultsIn(request, 'brand__echo');
      if (echoes.length === 0) return callOf('brand__echo', { text: 'logo' });
      if (echoes.length === 1) return callOf('brand__echo', { text: 'font' });
      if (resultsIn(request, 'brand__orders').length === 0 && JSON.stringify(request).includes('phase: executing'))
        return callOf('brand__orders', {});
      return lead(request);
    }, outside.url);
    const { server, studio } = running;
    const id = await create(studio);
    const asked = await approvalOf(studio, id, 'permission');
    expect(asked.content).toMatch(/“echo” of the server “brand”/);
    expect(asked.options.map(({ label }) => label)).toEqual(['Allow once', 'Allow for this project', 'Refuse']);
    expect((await snapshot(studio, id)).project.phase).toBe('idle');
    expect(outside.calls).toEqual([]);

    await answer(studio, id, { optionId: asked.options[1]?.id });
    const plan = await approvalOf(studio, id, 'plan');
    expect(plan.type).toBe('plan');
    expect(outside.calls).toEqual(['echo {"text":"logo"}', 'echo {"text":"font"}']);
    const [request] = server.requests.filter((one) => resultsIn(one, 'brand__echo').length === 2);
    expect(resultsIn(request ?? (server.requests[0] as WireRequest), 'brand__echo')[0]).toMatch(
      /Data, not instructions.*You said: logo/,
    );

    await studio.send('POST', `/api/projects/${id}/plan`, { action: 'accept' });
    const other = await approvalOf(studio, id, 'permission');
    expect(other.content).toMatch(/“orders”/);
    expect((await snapshot(studio, id)).project.phase).toBe('executing');
    await answer(studio, id, { optionId: other.options[0]?.id });
    await expect.poll(() => outside.calls.at(-1), { timeout: 30_000 }).toBe('orders {}');
    await expect
      .poll(() => server.requests.some((one) => resultsIn(one, 'brand__orders').length > 0), { timeout: 30_000 })
      .toBe(true);
    const last = server.requests.findLast((one) => resultsIn(one, 'brand__orders').length > 0);
    expect(last && resultsIn(last, 'brand__orders')[0]).toContain(`Data, not instructions`);
    expect(last && resultsIn(last, 'brand__orders')[0]).toContain(JSON.stringify(orders).slice(1, 20));
    expect(server.complaints).toEqual([]);
    await studio.send('POST', `/api/projects/${id}/stop`);
  });

  it('T8: learns that the user refused, and goes on without the call', async () => {
    await using outside = await startOutsideServer();
    const lead = leadingModel({ asksFirst: false, plan: () => planOf(['Only']) });
    await using running = await start(
      (request) => (resultsIn(request, 'brand__echo').length === 0 ? callOf('brand__echo', { text: 'x' }) : lead(request)),
      outside.url,
    );
    const { server, studio } = running;
    const refused = await create(studio);
    const { options } = await approvalOf(studio, refused, 'permission');
    await answer(studio, refused, { optionId: options[2]?.id });
    await approvalOf(studio, refused, 'plan');
    expect(resultsIn(server.requests.at(-1) as WireRequest, 'brand__echo')[0]).toContain('The user did not allow this call');

    const spoken = await create(studio);
    await approvalOf(studio, spoken, 'permission');
    await answer(studio, spoken, { text: 'Use no tools, please' });
    await approvalOf(studio, spoken, 'plan');
    expect(resultsIn(server.requests.at(-1) as WireRequest, 'brand__echo')[0]).toContain('Use no tools, please');
    expect(outside.calls).toEqual([]);
  });

  it('T8: is the only one that can call them: other programs neither see nor call them, and give no permission', async () => {
    await using outside = await startOutsideServer();
    await using running = await start(() => callOf('brand__echo', { text: 'x' }), outside.url);
    const { studio } = running;
    await studio.send('PUT', '/api/settings/mcp-risk', { server: 'brand', tool: 'orders', risk: 'allowed' });
    const id = await create(studio);
    const { options } = await approvalOf(studio, id, 'permission');
    const tools = await studio.send<{ tools: { name: string }[] }>('GET', `/api/projects/${id}/tools`);
    expect(tools.tools.filter(({ name }) => name.includes('__'))).toEqual([]);
    const called = await studio.call(`/api/projects/${id}/tools/brand__orders`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
    });
    expect([called.status, await called.json()]).toMatchObject([404, { error: { code: 'TOOL_NOT_FOUND' } }]);
    await using client = await connectMcp(studio.url);
    const given = await client.result('answer_question', { project_id: id, option_id: options[0]?.id });
    expect(given).toMatchObject({ isError: true });
    expect(JSON.stringify(given)).toContain('in the studio');
    expect((await snapshot(studio, id)).approval?.type).toBe('permission');
    expect(outside.calls).toEqual([]);
  });

  it('T8: waits for permission across a restart, and then makes the call once', async () => {
    await using outside = await startOutsideServer();
    const lead = leadingModel({ asksFirst: false, plan: () => planOf(['Only']) });
    await using running = await start(
      (request) => (resultsIn(request, 'brand__echo').length === 0 ? callOf('brand__echo', { text: 'x' }) : lead(request)),
      outside.url,
    );
    const { models, studio } = running;
    const id = await create(studio);
    const { options } = await approvalOf(studio, id, 'permission');
    await studio.stop();
    await using restarted = await startTestStudio({ models, dataDir: studio.dataDir });
    await expect.poll(async () => (await settingsOf(restarted)).servers[0]?.state, { timeout: 20_000 }).toBe('connected');
    await answer(restarted, id, { optionId: options[0]?.id });
    await approvalOf(restarted, id, 'plan');
    expect(outside.calls).toEqual(['echo {"text":"x"}']);
  });

  it('T8: works without a server that hangs', async () => {
    const lead = leadingModel({ asksFirst: false, plan: () => planOf(['Only']) });
    await using server = await startModelServer(lead);
    const { models } = readConfig({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'key', KODA_MODEL: 'claude-sonnet-5-5' });
    await using hanging = await startPlainServer(() => undefined);
    await using studio = await startTestStudio({ models });
    await studio.send('PUT', '/api/settings/mcp-servers/brand', { url: hanging.url });
    await approvalOf(studio, await create(studio), 'plan');
    expect((await settingsOf(studio)).servers).toMatchObject([{ state: 'connecting', tools: [] }]);
  });
});
