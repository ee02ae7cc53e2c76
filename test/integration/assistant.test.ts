import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { Render } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import { readSurface } from '#contract/surface/messages.ts';
import type { Surface } from '#contract/surface/surface.ts';
import { type AssistantState, assistantRoutes } from '#kinds/assistant/contract/assistant.ts';
import { dataPaths } from '../../server/storage/data-paths.ts';
import { addFilmWithVideos } from '../fixtures/film-with-videos.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';

let studio: Studio;
let film: string;
let videos: Record<'newest' | 'older' | 'preview', Render>;

const folderOf = ({ id }: Render): string => dataPaths(studio.dataDir).render(id);

beforeAll(async () => {
  studio = await startStudio({ sandbox: 'process' });
  await studio.kill();
  ({ film, videos } = await addFilmWithVideos(studio.dataDir));
  await studio.restart();
});
afterAll(() => studio[Symbol.asyncDispose]());

const create = async (prompt: string) =>
  (await studio.client.call(routes.createProject, { body: { kind: 'assistant', prompt } })).id;
const snapshot = (id: string) => studio.client.call(routes.project, { id });
const assistant = (id: string) => studio.client.call(assistantRoutes.assistant, { id });

async function reaches(id: string, state: AssistantState): Promise<void> {
  await expect.poll(async () => (await assistant(id)).state).toBe(state);
}

/** Waits for a question in these words. Returns its surface. */
async function asked(id: string, content: RegExp, text = ''): Promise<Surface> {
  const surface = await vi.waitFor(
    async () => {
      const { approval, project } = await snapshot(id);
      expect([approval?.content, project.running]).toEqual([expect.stringMatching(content), false]);
      expect(JSON.stringify(approval?.surface)).toContain(text);
      return approval?.surface;
    },
    { timeout: 100_000, interval: 200 },
  );
  const read = readSurface(surface);
  if (!read.ok) throw new Error(read.issue.message);
  return read.value;
}

const act = (projectId: string, { surfaceId }: Surface, sourceComponentId: string, parameters: Record<string, unknown> = {}) =>
  studio.client.call(routes.callAction, { action: 'submit', body: { projectId, surfaceId, sourceComponentId, parameters } });

describe('the assistant over HTTP', () => {
  it('V7 V8: lists its ready jobs', async () => {
    const { jobs } = await studio.client.call(assistantRoutes.readyJobs, {});
    expect(jobs.map(({ title }) => title)).toEqual(['Variants from a table', 'Another size', 'Clean up storage', 'A schedule']);
  });

  it('V7 V9: lists its tools, and keeps which of them a conversation may not use', async () => {
    const { tools } = await studio.client.call(assistantRoutes.assistantTools, {});
    expect(tools.filter(({ title, name }) => title === name)).toEqual([]);
    const effects = Object.fromEntries(tools.map(({ name, effect }) => [name, effect]));
    expect(effects).toMatchObject({ list_films: 'reads', make_schedule: 'makes', delete_videos: 'deletes' });
    const id = await create('Another size');
    const limit = (off: string[]) => studio.client.call(assistantRoutes.limitTools, { id, body: { off } });
    expect(await limit(['delete_videos', 'list_films'])).toEqual({ off: ['delete_videos', 'list_films'] });
    await expect(limit(['show_surface'])).rejects.toThrow('There is no tool “show_surface” here.');
    await studio.kill();
    await studio.restart();
    expect((await assistant(id)).toolsOff).toEqual(['delete_videos', 'list_films']);
    await limit([]);
    expect((await assistant(id)).toolsOff).toEqual([]);
  });

  it('V3 V7 V8: cleans up storage, from the first surface over a restart to the result', async () => {
    const id = await create('Clean up storage');
    const first = await asked(id, /What may go\?$/);
    expect(await assistant(id)).toMatchObject({
      state: 'waiting',
      steps: [{ verb: 'Measured storage', state: 'done', sentence: expect.stringContaining('project') }],
    });
    expect(await act(id, first, 'delete', { videos: [newId('rnd')] })).toMatchObject({
      ...{ success: true, error: null, toolName: 'submit', executionTime: expect.any(Number) },
    });
    const second = await asked(id, /What may go\?$/, 'This is not one of the videos.');
    const again = await act(id, first, 'delete', { videos: [videos.older.id] });
    expect(again).toMatchObject({ success: false, data: null, error: { code: 'EXECUTION_ERROR' } });
    expect(again.error?.message).toMatch(/^This form was answered at \d\d:\d\d\.$/);
    expect((await act(id, second, 'no-button')).error?.code).toBe('VALIDATION_ERROR');
    const unknown = await studio.client.call(routes.callAction, {
      action: 'drop_tables',
      body: { projectId: id, parameters: {} },
    });
    expect(unknown.error).toMatchObject({ code: 'TOOL_NOT_FOUND', message: expect.stringContaining('render_videos') });

    await act(id, second, 'delete', { videos: [videos.older.id, videos.preview.id] });
    await asked(id, /^Delete 2 videos, 42 MB\?$/);
    await studio.kill();
    await studio.restart();
    const confirm = await asked(id, /^Delete 2 videos, 42 MB\?$/, 'Open late, preview');
    expect(existsSync(folderOf(videos.older))).toBe(true);
    await act(id, confirm, 'delete');
    await reaches(id, 'done');
    const { messages } = await snapshot(id);
    expect(messages.at(-1)).toMatchObject({ content: '42 MB freed: 2 videos deleted.', surface: expect.any(Array) });
    expect([videos.older, videos.preview, videos.newest].map((render) => existsSync(folderOf(render)))).toEqual([
      ...[false, false, true],
    ]);
    expect((await assistant(id)).steps.map(({ verb }) => verb)).toEqual(['Measured storage', 'Deleted videos']);
    expect((await snapshot(id)).project.sandbox).toBe('stopped');
  });

  it('V7: stops a run, which cancels what is not finished', async () => {
    const id = await create('Another size');
    await act(id, await asked(id, /in which sizes/), 'next', { film: [film], sizes: ['1:1', '9:16'] });
    await act(id, await asked(id, /^Make 2 videos/), 'make');
    await reaches(id, 'running');
    await studio.client.call(routes.stop, { id });
    expect((await assistant(id)).state).toBe('stopped');
    const { renders } = await snapshot(film);
    expect(renders.filter(({ status }) => status === 'queued' || status === 'running')).toEqual([]);
    expect(JSON.stringify((await snapshot(id)).messages)).toContain('Stopped after 0 of 2 videos. The finished ones are kept.');
  });
});
