import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FilmOutline } from '#kinds/film/contract/film.ts';
import { localPerson } from '../server/access/access.ts';
import { languageModel } from '../server/llm/language-model.ts';
import type { ModelRequest } from '../server/llm/models/model.ts';
import { createProjectService, type ProjectService } from '../server/projects/commands.ts';
import { openDatabase } from '../server/storage/database.ts';
import { createStores } from '../server/storage/stores.ts';
import { checkedProjectDeps } from './fixtures/checked-project.ts';
import { checkedSandbox } from './fixtures/checked-sandbox.ts';
import { type ScriptedCall, scriptedModel, stateOf } from './fixtures/scripted-model.ts';

/** An image counts as many characters as its tokens have. */
const imageCharacters = 1_640 * 4;
const sheet = `/9j/${'A'.repeat(400)}`;
const scene = (number: number): FilmOutline['scenes'][number] => ({
  ...{ number, title: `Scene ${number}`, startSeconds: (number - 1) * 2, durationSeconds: 2 },
  ...{ description: 'A ball bounces. '.repeat(30), animationNotes: 'Entry, hold, exit. '.repeat(20) },
});
const plan: FilmOutline = {
  ...{ title: 'Ball', style: 'playful', aspect: '16:9', durationSeconds: 4, fps: 60, caveat: null },
  scenes: [scene(1), scene(2)],
};
const compilerErrors = Array.from(
  { length: 12 },
  (_, index) => `src/scenes/scene-1.tsx(${index + 3},7): error TS2304: Cannot find name 'bal${index}'. Did you mean 'ball'?`,
).join('\n');
const parameter = (index: number) => ({
  ...{ name: `text-${index}`, type: 'string', scene: 'scene-1', description: 'The words that this scene shows.', maxLength: 60 },
  default: 'Some words of the film',
});

let folder: string;
let database: ReturnType<typeof openDatabase>;
let projects: ProjectService;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'koda-size-'));
  database = openDatabase(folder);
});
afterEach(async () => {
  await projects.shutdown();
  database.close();
  await rm(folder, { recursive: true, force: true });
});

/** Returns what a scripted model asks for a film of two code scenes, the first of which has type errors at first. */
async function conversation(): Promise<{ requests: ModelRequest[]; moments: readonly (readonly number[])[] }> {
  const requests: ModelRequest[] = [];
  const stores = createStores(database);
  const { sandbox, checked } = checkedSandbox({
    compiler: (files) => ([...files.values()].some((text) => text.startsWith('wrong')) ? `${compilerErrors}\n` : ''),
    page: (_files, { atSeconds }) => ({
      contactSheet: atSeconds.length === 0 ? null : sheet,
      info: {
        ...{ durationSeconds: 4, width: 1920, height: 1080, fps: 60, scenes: [], audio: [] },
        parameters: Array.from({ length: 60 }, (_, index) => parameter(index)) as never[],
      },
    }),
  });
  let written = 0;
  const generator = scriptedModel((request) => {
    const task = JSON.stringify(request.messages);
    if (task.includes('initial_setup'))
      return [
        { name: 'write_files', input: { files: [{ path: 'src/theme.ts', content: 'x'.repeat(2_500) }], summary: 'Base.' } },
      ];
    written += 1;
    const path = task.includes('[2]') ? 'src/scenes/scene-2.tsx' : 'src/scenes/scene-1.tsx';
    return [
      {
        name: 'write_files',
        input: { files: [{ path, content: `${written === 1 ? 'wrong' : 'right'} ${'x'.repeat(12_000)}` }], summary: 'A scene.' },
      },
    ];
  });
  const steps = new Map<string, number>();
  const orchestrator = scriptedModel((request) => {
    requests.push(request);
    const { phase, todos } = stateOf(request);
    if (phase === 'idle' || phase === 'plan')
      return [{ name: 'request_approval', input: { type: 'plan', content: 'The plan', plan } }];
    const todo = todos.find(({ status }) => status !== 'done');
    if (todo === undefined) return 'Done.';
    const last = request.messages.flatMap(({ content }) => content).findLast((block) => block.type === 'tool_result');
    const step = (steps.get(todo.key) ?? 0) + 1;
    steps.set(todo.key, step);
    const done: ScriptedCall = { name: 'update_todo', input: { todo_id: todo.id, status: 'done' } };
    if (todo.key === 'preview') return [{ name: 'render_preview', input: {} }];
    if (last?.type === 'tool_result' && last.isError)
      return [
        {
          name: 'generate_code',
          input: { task: 'modify_existing', files: ['src/scenes/scene-1.tsx'], change: 'Fix the names.' },
        },
      ];
    if (step % 2 === 0) return [done];
    if (todo.key === 'check') return [{ name: 'check_animation', input: {} }];
    if (todo.key === 'setup') return [{ name: 'generate_code', input: { task: 'initial_setup', style: 'playful' } }];
    return [{ name: 'generate_code', input: { task: 'create_scene', scenes: [Number(todo.key.slice(-1))] } }];
  });
  const author = languageModel({ orchestrator: { ...orchestrator, supportsImages: true }, generator });
  projects = createProjectService(checkedProjectDeps({ stores, author, sandbox }));
  const person = projects.as(localPerson);
  const { id } = await person.create({ prompt: 'a ball bounces', style: 'smooth', kind: 'animation', start: true });
  for await (const event of stores.bus.follow(id, { afterSeq: 0, signal: AbortSignal.timeout(20_000) })) {
    if (event.type === 'error') throw new Error(event.message);
    if (event.type !== 'approval.requested') continue;
    if (event.approval.type === 'preview') break;
    await person.decidePlan(id, { action: 'accept' });
  }
  return { requests, moments: checked.moments };
}

function sizeOf({ system, tools, messages }: ModelRequest) {
  const blocks = messages.flatMap(({ content }) => content);
  const texts = blocks.map((block) =>
    block.type === 'tool_result' ? (block.shown ?? block.content).length : JSON.stringify(block).length,
  );
  const images = blocks.reduce((sum, block) => sum + (block.type === 'tool_result' ? (block.images?.length ?? 0) : 0), 0);
  const history = texts.reduce((sum, length) => sum + length, 0);
  const fixed = system.length + JSON.stringify(tools).length;
  return { tools: tools.length, fixed, history, images, total: fixed + history + images * imageCharacters };
}

it('46.3: the largest request of a film of two code scenes stays small', async () => {
  const { requests, moments } = await conversation();
  const sizes = requests.map(sizeOf);
  const largest = Math.max(...sizes.map(({ total }) => total));
  expect(requests.length).toBeLessThanOrEqual(9);
  expect(largest).toBeLessThan(55_000);
  expect(Math.max(...sizes.map(({ images }) => images))).toBe(2);
  // `generate_code` captures the frames that the todo needs, so `update_todo` captures none. The generated base has no check of its
  // own.
  expect(moments.map(({ length }) => length)).toEqual([3, 3, 12]);
});
