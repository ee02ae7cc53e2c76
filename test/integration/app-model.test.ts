import { afterAll, beforeAll, expect, it } from 'vitest';
import { routes } from '#contract/routes.ts';
import { appRoutes } from '#kinds/app/contract/routes.ts';
import { type Answer, type ModelServer, startModelServer, type WireRequest } from '../fixtures/model-server.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

const tasks = {
  ...{ id: 'tasks', name: 'Tasks', one: 'task' },
  fields: [{ name: 'What', type: 'text', needed: true }, 'Note'],
};
const app = {
  ...{ name: 'Chores', theme: 'forest', lists: [tasks], caveat: null },
  pages: [{ name: 'Tasks', icon: 'list-checks', views: [{ view: 'table', list: 'tasks' }] }],
  samples: { tasks: [{ what: 'Water the plants' }, { what: 'Empty the bin', note: 'On Mondays' }] },
};
const board = { name: 'Board', icon: 'kanban', views: [{ view: 'board', list: 'tasks', columns: 'priority' }] };
const change = {
  edits: [
    { type: 'rename-field', list: 'tasks', field: 'what', name: 'Chore' },
    { type: 'add-field', list: 'tasks', field: { name: 'Priority', type: 'choice', choices: ['High', 'Low'] } },
    { type: 'add-page', page: board },
  ],
  summary: 'Tasks have a priority now, and a board shows them by it.',
};

const toolOf = ({ tools: [tool] }: WireRequest) => tool?.name ?? '';

function answer(request: WireRequest): Answer {
  const name = toolOf(request);
  return { calls: [{ name, input: name === 'write_app' ? app : change }], usage: { input: 3_000, output: 300 } };
}

let studio: Studio;
let server: ModelServer;
let projects: ReturnType<typeof projectsOf>;

beforeAll(async () => {
  server = await startModelServer(answer);
  studio = await startStudio({ sandbox: 'process' });
  projects = projectsOf(studio);
});
afterAll(async () => {
  await studio?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

it('makes an app in words with a key, and changes it by a message: its records survive, and a checkpoint undoes it', async () => {
  const body = { provider: 'server', baseUrl: server.url, orchestrator: 'claude-sonnet-5-5', apiKey: 'sk-test' } as const;
  await studio.client.call(routes.saveModel, { body });
  const created = await studio.client.call(routes.createProject, {
    body: { kind: 'app', prompt: 'Chores of our flat', hints: {} },
  });
  const { id } = created;
  const planned = await projects.waitForApproval(id, 'plan', 0);
  const document = async () => (await studio.client.call(appRoutes.app, { id })).document;
  expect(await document()).toMatchObject({ name: 'Chores', theme: 'forest', lists: [{ id: 'tasks', one: 'task' }] });
  await projects.post(id, 'plan', { action: 'accept' });
  const built = await projects.waitForApproval(id, 'preview', planned.seq);
  const records = async () => await (await fetch(`${studio.url}/api/projects/${id}/files/data/records.ndjson`)).text();
  expect(await records()).toContain('"what":"Empty the bin"');
  const { items: before } = await studio.client.call(routes.checkpoints, { id, query: {} });

  await projects.post(id, 'messages', { content: 'add a priority to tasks and show a board by it' });
  await projects.waitForApproval(id, 'preview', built.seq);
  expect(server.complaints).toEqual([]);
  expect(server.requests.map(toolOf)).toEqual(['write_app', 'change_app']);
  const [list] = (await document()).lists;
  expect(list?.fields.map((field) => [field.id, field.name])).toEqual([
    ['what', 'Chore'],
    ['note', 'Note'],
    ['priority', 'Priority'],
  ]);
  expect((await projects.files(id)).get('src/pages/board.tsx')).toContain('columns="priority"');
  const { messages, project, todos } = await projects.snapshot(id);
  expect(messages.map(({ content }) => content)).toContain(change.summary);
  expect([project.phase, todos.every(({ status }) => status === 'done')]).toEqual(['preview', true]);
  expect(await records()).toContain('"what":"Empty the bin"');

  const [last] = before;
  if (last === undefined) throw new Error('There is no checkpoint.');
  await studio.client.call(routes.restoreCheckpoint, { id, cid: last.id });
  expect((await document()).lists[0]?.fields.map(({ name }) => name)).toEqual(['What', 'Note']);
  expect(await records()).toContain('"what":"Empty the bin"');
});
