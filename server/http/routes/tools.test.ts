import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorEnvelopeSchema, KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import { toolCallResultSchema } from '#contract/tools.ts';
import { type HttpFixture, httpFixture, memorySandbox } from '../../../test/fixtures/http.ts';
import { samplePlan, testPerson } from '../../../test/fixtures/storage.ts';
import { planFilm } from '../../kinds/film/author/plan-film.ts';
import { planOf } from '../../kinds/film/document/document.ts';
import { printFilm } from '../../kinds/film/document/print.ts';
import { formatOf } from '../../kinds/film/formats/catalogue.ts';
import { filmKind } from '../../kinds/film/kind.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { allTools } from '../../tools/catalogue.ts';
import { ToolRegistry } from '../../tools/tool.ts';

const shapes = formatOf('shapes')?.example;

let http: HttpFixture;
let id: string;
let files: Map<string, Buffer>;
let saved: string[];
/** How many calls run at the same time, now and at most. */
let running: { now: number; most: number };

const { film } = planFilm({
  ...{ prompt: 'Shopping:\n- milk\n- bread', answers: [], assets: [], seed: 1 },
  hints: { style: 'smooth', aspect: null, durationSeconds: null },
});

function workshop(projectId: string): Sandbox {
  const { listFiles, readFile, ...sandbox } = memorySandbox(projectId, files);
  return {
    ...sandbox,
    ...{ listFiles, readFile, id: newId('sbx'), projectId },
    async statFile(path: string) {
      return { path, type: 'file', sizeBytes: files.get(path)?.length ?? 0, executable: false };
    },
    async applyFiles({ changes }: Parameters<Sandbox['applyFiles']>[0]) {
      running = { now: running.now + 1, most: Math.max(running.most, running.now + 1) };
      await new Promise((resolve) => setTimeout(resolve, 10));
      running = { ...running, now: running.now - 1 };
      const written = changes.flatMap(({ path, content }) => {
        if (content === null) return [];
        files.set(path, Buffer.from(content));
        return [{ path, sizeBytes: content.length }];
      });
      return { applied: true, written, deleted: [] };
    },
  } as unknown as Sandbox;
}

beforeEach(async () => {
  files = new Map();
  saved = [];
  running = { now: 0, most: 0 };
  http = httpFixture({}, (stores) => ({
    http: {},
    session: {
      store: stores.projects,
      toolsOf: () => new ToolRegistry([...allTools, ...filmKind.ownTools]),
      authorize(actor, project, tool) {
        if (tool.name === 'sandbox_destroy') throw new KodaError('FORBIDDEN', `${actor.type} may not end ${project.id}.`);
      },
      sandboxes: {
        acquire: async (projectId) => ({ sandbox: workshop(projectId), fresh: false }),
        ...{ find: async () => null, isWaiting: () => false, waitedMs: () => 0, idleMs: () => 0 },
        ...{ current: () => null, list: async () => [], destroy: async () => undefined, removeCache: async () => undefined },
      },
      checkpoints: {
        async save(_projectId, trigger, { title = '' }) {
          saved.push(`${trigger}: ${title}`);
          return null;
        },
        ...{ restore: async () => null, restoreTo: async () => null, removeAll: async () => undefined },
        find: () => Promise.reject(new Error('There is no history here.')),
      },
    },
  }));
  id = await project('complete');
});
afterEach(() => http[Symbol.dispose]());

async function project(phase: 'complete', more: readonly EventBody[] = []): Promise<string> {
  const projectId = newId('prj');
  await http.stores.projects.create({
    by: testPerson,
    ...{ id: projectId, name: 'Shopping', kind: 'animation', prompt: 'Shopping' },
    hints: { style: null, aspect: null, durationSeconds: null },
    events: [
      { type: 'plan.proposed', plan: { ...samplePlan({ accepted: true }), ...planOf(film) } },
      { type: 'project.phase', phase, previous: 'idle', error: null },
      ...more,
    ],
  });
  return projectId;
}

const call = async (name: string, input: unknown, projectId = id) => {
  const response = await http.send('POST', `/api/projects/${projectId}/tools/${name}`, input);
  const body: unknown = await response.json();
  if (response.status !== 200) return errorEnvelopeSchema.parse(body).error;
  return toolCallResultSchema.parse(body).result;
};

