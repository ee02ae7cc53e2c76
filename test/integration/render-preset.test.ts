import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { routes } from '#contract/routes.ts';
import type { FilmEdit } from '#kinds/film/contract/edit.ts';
import { scenePath } from '#kinds/film/contract/film.ts';
import { filmRoutes } from '#kinds/film/contract/routes.ts';
import { koda } from '../fixtures/koda-command.ts';
import { pageCode } from '../fixtures/page-code.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

let studio: Studio;
let projects: ReturnType<typeof projectsOf>;
let folder: string;
let id: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'koda-preset-'));
  studio = await startStudio({ sandbox: 'docker', env: { KODA_AUTO_FINAL: 'on' } });
  projects = projectsOf(studio);
  ({ id } = await projects.create('Title: Hello\nsmooth, 1 second, 9:16'));
  await projects.waitForApproval(id, 'plan', 0);
  const rate = { type: 'look', field: 'fps', was: 60, value: 30 } as const;
  await studio.client.call(filmRoutes.editDocument, { id, body: { edits: [rate] } });
  await projects.post(id, 'plan', { action: 'accept' });
  const { seq } = await projects.waitForApproval(id, 'preview', 0);
  await projects.post(id, 'preview', { action: 'accept' });
  await projects.until(id, seq, (event) => event.type === 'render.complete' && event.render.settings.kind === 'final');
});
afterAll(async () => {
  await studio[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const render = (...args: string[]) =>
  koda(['render', id, '--url', studio.url, '--out', join(folder, 'film.mp4'), ...args], {
    env: { KODA_DATA_DIR: studio.dataDir },
  });
const rendersOf = async () => (await studio.client.call(routes.renders, { id })).items;

it('F1 F8: the final after the acceptance has the film’s own shape and frame rate, and no chapter for its one scene', async () => {
  const [final] = (await rendersOf()).filter(({ settings }) => settings.kind === 'final');
  expect(final?.settings).toMatchObject({ aspect: null, fps: 30 });
  expect(final?.probe).toMatchObject({ width: 1080, height: 1920, fps: 30, chapters: 0 });
});

it('F1: a film of formats is laid out in the shape of the preset', async () => {
  const { code, stderr } = await render('--preset', 'twitter');
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  expect((await rendersOf())[0]).toMatchObject({
    settings: { preset: 'twitter', aspect: '16:9' },
    probe: { width: 1920, height: 1080, fps: 30 },
  });
});

it('F1: a scene that was changed into code is refused in another shape, and rendered in its own', async () => {
  const response = await fetch(`${studio.url}/api/projects/${id}/files/${scenePath('scene-1')}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: pageCode('pixel-scene.tsx'),
  });
  expect([response.status, response.ok ? '' : await response.text()]).toEqual([200, '']);
  const { code, stderr } = await render('--preset', 'twitter');
  expect(stderr).toMatch(/draws 1080×1920 and cannot lay the film out in 16:9. Render it without the preset/);
  expect(code).toBe(2);
  expect((await render('--preset', 'reels')).code).toBe(0);

  // An edit of the scene records in the document that it is code.
  const edit: FilmEdit = { type: 'field', scene: 'scene-1', path: ['text'], was: 'Hello', value: 'Bye' };
  await studio.client.call(filmRoutes.editDocument, { id, body: { edits: [edit] } }).catch(() => undefined);
  const before = await rendersOf();
  const again = await render('--preset', 'twitter');
  expect(again.stderr).toMatch(/A video for Twitter is 16:9, but the film is 9:16 .* Leave out the preset/);
  expect(again.code).toBe(2);
  expect(await rendersOf()).toEqual(before);
  const body = { kind: 'final', preset: 'youtube' } as const;
  await expect(studio.client.call(routes.estimateRender, { id, body })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});
