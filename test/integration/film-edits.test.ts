import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { routes } from '#contract/routes.ts';
import type { FilmEdit } from '#kinds/film/contract/edit.ts';
import { filmPath, scenePath } from '#kinds/film/contract/film.ts';
import { filmRoutes } from '#kinds/film/contract/routes.ts';
import { pageTimeoutMs } from '../../server/cli/client.ts';
import { readFilm } from '../../server/kinds/film/document/document.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

const run = promisify(execFile);
let studio: Studio;
let projects: ReturnType<typeof projectsOf>;
let id: string;

beforeAll(async () => {
  studio = await startStudio({ sandbox: 'docker' });
  projects = projectsOf(studio);
  ({ id } = await projects.create('Title: Hello\nsmooth, 3 seconds'));
  await projects.waitForApproval(id, 'plan', 0);
  // The plan is edited before anything is written.
  await edit('Hello', 'Good morning');
  await projects.post(id, 'plan', { action: 'accept' });
  await projects.waitForApproval(id, 'preview', 0);
});
afterAll(() => studio[Symbol.asyncDispose]());

const title = (was: string, value: string): FilmEdit => ({ type: 'field', scene: 'scene-1', path: ['text'], was, value });
const edit = (was: string, value: string) =>
  studio.client.call(filmRoutes.editDocument, { id, body: { edits: [title(was, value)] } });

/** Waits until a sandbox responds and the scene's file contains the text. Returns the file. */
async function fileWith(text: string): Promise<string> {
  return await vi.waitFor(
    async () => {
      const response = await fetch(`${studio.url}/api/projects/${id}/files/${scenePath('scene-1')}`);
      const content = await response.text();
      expect(content).toContain(text);
      return content;
    },
    { timeout: 120_000, interval: 200 },
  );
}

/** Renders a still of the current film and returns its hash. */
async function still(): Promise<string> {
  const { seq } = await projects.snapshot(id);
  const body = { kind: 'final', format: 'png', resolution: '720p', atSeconds: 1.5 } as const;
  const render = await studio.client.call(routes.startRender, { id, body });
  await projects.until(id, seq, (event) => event.type === 'render.complete' && event.render.id === render.id);
  const { videoUrl } = await studio.client.call(routes.render, { id: render.id });
  const image = await (await fetch(`${studio.url}${videoUrl}`)).arrayBuffer();
  return createHash('sha256').update(new Uint8Array(image)).digest('hex');
}

/** Returns the titles of the scenes on the page, which may have to be started first. */
async function scenesOfPage(): Promise<string[]> {
  const options = { timeoutMs: pageTimeoutMs, signal: AbortSignal.timeout(pageTimeoutMs) };
  return (await studio.client.call(routes.film, { id }, options)).scenes.map((scene) => scene.title);
}

async function expectFilesFollow(): Promise<void> {
  const { film } = await studio.client.call(filmRoutes.document, { id });
  expect(readFilm((await projects.files(id)).get(filmPath) ?? '')).toEqual(film);
}

async function killSandbox(): Promise<void> {
  await run('docker', ['kill', await projects.container(id)]);
  await vi.waitFor(async () => expect((await studio.client.call(routes.sandbox, { id })).state).toBe('stopped'), {
    timeout: 120_000,
  });
}

describe('a film is edited by fields', () => {
  it('X7 A22: files, page and final render follow an edit, even if sandbox or server fail', async () => {
    await fileWith('Good morning');
    const first = await still();
    expect((await studio.client.call(routes.checkpoints, { id })).items.map(({ trigger }) => trigger)).not.toContain('edit');

    await edit('Good morning', 'Good evening');
    await fileWith('Good evening');
    await expectFilesFollow();
    expect(await scenesOfPage()).toEqual(['Good evening']);
    expect(await still()).not.toBe(first);

    await killSandbox();
    await edit('Good evening', 'Good night');
    await edit('Good night', 'Good morning');
    // The render creates a new sandbox, whose checkpoint is older than the edits.
    expect(await still()).toBe(first);
    await expectFilesFollow();

    await edit('Good morning', 'Good day');
    // The server exits before the edit is in the files or right after, because the container outlives it.
    await studio.kill();
    await studio.restart();
    expect(await scenesOfPage()).toEqual(['Good day']);
    await fileWith('Good day');
  });

  it('X7 A21: edits of one scene share a checkpoint that names them', async () => {
    const day = 'Good day';
    await edit(day, 'Good afternoon');
    await studio.client.call(filmRoutes.editDocument, {
      id,
      body: { edits: [{ type: 'field', scene: 'scene-1', path: ['subtitle'], was: null, value: 'and welcome' }] },
    });
    await fileWith('and welcome');
    // Edits of the test before may have become a checkpoint too.
    await vi.waitFor(
      async () => {
        const { items } = await studio.client.call(routes.checkpoints, { id });
        expect(items[0]).toMatchObject({ trigger: 'edit', title: 'Scene 1: text, subtitle' });
      },
      { timeout: 120_000, interval: 1000 },
    );
  });

  it('X7: a scene that is edited by hand becomes code, byte for byte', async () => {
    const before = await fileWith('Good afternoon');
    const byHand = `${before}// By hand\n`;
    const path = scenePath('scene-1');
    await fetch(`${studio.url}/api/projects/${id}/files/${path}`, { method: 'PUT', body: byHand });
    await expect(edit('Good afternoon', 'Good bye')).rejects.toMatchObject({ code: 'CONFLICT' });
    const { film } = await studio.client.call(filmRoutes.document, { id });
    expect(film.scenes[0]).toMatchObject({ id: 'scene-1', code: true });
    await expectFilesFollow();
    expect((await projects.files(id)).get(path)).toBe(byHand);

    const props = { name: 'Ada Lovelace', role: null };
    await studio.client.call(filmRoutes.editDocument, {
      id,
      body: { edits: [{ type: 'format', scene: 'scene-1', was: null, format: 'lower-third', props }] },
    });
    await fileWith('Ada Lovelace');
    // The dev server notices the file a moment later.
    await vi.waitFor(async () => expect(await scenesOfPage()).toEqual(['Ada Lovelace']), { interval: 1000 });
  });
});