describe('tools of a project', () => {
  it('T1: are listed with their schemas, without those that belong to an author’s run', async () => {
    const { tools } = (await (await http.call(`/api/projects/${id}/tools`)).json()) as { tools: { name: string }[] };
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['sandbox_write_file', 'set_scenes', 'render_final']));
    for (const own of ['update_todo', 'request_approval', 'generate_code', 'show_surface']) expect(names).not.toContain(own);
  });

  it('T1: record a call, save its changes once, and return its output', async () => {
    expect(await call('sandbox_write_file', { path: 'src/a.ts', content: 'a' })).toMatchObject({
      ...{ status: 'completed', output: { path: 'src/a.ts', size_bytes: 1 } },
    });
    expect(files.get('src/a.ts')?.toString()).toBe('a');
    expect(saved).toEqual(['written: Wrote src/a.ts']);
    const { tools } = await http.stores.projects.snapshot(id);
    expect(tools).toMatchObject([{ name: 'sandbox_write_file', summary: 'Wrote src/a.ts', error: null }]);
  });

  it('T1: return failures as results, and save nothing then', async () => {
    expect(await call('sandbox_write_file', { path: '../etc/passwd', content: 'a' })).toMatchObject({ status: 'error' });
    expect(await call('sandbox_write_file', { path: 5 })).toMatchObject({ status: 'error', code: 'VALIDATION_ERROR' });
    expect(saved).toEqual([]);
  });

  it('T1: do not exist if unknown, for authors alone, or in another project', async () => {
    expect(await call('rm', {})).toMatchObject({ code: 'TOOL_NOT_FOUND' });
    expect(await call('update_todo', { todo_id: 'x', status: 'done' })).toMatchObject({ code: 'TOOL_NOT_FOUND' });
    expect(await call('sandbox_list_files', {}, newId('prj'))).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('T1: ask the authorisation hook before anything runs', async () => {
    expect(await call('sandbox_destroy', {})).toMatchObject({ code: 'FORBIDDEN', message: `person may not end ${id}.` });
    expect((await http.stores.projects.snapshot(id)).tools).toEqual([]);
  });

  it('T1: change one project one after the other', async () => {
    const paths = ['a', 'b', 'c', 'd'].map((name) => `src/${name}.ts`);
    await Promise.all(paths.map((path) => call('sandbox_write_file', { path, content: path })));
    expect([running.most, [...files.keys()].sort(), saved.length]).toEqual([1, paths, 4]);
  });

  it('A4 X7: set the scenes of a finished film, whose files follow at once', async () => {
    for (const { path, content } of printFilm(film)) files.set(path, Buffer.from(content));
    const look = { title: 'Other', style: 'smooth', theme: 'forest', aspect: '16:9', fps: 60 };
    const scenes = [
      {
        format: 'list',
        props: { title: null, items: [{ text: 'Tea', icon: null, detail: null, value: null }], numbered: false, highlight: null },
      },
    ];
    const answer = await call('set_scenes', { ...look, scenes });
    expect(answer, JSON.stringify(answer)).toMatchObject({ status: 'completed' });
    const { plan } = await http.stores.projects.state(id);
    expect(plan).toMatchObject({ accepted: true, title: 'Other', document: { theme: 'forest' } });
    expect(files.get('src/film.json')?.toString()).toContain('"Tea"');
  });

  it('A4 A5: set the scenes of a plan that waits for approval, which can still be accepted', async () => {
    const planId = newId('plan');
    const approval = {
      id: newId('apr'),
      type: 'plan' as const,
      content: 'A plan.',
      options: [],
      planId,
      at: new Date().toISOString(),
    };
    const waiting = await project('complete', [
      { type: 'plan.proposed', plan: { ...samplePlan(), ...planOf(film), id: planId, revision: 2, accepted: false } },
      { type: 'project.phase', phase: 'plan', previous: 'complete', error: null },
      { type: 'approval.requested', approval },
    ]);
    const look = { title: 'Other', style: 'smooth', theme: 'forest', aspect: '16:9', fps: 60 };
    expect(await call('set_scenes', { ...look, scenes: [{ format: 'shapes', props: shapes }] }, waiting)).toMatchObject({
      status: 'completed',
    });
    expect((await http.stores.projects.state(waiting)).plan).toMatchObject({ id: planId, revision: 3, title: 'Other' });
  });
});
