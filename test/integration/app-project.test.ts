import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { routes } from '#contract/routes.ts';
import { appRoutes } from '#kinds/app/contract/routes.ts';
import type { Edit } from '../../sandbox-image/templates/app/model/edits.ts';
import { startingPoint } from '../../server/kinds/app/starting-points.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

const library = startingPoint('tool-library');
if (library === null) throw new Error('There is no tool library.');
const { document } = library;
const shed = document.pages.find(({ id }) => id === 'shed')?.views[0];
if (shed?.view !== 'board') throw new Error('The shed has no board.');

let studio: Studio;
let projects: ReturnType<typeof projectsOf>;
let id: string;

beforeAll(async () => {
  studio = await startStudio({ sandbox: 'process' });
  projects = projectsOf(studio);
  const body = { kind: 'app', prompt: 'Our tools', hints: { document, start: 'tool-library' } };
  ({ id } = await studio.client.call(routes.createProject, { body }));
  await projects.waitForApproval(id, 'plan', 0);
});
afterAll(() => studio[Symbol.asyncDispose]());

const edit = (...edits: Edit[]) => studio.client.call(appRoutes.editApp, { id, body: { edits } });
const fileUrl = (path: string) => `${studio.url}/api/projects/${id}/files/${path}`;
const text = async (path: string) => await (await fetch(fileUrl(path))).text();

const limitOut = { ...shed, limits: { out: 4 } };

describe('an app', () => {
  it('is planned from its hints, and edited before it is built', async () => {
    expect(await studio.client.call(appRoutes.app, { id })).toMatchObject({ document: { name: 'Tool library' } });
    const { project } = await projects.snapshot(id);
    expect(project.chips.map(({ label }) => label)).toEqual(['3 lists', '5 pages', 'forest']);
    const renamed = await edit({ type: 'rename-app', name: 'Shed of Mill Court', was: 'Tool library' });
    expect(renamed).toMatchObject({ document: { name: 'Shed of Mill Court' }, notes: [] });
  });

  it('G4, G10: is built in seven steps, and every page is verified', async () => {
    const { seq } = await projects.snapshot(id);
    await projects.post(id, 'plan', { action: 'accept' });
    await projects.waitForApproval(id, 'preview', seq);
    const { todos, project } = await projects.snapshot(id);
    expect(todos.map(({ key, status, attempts }) => [key, status, attempts])).toEqual(
      ['validate', 'analyse', 'generate', 'write', 'install', 'restart', 'verify'].map((key) => [key, 'done', 1]),
    );
    expect(project).toMatchObject({ phase: 'preview', error: null, previewError: null });
    expect(JSON.parse(await text('src/app.json'))).toMatchObject({ name: 'Shed of Mill Court' });
    expect((await projects.files(id)).has('src/pages/borrow.tsx')).toBe(true);
    expect(await text('data/records.ndjson')).toContain('"name":"Hedge trimmer, 60 cm"');
  });

  it('follows an edit in its files', async () => {
    const { revision } = await studio.client.call(appRoutes.app, { id });
    const edited = await edit({ type: 'set-view', page: 'shed', view: limitOut, was: shed });
    expect(edited.revision).toBeGreaterThan(revision);
    await vi.waitFor(async () => expect(await text('src/pages/shed.tsx')).toContain('limits={{ out: 4 }}'), { interval: 200 });
  });

  it('keeps a page that was edited by hand, and says so', async () => {
    const mine = `${await text('src/pages/shed.tsx')}// mine\n`;
    expect((await fetch(fileUrl('src/pages/shed.tsx'), { method: 'PUT', body: mine })).status).toBe(200);
    const back: Edit = { type: 'set-view', page: 'shed', view: shed, was: limitOut };
    await expect(edit(back)).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('src/pages/shed.tsx') });
    await edit({ type: 'set-theme', theme: 'paper', was: 'forest' });
    await vi.waitFor(async () => expect(JSON.parse(await text('src/app.json'))).toMatchObject({ theme: 'paper' }), {
      interval: 200,
    });
    expect(await text('src/pages/shed.tsx')).toBe(mine);
  });
});
