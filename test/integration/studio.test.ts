import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { healthResponseSchema, type ProjectSnapshot } from '#contract/api.ts';
import type { ProjectEvent } from '#contract/events.ts';
import type { Project } from '#contract/project.ts';
import { readLocalKey } from '../../server/access/local-key.ts';
import { StudioClient } from '../../server/cli/client.ts';
import { readConfig } from '../../server/lib/config.ts';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { leadingModel, planOf } from '../fixtures/leading-model.ts';
import { startModelServer } from '../fixtures/model-server.ts';

/** Requests a preview's address. Does not use `fetch`, because browsers resolve *.localhost but this machine may not. */
async function previewPage(previewUrl: string): Promise<{ status: number; body: string }> {
  const { host, port, pathname } = new URL(previewUrl);
  const outgoing = request({ host: '127.0.0.1', port, path: pathname, headers: { host, accept: 'text/html' } });
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += chunk;
  return { status: answer.statusCode ?? 0, body };
}

/** Longer than a sandbox takes to start on a busy machine. */
const patienceMs = 120_000;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const createIdle = (studio: TestStudio) => studio.send<Project>('POST', '/api/projects', { prompt: 'A red ball', start: false });

describe('the whole server', () => {
  it('A15 A22: starts a preview when it is opened, accepts edits, and keeps them after a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kd-'));
    folders.push(dataDir);
    let id: string;
    {
      await using studio = await startTestStudio({ dataDir });
      ({ id } = await createIdle(studio));
      const redirect = await studio.call(`/proxy/${id}/`, { redirect: 'manual' });
      const previewUrl = new URL('/', redirect.headers.get('location') ?? '').href;
      expect((await previewPage(previewUrl)).status).toBe(503);
      await vi.waitFor(async () => expect((await previewPage(previewUrl)).body).toContain('/@vite/client'), {
        timeout: patienceMs,
        interval: 250,
      });
      await vi.waitFor(async () => {
        const { project } = await studio.send<ProjectSnapshot>('GET', `/api/projects/${id}`);
        expect(project).toMatchObject({ sandbox: expect.stringMatching(/^(ready|busy)$/), previewUrl });
      });
      const written = await studio.call(`/api/projects/${id}/files/public/note.txt`, { method: 'PUT', body: 'kept' });
      expect(written.status).toBe(200);
      // The watcher notifies the dev server about the new file.
      await vi.waitFor(async () => expect((await previewPage(`${previewUrl}note.txt`)).body).toBe('kept'));
      const { items } = await studio.send<{ items: { trigger: string }[] }>('GET', `/api/projects/${id}/checkpoints`);
      expect(items.map(({ trigger }) => trigger)).toContain('user_edit');
    }
    {
      await using studio = await startTestStudio({ dataDir });
      expect((await studio.call(`/api/projects/${id}/files/public/note.txt`)).status).toBe(503);
      await vi.waitFor(
        async () => expect(await (await studio.call(`/api/projects/${id}/files/public/note.txt`)).text()).toBe('kept'),
        { timeout: patienceMs, interval: 250 },
      );
    }
  });

  it('A13: replaces a sandbox on request and keeps its files', async () => {
    await using studio = await startTestStudio();
    const { id } = await createIdle(studio);
    expect(await studio.send('POST', `/api/projects/${id}/sandbox`)).toMatchObject({
      state: expect.stringMatching(/^(ready|busy)$/),
    });
    expect((await studio.call(`/api/projects/${id}/files/public/note.txt`, { method: 'PUT', body: 'kept' })).status).toBe(200);
    await studio.send('POST', `/api/projects/${id}/sandbox`);
    expect(await (await studio.call(`/api/projects/${id}/files/public/note.txt`)).text()).toBe('kept');
    const { files, complete } = await studio.send<{ files: { path: string }[]; complete: boolean }>(
      'GET',
      `/api/projects/${id}/files`,
    );
    expect(complete).toBe(true);
    const paths = files.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toEqual(expect.arrayContaining(['public/note.txt', 'src/App.tsx']));
  });

  it('T14 T17: reports a wait for the model while it lasts, and the tokens that the model has used', async () => {
    const lead = leadingModel({ asksFirst: false, plan: () => planOf(['Only']) });
    const overloaded = { status: { code: 529, type: 'overloaded_error', message: 'Overloaded' } };
    await using server = await startModelServer((request, index) => (index === 0 ? overloaded : lead(request)));
    const { models } = readConfig({ ANTHROPIC_BASE_URL: server.url, KODA_MODEL: 'claude-sonnet-5-5' });
    await using studio = await startTestStudio({ models });
    const health = healthResponseSchema.parse(await studio.send('GET', '/api/health'));
    expect(health.model).toEqual({ kind: 'anthropic', name: 'claude-sonnet-5-5', canRepair: true });
    const { id } = await studio.send<Project>('POST', '/api/projects', { prompt: 'A green cube spins, smooth' });
    const events: ProjectEvent[] = [];
    const following = new StudioClient(studio.url, () => readLocalKey(studio.dataDir)).events(id, {
      afterSeq: 0,
      signal: new AbortController().signal,
    });
    for await (const event of following) {
      events.push(event);
      if (event.type === 'run.finished') break;
    }
    const told = events.filter((event) => event.type === 'thinking').map(({ text }) => text);
    expect(told[0]).toMatch(/^The model is overloaded; retrying in \d+ s$/);
    expect(told[1]).toBeNull();

    const answers = events.filter((event) => event.type === 'usage');
    const sum = (part: 'inputTokens' | 'cachedInputTokens' | 'outputTokens') =>
      answers.reduce((total, answer) => total + answer[part], 0);
    const { usage, project } = await studio.send<ProjectSnapshot>('GET', `/api/projects/${id}`);
    expect(project).toMatchObject({ running: false, thinking: null });
    expect(usage).toMatchObject({
      inputTokens: sum('inputTokens'),
      cachedInputTokens: sum('cachedInputTokens'),
      outputTokens: sum('outputTokens'),
    });
    expect(Math.min(usage.inputTokens, usage.outputTokens, usage.costUsd)).toBeGreaterThan(0);
  });

  it('health lists the available services', async () => {
    await using studio = await startTestStudio();
    expect(await studio.send('GET', '/api/health')).toMatchObject({
      status: 'ok',
      sandbox: { kind: 'process', available: true },
    });
    expect(await studio.send('GET', '/api/ready')).toEqual({ ready: true });
  });
});
