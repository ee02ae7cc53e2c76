import { readFile, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Project, projectSchema } from '#contract/project.ts';
import { routes } from '#contract/routes.ts';
import { type Film, filmPath, scenePath } from '#kinds/film/contract/film.ts';
import { lengthOf } from '#kinds/film/contract/outline.ts';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import { planOf as outlineOf, readFilm } from '../../server/kinds/film/document/document.ts';
import { type LeadingModelOptions, leadingModel, planOf } from '../fixtures/leading-model.ts';
import { type ModelServer, startModelServer } from '../fixtures/model-server.ts';
import { filmIn } from '../fixtures/plans.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

let studio: Studio;
let server: ModelServer;
let projects: ReturnType<typeof projectsOf>;
let behaviour: LeadingModelOptions;

beforeAll(async () => {
  server = await startModelServer((request) => leadingModel(behaviour)(request));
  studio = await startStudio({ sandbox: 'docker' });
  projects = projectsOf(studio);
});
afterAll(async () => {
  await studio[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Sets the author of later runs. */
async function author(who: 'director' | 'model'): Promise<void> {
  const wanted =
    who === 'director'
      ? { provider: 'director' }
      : { provider: 'server', baseUrl: server.url, orchestrator: 'claude-sonnet-5-5', apiKey: 'sk-test' };
  const response = await fetch(`${studio.url}/api/settings/model`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  });
  expect([response.status, response.ok ? '' : await response.text()]).toEqual([200, '']);
}

/** Changes a complete film by message, and waits until it is complete again. Returns the author's last message. */
async function change(id: string, content: string): Promise<string> {
  const { seq } = await projects.snapshot(id);
  await projects.post(id, 'messages', { content });
  const preview = await projects.waitForApproval(id, 'preview', seq);
  await accept(id, preview.seq);
  const { messages } = await projects.snapshot(id);
  return messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
}

async function accept(id: string, seq: number): Promise<void> {
  await projects.post(id, 'preview', { action: 'accept' });
  await projects.until(id, seq, (event) => event.type === 'project.phase' && event.phase === 'complete');
}

async function made(prompt: string): Promise<string> {
  const { id } = await projects.create(prompt);
  const plan = await projects.waitForApproval(id, 'plan', 0);
  await projects.post(id, 'plan', { action: 'accept' });
  await accept(id, (await projects.waitForApproval(id, 'preview', plan.seq)).seq);
  return id;
}

async function opened(id: string): Promise<void> {
  await vi.waitFor(() => studio.client.call(routes.files, { id }), { timeout: 120_000, interval: 500 });
}

/** Returns the stored film, which must match the plan, the file and the running page. */
async function storedFilm(id: string): Promise<{ film: Film; files: Map<string, string> }> {
  const files = await projects.files(id);
  const { plan } = await projects.snapshot(id);
  const film = filmIn(plan);
  expect(plan).toMatchObject(outlineOf(film, plan ?? undefined));
  expect(readFilm(files.get(filmPath) ?? '')).toEqual(film);
  const stage = await studio.client.call(routes.film, { id });
  expect(stage.durationSeconds).toBe(lengthOf(film));
  expect(stage.scenes.map((scene) => scene.id)).toEqual(film.scenes.map((scene) => scene.id));
  return { film, files };
}

const sources = ({ scenes }: Film) => scenes.map((scene) => ('code' in scene ? 'code' : scene.format));

describe('a film goes from one author to the other', () => {
  it('X1 X16 A9 X4: the built-in author, a model and the built-in author again edit one film, and its zip imports elsewhere', async () => {
    await author('director');
    const id = await made('playful, 3 seconds\n\nTitle: Welcome to the pottery class\n\nPacking list:\n- Apron\n- Towel');
    const first = await storedFilm(id);
    expect(sources(first.film)).toEqual(['title', 'checklist']);

    await author('model');
    const path = scenePath('scene-1');
    const byModel = `${first.files.get(path) ?? ''}// By a model\n`;
    behaviour = {
      asksFirst: false,
      plan: () => planOf(['never']),
      generated: () => ({ files: [{ path, content: byModel }], deleted: [], summary: 'Scene 1 is another one.' }),
    };
    await change(id, 'let scene 1 be something that words cannot say');

    await author('director');
    const said = await change(id, 'more cinematic');
    const third = await storedFilm(id);
    expect(said).toContain('edited by hand');
    expect(third.film.style).toBe('cinematic');
    expect(third.files.get(path)).toBe(byModel);
    expect(sources(third.film)).toEqual(['code', ...sources(first.film).slice(1)]);

    const zip = await (await fetch(`${studio.url}/api/projects/${id}/archive.zip`)).arrayBuffer();
    const response = await fetch(`${studio.url}/api/projects/import`, {
      method: 'POST',
      headers: { 'x-filename': 'elsewhere.zip', 'content-type': 'application/octet-stream' },
      body: zip,
    });
    expect(response.status).toBe(201);
    const imported: Project = projectSchema.parse(await response.json());
    await opened(imported.id);
    expect((await storedFilm(imported.id)).film).toEqual(third.film);
    await change(imported.id, 'more playful');
    const elsewhere = await storedFilm(imported.id);
    expect(elsewhere.film.style).toBe('playful');
    expect(elsewhere.files.get(path)).toBe(byModel);
  });
});

describe('a project of an earlier version', () => {
  it('X1 A21: a backup of an earlier version restores, opens, renders and rewinds, and its code stays unchanged', async () => {
    await studio.kill();
    const archive = await readFile(new URL('../fixtures/backup-version-1.tar.gz', import.meta.url));
    const { signal } = new AbortController();
    const { movedTo, report } = await restoreBackup(Readable.from([archive]), {
      dataDir: studio.dataDir,
      force: true,
      signal,
      onProgress: () => undefined,
    });
    if (movedTo !== null) await rm(movedTo, { recursive: true });
    expect([...report.damage, ...report.warnings]).toEqual([]);
    await studio.restart();
    const { items: restored } = await studio.client.call(routes.projects, {});
    const id = restored[0]?.id ?? '';
    const [old] = (await studio.client.call(routes.checkpoints, { id })).items;
    if (old === undefined) throw new Error('there is no checkpoint');

    await opened(id);
    const files = await projects.files(id);
    expect(files.get(filmPath)).toContain('"version": 1');

    const { seq } = await projects.snapshot(id);
    const render = await studio.client.call(routes.startRender, { id, body: { kind: 'preview' } });
    await projects.until(id, seq, (event) => event.type === 'render.complete' && event.render.id === render.id);

    expect(await change(id, 'more cinematic')).toContain('earlier version');
    expect(await projects.files(id)).toEqual(files);
    await studio.client.call(routes.restoreCheckpoint, { id, cid: old.id });
    expect((await projects.files(id)).get(filmPath)).toContain('"version": 1');
  });
});
