import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { renderSummarySchema, stateSchema } from '#contract/mcp-results.ts';
import { readLocalKey } from '../../server/access/local-key.ts';
import { headersOf } from '../../server/mcp/request-headers.ts';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { untilPasses } from '../fixtures/progress.ts';

const version = '2026-07-28';
const root = join(import.meta.dirname, '../..');
const tasks = { 'io.modelcontextprotocol/tasks': {} };

let studio: TestStudio;
let client: Client;
let film: z.infer<typeof stateSchema>;

const title = { text: 'Hello', emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] };
const scenes = [{ seconds: 1.5, format: 'title', props: title }];

beforeAll(async () => {
  studio = await startTestStudio();
  client = new Client({ name: 'koda-test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const headers = { authorization: `Bearer ${readLocalKey(studio.dataDir)}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', studio.url), { requestInit: { headers } }));
  const given = { title: 'Shopping', style: 'smooth', theme: 'forest', aspect: '16:9', fps: 30, scenes };
  const made = await client.callTool({ name: 'make_film', arguments: { film: given } }, { timeout: 600_000 });
  film = stateSchema.parse(made.structuredContent);
});
afterAll(async () => {
  await client.close();
  await studio[Symbol.asyncDispose]();
});

/** Sends one request as a client with the tasks extension. Returns its only response. */
async function request(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': { extensions: tasks },
  };
  const body = { jsonrpc: '2.0' as const, id: 1, method, params: { ...params, _meta } };
  const response = await fetch(new URL('/mcp', studio.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${readLocalKey(studio.dataDir)}`,
      ...headersOf(body, version),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const data = response.headers.get('content-type')?.startsWith('text/event-stream') ? text.split('data: ').at(-1) : text;
  return z.object({ result: z.record(z.string(), z.unknown()) }).parse(JSON.parse(data ?? '')).result;
}

describe('Koda without MCP sessions', () => {
  it('F6: makes a film for the official client', async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(film).toMatchObject({ phase: 'preview', waiting_for: 'preview' });
    const { contents } = await client.readResource({ uri: `koda://projects/${film.project_id}` });
    expect(contents).toMatchObject([{ mimeType: 'application/json' }]);
    await expect(client.readResource({ uri: 'koda://projects/prj_none' })).rejects.toMatchObject({ code: -32_602 });
  });

  it('F6: a render is a task for a client that polls', async () => {
    const call = { name: 'render', arguments: { project_id: film.project_id, resolution: '720p', fps: 30 } };
    const task = await request('tools/call', call);
    expect(task).toMatchObject({ resultType: 'task', taskId: expect.stringMatching(/^rnd_/), status: 'working', ttlMs: null });
    expect(task).not.toHaveProperty('content');
    const { taskId } = task;
    let done: Record<string, unknown> = {};
    await untilPasses('the render to end', async () => {
      done = await request('tasks/get', { taskId });
      expect(done).toMatchObject({ resultType: 'complete', status: 'completed' });
    });
    const { structuredContent, content } = z
      .looseObject({ structuredContent: renderSummarySchema, content: z.array(z.unknown()) })
      .parse(done['result']);
    expect(structuredContent).toMatchObject({ status: 'complete', render_id: taskId });
    expect(content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: structuredContent.resource }));

    const second = await request('tools/call', { ...call, arguments: { ...call.arguments, resolution: '4k', fps: 60 } });
    expect(await request('tasks/cancel', { taskId: second['taskId'] })).toMatchObject({ resultType: 'complete' });
    expect(await request('tasks/get', { taskId: second['taskId'] })).toMatchObject({ status: 'cancelled' });
  });

  it('F6: a still that is too large for a result is a link, and a smaller one a picture', async () => {
    const still = async (resolution: string) => {
      const call = { name: 'still', arguments: { project_id: film.project_id, at_seconds: 1, resolution } };
      const { content } = await client.callTool(call, { timeout: 600_000 });
      return content.map(({ type }) => type);
    };
    expect(await still('720p')).toEqual(['text', 'image']);
    expect(await still('4k')).toEqual(['text', 'resource_link']);
  });

  it('F6: koda mcp passes on requests without a session, and their errors', async () => {
    const own = new Client({ name: 'stdio', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const transport = new StdioClientTransport({
      ...{ command: process.execPath, cwd: root, stderr: 'ignore' as const },
      args: ['server/cli/koda.ts', '--url', studio.url, 'mcp'],
      env: { ...getDefaultEnvironment(), KODA_DATA_DIR: studio.dataDir },
    });
    await own.connect(transport);
    expect(own.getNegotiatedProtocolVersion()).toBe(version);
    const shown = await own.callTool({ name: 'show_project', arguments: { project_id: film.project_id } });
    expect(shown.structuredContent).toMatchObject({ project_id: film.project_id });
    await expect(own.readResource({ uri: 'koda://projects/prj_none' })).rejects.toMatchObject({ code: -32_602 });
    // A cancelled render does not go on in the studio.
    const stopped = new AbortController();
    const arguments_ = { project_id: film.project_id, resolution: '4k', fps: 60 };
    const rendering = own.callTool(
      { name: 'render', arguments: arguments_ },
      { signal: stopped.signal, onprogress: () => stopped.abort('enough'), timeout: 600_000 },
    );
    await expect(rendering).rejects.toThrow();
    await untilPasses('the cancelled render to stop', async () => {
      const { structuredContent } = await own.callTool({ name: 'show_project', arguments: { project_id: film.project_id } });
      expect(stateSchema.parse(structuredContent).renders.filter(({ status }) => status === 'running')).toEqual([]);
    });
    await own.close();
  });
});
