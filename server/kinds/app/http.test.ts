import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectRequestSchema } from '#contract/api.ts';
import { errorEnvelopeSchema } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import { appRoutes } from '#kinds/app/contract/routes.ts';
import { type HttpFixture, httpFixture } from '../../../test/fixtures/http.ts';
import { testPerson } from '../../../test/fixtures/storage.ts';
import { localPerson } from '../../access/access.ts';
import { newApp, planOf } from './document.ts';
import { appKind } from './kind.ts';
import { startingPoint } from './starting-points.ts';

const library = startingPoint('tool-library');
if (library === null) throw new Error('There is no tool library.');

let http: HttpFixture;
let id: string;

beforeAll(async () => {
  http = httpFixture({ kinds: new Map([[appKind.id, appKind]]) });
  const request = createProjectRequestSchema.parse({ kind: 'app', prompt: 'Our tools', start: false });
  ({ id } = await http.projects.as(localPerson).create(request));
});
afterAll(() => http[Symbol.dispose]());

const edit = async (edits: unknown) => await http.send('PATCH', `/api/projects/${id}/app`, { edits });

const plan = async () => {
  const draft = planOf(newApp(library.document, 'tool-library'));
  const events: EventBody[] = [
    { type: 'plan.proposed', plan: { ...draft, id: newId('plan'), revision: 1, accepted: true } },
    { type: 'project.phase', phase: 'complete', previous: 'idle', error: null },
  ];
  await http.stores.projects.record(id, events, { by: testPerson });
};

describe('the API of apps', () => {
  it('is described like all others', async () => {
    const { paths } = (await (await http.call('/api/openapi.json')).json()) as {
      paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>>;
    };
    for (const { path, method } of [appRoutes.app, appRoutes.editApp, appRoutes.starts]) {
      const schema = JSON.stringify(paths[path]?.[method]?.responses['200']?.content['application/json']?.schema);
      expect(schema).toContain('"pages"');
      expect(schema).toContain('"calendar"');
    }
  });

  it('lists the starting points', async () => {
    const starts = appRoutes.starts.response.parse(await (await http.call('/api/app/starts')).json());
    expect(starts).toHaveLength(12);
    expect(starts.find((start) => start.id === 'tool-library')).toMatchObject({
      ...{ name: 'Tool library', theme: 'forest', views: ['table', 'board', 'calendar', 'detail', 'form'] },
    });
  });

  it('says that there is no document before the plan', async () => {
    const response = await http.call(`/api/projects/${id}/app`);
    expect(response.status).toBe(404);
    expect(errorEnvelopeSchema.parse(await response.json()).error.message).toContain('has not been planned yet');
  });

  it('edits the document, and says what else it changed', async () => {
    await plan();
    const before = appRoutes.app.response.parse(await (await http.call(`/api/projects/${id}/app`)).json());
    expect(before).toEqual({ revision: 1, document: library.document });
    const removed = { type: 'remove-field', list: 'tools', field: 'kind', atIso: '2027-02-03T10:00:00Z' };
    const response = await edit([removed, { type: 'set-theme', theme: 'paper', was: 'forest' }]);
    const after = appRoutes.editApp.response.parse(await response.json());
    expect(after).toMatchObject({ revision: 2, document: { theme: 'paper' } });
    expect(after.notes.length).toBeGreaterThan(0);
    const stale = await edit([{ type: 'set-theme', theme: 'candy', was: 'forest' }]);
    expect(stale.status).toBe(409);
  });

  it('refuses what is no edit', async () => {
    for (const edits of [[], [{ type: 'delete-everything' }], [{ type: 'set-theme', theme: 'neon', was: 'paper' }], 'all'])
      expect((await edit(edits)).status).toBe(400);
  });
});
