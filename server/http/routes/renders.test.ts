import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorEnvelopeSchema, KodaError } from '#contract/errors.ts';
import { queuePositionSchema, renderEstimateSchema } from '#contract/estimate.ts';
import { newId } from '#contract/ids.ts';
import { type HttpFixture, httpFixture } from '../../../test/fixtures/http.ts';
import { noteKind } from '../../../test/fixtures/note-kind.ts';
import { newProject, samplePlan, testPerson } from '../../../test/fixtures/storage.ts';
import { localPerson } from '../../access/access.ts';
import { resolveSettings } from '../../renders/settings.ts';
import type { RenderAccess } from '../deps.ts';

let http: HttpFixture;
let projectId: string;
const waiting = newId('rnd');

beforeEach(async () => {
  const absent = () => Promise.reject(new Error('not part of this test'));
  const renders: RenderAccess = {
    estimate: async (_id, request, film) => ({
      settings: resolveSettings(request, film),
      frames: 30,
      workSeconds: 12.5,
      workRangeSeconds: { from: 10, to: 16.25 },
      sizeBytes: null,
      basis: 'project',
      rough: false,
      ahead: 1,
      waitSeconds: null,
    }),
    queued: async () => [{ renderId: waiting, position: 2, ahead: 1, startsInSeconds: 8 }],
    describe: absent,
    get: absent,
    list: async () => [],
    remove: async () => undefined,
    filePath: async () => null,
    live: absent,
  };
  http = httpFixture({ renders });
  projectId = (await http.stores.projects.create(newProject())).id;
});
afterEach(() => http[Symbol.dispose]());

const estimate = (body: unknown) => http.send('POST', `/api/projects/${projectId}/renders/estimate`, body);
async function finish(durationSeconds: number, { of, in: { stores } } = { of: projectId, in: http }) {
  const plan = samplePlan({ accepted: true, durationSeconds });
  await stores.projects.record(
    of,
    [
      { type: 'plan.proposed', plan },
      { type: 'project.phase', phase: 'complete', previous: 'idle', error: null },
    ],
    { by: testPerson },
  );
}
const errorOf = async (response: Response) => errorEnvelopeSchema.parse(await response.json()).error;

describe('render estimates', () => {
  it('A5 A18: rejects an estimate before there is a film', async () => {
    const refused = await estimate({});
    expect([refused.status, (await errorOf(refused)).code]).toEqual([409, 'INVALID_TRANSITION']);
  });

  it('A18: returns complete settings, time and wait', async () => {
    await finish(6);
    const answer = await estimate({ resolution: '720p', fps: 30 });
    expect(answer.status).toBe(200);
    expect(renderEstimateSchema.parse(await answer.json())).toMatchObject({
      settings: { width: 1280, height: 720, fps: 30, durationSeconds: 6 },
      workSeconds: 12.5,
      ahead: 1,
    });
  });

  it("A17: rejects a film over a preset's limit, and names the limit", async () => {
    await finish(91);
    const refused = await estimate({ preset: 'reels' });
    expect(refused.status).toBe(422);
    expect(await errorOf(refused)).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { maxSeconds: 90, durationSeconds: 91 },
      recovery: { action: 'shorten_film' },
    });
    const badField = await estimate({ fps: 31 });
    expect([badField.status, (await errorOf(badField)).details?.['field']]).toEqual([400, 'fps']);
  });

  it('A18: returns the queue positions of waiting renders', async () => {
    const answer = await http.call(`/api/projects/${projectId}/renders/queue`);
    const { items } = (await answer.json()) as { items: unknown[] };
    expect(items.map((item) => queuePositionSchema.parse(item))).toEqual([
      { renderId: waiting, position: 2, ahead: 1, startsInSeconds: 8 },
    ]);
    expect((await http.call(`/api/projects/${newId('prj')}/renders/queue`)).status).toBe(404);
  });

  it('H8: starts no render and no project on a full disk, whichever door the command comes through', async () => {
    const full = () => Promise.reject(new KodaError('STORAGE_FULL', 'The disk is full.'));
    const disk = { assertFreeSpace: full, isLow: async () => true };
    using fullHttp = httpFixture({}, () => ({ session: { disk }, http: {} }));
    const { id } = await fullHttp.stores.projects.create(newProject());
    await finish(6, { of: id, in: fullHttp });
    const commands = fullHttp.projects.as(localPerson);
    const prompt = { prompt: 'A ball', kind: 'animation', start: false };
    await expect(commands.render(id, { kind: 'final' })).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    await expect(commands.create(prompt)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect((await fullHttp.send('POST', `/api/projects/${id}/renders`, { kind: 'final' })).status).toBe(507);
    expect((await fullHttp.send('POST', '/api/projects', prompt)).status).toBe(507);
    expect((await fullHttp.stores.projects.list({ cursor: null, limit: 10, search: null })).items).toHaveLength(1);
  });

  it('A26: refuses to render a project whose kind renders nothing', async () => {
    using noteHttp = httpFixture({ kinds: new Map([[noteKind.id, noteKind]]) });
    const { id } = await noteHttp.stores.projects.create({ ...newProject(), kind: noteKind.id });
    const response = await noteHttp.send('POST', `/api/projects/${id}/renders/estimate`, { kind: 'final', format: 'mp4' });
    expect([response.status, await errorOf(response)]).toMatchObject([
      409,
      {
        code: 'INVALID_TRANSITION',
        message: expect.stringContaining('nothing to render'),
        recovery: { action: 'export_project' },
      },
    ]);
  });
});
