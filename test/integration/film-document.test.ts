import { readFile, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import { type Film, filmPath, type PlanDraft, planOfFilm, readFilm, scenePath } from '../../server/contract/film.ts';
import { type Project, projectSchema } from '../../server/contract/project.ts';
import { routes } from '../../server/contract/routes.ts';
import { type LeadingModelOptions, leadingModel, planOf } from '../fixtures/leading-model.ts';
import { type ModelServer, startModelServer } from '../fixtures/model-server.ts';
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

/** Who writes from now on. */
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

/** A change by message to a complete film, until it is complete again; the author's last words about it. */
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

/** Opens a project, whose sandbox is made for it. */
async function opened(id: string): Promise<void> {
  await vi.waitFor(() => studio.client.call(routes.files, { id }), { timeout: 60_000, interval: 500 });
}

/** The film, which has to say what the plan and the running page say. */
async function trueFilm(id: string): Promise<{ film: Film; files: Map<string, string> }> {
  const files = await projects.files(id);
  const { film } = readFilm(files.get(filmPath) ?? '');
  if (film === null) throw new Error('the film cannot be read');
  const { plan } = await projects.snapshot(id);
  const { id: _, revision: __, accepted: ___, caveat, ...outline } = plan ?? ({} as NonNullable<typeof plan>);
  expect(planOfFilm(film, caveat)).toEqual({ ...outline, caveat } satisfies PlanDraft);
  const stage = await studio.client.call(routes.film, { id });
  expect(stage.durationSeconds).toBe(film.durationSeconds);
  expect(stage.scenes.map((scene) => scene.id)).toEqual(film.scenes.map((scene) => scene.id));
  expect(film.parameters.map(({ name, default: value, scene }) => [name, value, scene]).toSorted()).toEqual(
    stage.parameters.map((one) => [one.name, one.default, one.scene]).toSorted(),
  );
  return { film, files };
}

const sources = ({ scenes }: Film) => scenes.map(({ source }) => source);

describe('a film goes from one author to the other', { timeout: 600_000 }, () => {
  it('X1 A9 X4: director, model, director, and a zip of it elsewhere: plan, scenes and parameters are true at each step', async () => {
    await author('director');
    const id = await made('A red ball bounces. Then a blue cube spins. Playful, 3 seconds');
    const first = await trueFilm(id);
    expect(sources(first.film)).toEqual(['document', 'document']);

    await author('model');
    const path = scenePath('scene-2');
    const byModel = `${(first.files.get(path) ?? '').replace(/^export const title = .*$/m, "export const title = 'By a model';")}// By a model\n`;
    behaviour = {
      asksFirst: false,
      plan: () => planOf(['never']),
      generated: () => ({ files: [{ path, content: byModel }], deleted: [], summary: 'Scene 2 is another one.' }),
      instead: ({ phase, todos, calls }) => {
        const todo = todos.find(({ status }) => status === 'active');
        const isPlanned = calls.some(({ name }) => name === 'plan_update');
        if (phase !== 'executing' || todo?.key.startsWith('change:') !== true || calls.length === 0 || isPlanned) return null;
        const { caveat, ...outline } = planOfFilm(first.film, null);
        const scenes = outline.scenes.map((scene) => (scene.number === 2 ? { ...scene, title: 'By a model' } : scene));
        return { calls: [{ name: 'plan_update', input: { plan: { ...outline, caveat, scenes } } }] };
      },
    };
    await change(id, 'let scene 2 be something that words cannot say');
    const second = await trueFilm(id);
    expect(sources(second.film)).toEqual(['document', 'code']);
    expect(second.film.scenes[1]?.title).toBe('By a model');

    await author('director');
    const said = await change(id, 'make the ball green, 4 seconds');
    const third = await trueFilm(id);
    expect(said).toContain('written in code (scene 2)');
    expect(third.film.durationSeconds).toBe(4);
    expect(third.files.get(path)).toBe(byModel);
    expect(third.files.get(scenePath('scene-1'))).not.toBe(second.files.get(scenePath('scene-1')));
    expect(sources(third.film)).toEqual(['document', 'code']);

    const zip = await (await fetch(`${studio.url}/api/projects/${id}/archive.zip`)).arrayBuffer();
    const response = await fetch(`${studio.url}/api/projects/import`, {
      method: 'POST',
      headers: { 'x-filename': 'elsewhere.zip', 'content-type': 'application/octet-stream' },
      body: zip,
    });
    expect(response.status).toBe(201);
    const imported: Project = projectSchema.parse(await response.json());
    await opened(imported.id);
    expect((await trueFilm(imported.id)).film).toEqual(third.film);
    const fourth = await change(imported.id, 'make it 5 seconds');
    expect(fourth).not.toBe('');
    const elsewhere = await trueFilm(imported.id);
    expect(elsewhere.film.durationSeconds).toBe(5);
    expect(elsewhere.files.get(path)).toBe(byModel);
    expect(sources(elsewhere.film)).toEqual(['document', 'code']);
    expect(elsewhere.film.parameters).toEqual(third.film.parameters);
  });

  it('X1 A9: model, director, model: a film that was never the director’s gets a document and takes feedback', async () => {
    await author('model');
    const withoutDocument = { asksFirst: false, plan: () => planOf(['Opening', 'Turn']) } satisfies LeadingModelOptions;
    behaviour = withoutDocument;
    const id = await made('a green cube spins, 640x360');
    const files = await projects.files(id);
    const first = await trueFilm(id);
    const path = scenePath('scene-1');
    const byModel = `${files.get(path) ?? ''}// By a model\n`;
    behaviour = {
      ...withoutDocument,
      generated: () => ({ files: [{ path, content: byModel }], deleted: [filmPath], summary: 'Another one.' }),
    };
    await change(id, 'another opening');
    expect(sources((await trueFilm(id)).film)[0]).toBe('code');

    await author('director');
    await change(id, 'make it 4 seconds');
    const second = await trueFilm(id);
    expect(second.film.durationSeconds).toBe(4);
    expect(second.files.get(path)).toBe(byModel);
    expect(second.film.title).toBe(first.film.title);

    await author('model');
    const again = `${byModel}// Again\n`;
    behaviour = { ...withoutDocument, generated: () => ({ files: [{ path, content: again }], deleted: [], summary: 'Again.' }) };
    await change(id, 'again');
    const third = await trueFilm(id);
    expect(third.files.get(path)).toBe(again);
    expect(third.film.durationSeconds).toBe(4);
  });
});

describe('a project of the version before, whose film.json is of version 1', { timeout: 600_000 }, () => {
  it('X1 A21: its back-up restores; it opens, renders, changes and rewinds', async () => {
    await studio.kill();
    const archive = await readFile(new URL('../fixtures/backup-version-1.tar.gz', import.meta.url));
    const signal = AbortSignal.timeout(60_000);
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
    const { items: kept } = await studio.client.call(routes.checkpoints, { id });
    const [old] = kept;
    if (old === undefined) throw new Error('there is no checkpoint');
    const atThen = await (await fetch(`${studio.url}/api/projects/${id}/checkpoints/${old.id}/files/${filmPath}`)).text();
    expect(atThen).toContain('"version": 1');

    await opened(id);
    const first = await trueFilm(id);
    expect(first.files.get(filmPath)).toContain('"version": 2');
    expect(sources(first.film)).toEqual(['document', 'document']);

    const { seq } = await projects.snapshot(id);
    const render = await studio.client.call(routes.startRender, { id, body: { kind: 'preview' } });
    await projects.until(id, seq, (event) => event.type === 'render.complete' && event.render.id === render.id);

    await change(id, 'make the cube green');
    const second = await trueFilm(id);
    const changed = [...second.files].filter(([path, text]) => first.files.get(path) !== text).map(([path]) => path);
    expect(changed.toSorted()).toEqual([filmPath, scenePath('scene-2')]);
    expect(sources(second.film)).toEqual(['document', 'document']);

    await studio.client.call(routes.restoreCheckpoint, { id, cid: old.id });
    const rewound = await projects.files(id);
    expect(rewound.get(scenePath('scene-2'))).toBe(first.files.get(scenePath('scene-2')));
    expect(rewound.get(filmPath)).toContain('"version": 1');
    await change(id, 'make it 6 seconds');
    const fourth = await trueFilm(id);
    expect([fourth.film.durationSeconds, sources(fourth.film)]).toEqual([6, ['document', 'document']]);
  });
});
