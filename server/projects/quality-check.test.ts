import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProjectEvent } from '#contract/events.ts';
import type { LayoutFinding } from '#contract/sandbox/answers.ts';
import type { FilmOutline } from '#kinds/film/contract/film.ts';
import { checkedProjectDeps } from '../../test/fixtures/checked-project.ts';
import { checkedSandbox } from '../../test/fixtures/checked-sandbox.ts';
import { type ScriptedCall, scriptedAuthor, stateOf } from '../../test/fixtures/scripted-model.ts';
import { localPerson } from '../access/access.ts';
import { builtInAuthor } from '../kinds/film/author/author.ts';
import { filmKind } from '../kinds/film/kind.ts';
import type { ContentBlock, ModelRequest } from '../llm/models/model.ts';
import { openDatabase } from '../storage/database.ts';
import { createStores } from '../storage/stores.ts';
import type { Author } from './author.ts';
import { createProjectService, type ProjectService } from './commands.ts';

const scene = (number: number): FilmOutline['scenes'][number] => ({
  number,
  title: `Scene ${number}`,
  startSeconds: (number - 1) * 2,
  durationSeconds: 2,
  description: 'A ball.',
  animationNotes: 'Entry, hold, exit.',
});
const plan: FilmOutline = {
  title: 'Ball',
  style: 'playful',
  aspect: '16:9',
  durationSeconds: 4,
  fps: 60,
  scenes: [scene(1), scene(2)],
  caveat: null,
};
const propose = { name: 'request_approval', input: { type: 'plan', content: 'The plan', plan } };
const write = (path: string, content: string) => ({ name: 'sandbox_write_file', input: { path, content } });
const preview = { name: 'render_preview', input: {} };
const compilerSays = "src/scenes/scene-1.tsx(3,7): error TS2304: Cannot find name 'bal'.\n";
/** A file that contains `bal` does not compile. */
const compiler = (files: ReadonlyMap<string, string>) =>
  [...files.values()].some((text) => text.includes('bal ')) ? compilerSays : '';

/** The scripted models write files with a tool that films do not offer. */
const { offeredTools: _, ...kind } = filmKind;

type Act = (todo: { id: string; key: string; attempts: number }, request: ModelRequest) => readonly ScriptedCall[] | string;

let folder: string;
let database: ReturnType<typeof openDatabase>;
let stores: ReturnType<typeof createStores>;
let projects: ProjectService;
let workshop: ReturnType<typeof checkedSandbox>;
let renders: number;

/** Creates a project whose model proposes the plan, then runs `act` for the first unfinished todo. */
function start(act: Act, sandbox: ReturnType<typeof checkedSandbox>): void {
  startWith(
    scriptedAuthor((request) => {
      const { phase, todos } = stateOf(request);
      if (phase === 'idle' || phase === 'plan') return [propose];
      const todo = todos.find(({ status }) => status !== 'done');
      return todo === undefined ? 'Done.' : act(todo, request);
    }),
    sandbox,
  );
}

function startWith(author: Author, sandbox: ReturnType<typeof checkedSandbox>): void {
  workshop = sandbox;
  projects = createProjectService(
    checkedProjectDeps({ stores, author, sandbox: workshop.sandbox, kind, onRender: () => (renders += 1) }),
  );
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'koda-quality-'));
  database = openDatabase(folder);
  stores = createStores(database);
  renders = 0;
});
afterEach(async () => {
  await projects.shutdown();
  database.close();
  await rm(folder, { recursive: true, force: true });
});

async function until(projectId: string, matches: (event: ProjectEvent) => boolean, afterSeq = 0): Promise<ProjectEvent> {
  for await (const event of stores.bus.follow(projectId, { afterSeq, signal: AbortSignal.timeout(10_000) })) {
    if (matches(event)) return event;
  }
  throw new Error('the stream of events ended');
}

async function toExecuting(): Promise<string> {
  const { id } = await projects
    .as(localPerson)
    .create({ prompt: 'a ball bounces', style: 'smooth', kind: 'animation', start: true });
  await until(id, (event) => event.type === 'approval.requested' && event.approval.type === 'plan');
  await projects.as(localPerson).decidePlan(id, { action: 'accept' });
  return id;
}
const failure = (id: string) => until(id, (event) => event.type === 'error');
const shown = (id: string) => until(id, (event) => event.type === 'approval.requested' && event.approval.type === 'preview');
const done = (todo: { id: string }) => ({ name: 'update_todo', input: { todo_id: todo.id, status: 'done' } });

/** Returns the call results that the model has received so far. */
const results = (request: ModelRequest) =>
  request.messages.flatMap(({ content }) =>
    content.filter((block): block is Extract<ContentBlock, { type: 'tool_result' }> => block.type === 'tool_result'),
  );

describe('checks of finished work', () => {
  it('A8: ends in a retryable error with evidence after three compile failures', async () => {
    let turns = 0;
    start((todo) => {
      if (todo.key !== 'scene:1') return [done(todo)];
      turns += 1;
      return [write('src/scenes/scene-1.tsx', `const x = bal ; // ${turns}`), done(todo)];
    }, checkedSandbox({ compiler }));
    const id = await toExecuting();
    await failure(id);
    const { project, todos, messages } = await stores.projects.state(id);
    expect(project).toMatchObject({ phase: 'error', error: { code: 'GENERATION_FAILED', canRetry: true } });
    expect(project.error?.message).toContain('Scene 1');
    expect(project.error?.message).toContain("src/scenes/scene-1.tsx(3,7): error TS2304: Cannot find name 'bal'");
    expect(project.error?.message).toContain('Retry, or tell me what to change');
    expect(todos.find(({ key }) => key === 'scene:1')).toMatchObject({ status: 'failed', attempts: 3 });
    expect(messages.at(-1)?.role).toBe('assistant');
    expect(turns).toBe(3);
    expect(renders).toBe(0);
  });

  it('A8: returns the evidence to the model and accepts a repair on the second attempt', async () => {
    const told: string[] = [];
    start((todo, request) => {
      if (todo.key === 'preview') return [preview];
      if (todo.key !== 'scene:1') return [done(todo)];
      const last = results(request).at(-1);
      if (last?.isError !== true) return [write('src/scenes/scene-1.tsx', 'const x = bal ;'), done(todo)];
      told.push(last.content);
      return [write('src/scenes/scene-1.tsx', 'const x = 1;'), done(todo)];
    }, checkedSandbox({ compiler }));
    const id = await toExecuting();
    await shown(id);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('CHECK_FAILED');
    expect(told[0]).toContain('scene-1.tsx(3,7): error TS2304');
    expect(told[0]).toContain('attempt 1 of 3');
    const { todos } = await stores.projects.state(id);
    expect(todos.every(({ status }) => status === 'done')).toBe(true);
    expect(todos.find(({ key }) => key === 'scene:1')).toMatchObject({ attempts: 2 });
  });

  it('A8: does not render a preview of an unchecked film with problems', async () => {
    const page = () => ({ console: [{ level: 'error' as const, text: 'ball is not defined' }] });
    start(() => [preview], checkedSandbox({ page }));
    const id = await toExecuting();
    await failure(id);
    expect((await stores.projects.get(id)).error?.message).toContain('ball is not defined');
    expect(renders).toBe(0);
  });

  it('A8: does not skip a step’s checks by advancing to the next step', async () => {
    const told: string[] = [];
    start((todo, request) => {
      if (todo.key === 'preview') return [preview];
      if (todo.key !== 'scene:1') return [{ name: 'plan_advance', input: {} }];
      const last = results(request).at(-1);
      if (last?.isError === true) told.push(last.content);
      return [write('src/scenes/scene-1.tsx', `const x = bal ; // ${told.length}`), { name: 'plan_advance', input: {} }];
    }, checkedSandbox({ compiler }));
    const id = await toExecuting();
    await failure(id);
    const { todos } = await stores.projects.state(id);
    expect(todos.map(({ key, status }) => [key, status])).toEqual([
      ['setup', 'done'],
      ['scene:1', 'failed'],
      ['scene:2', 'pending'],
      ['check', 'pending'],
      ['preview', 'pending'],
    ]);
    expect(told.map((content) => /attempt \d of 3/.exec(content)?.[0])).toEqual(['attempt 1 of 3', 'attempt 2 of 3']);
  });

  it('A8: counts a failed preview check without an active todo as an attempt of the preview todo', async () => {
    const told: string[] = [];
    let tries = 0;
    start(
      (todo, request) => {
        if (todo.key !== 'check') return [done(todo)];
        const last = results(request).at(-1);
        if (last?.isError === true) told.push(last.content);
        tries += 1;
        const putBack = { name: 'update_todo', input: { todo_id: todo.id, status: 'pending' } };
        return [putBack, write('src/broken.ts', String(tries)), preview];
      },
      checkedSandbox({
        page: (files) => (files.has('src/broken.ts') ? { console: [{ level: 'error', text: 'ball is not defined' }] } : {}),
      }),
    );
    const id = await toExecuting();
    await failure(id);
    expect(tries).toBe(3);
    expect(told.map((content) => /attempt \d of 3/.exec(content)?.[0])).toEqual(['attempt 1 of 3', 'attempt 2 of 3']);
    const { project, todos } = await stores.projects.state(id);
    expect(todos.find(({ key }) => key === 'preview')).toMatchObject({ status: 'failed', attempts: 3 });
    expect(project.error?.message).toContain('ball is not defined');
    expect(renders).toBe(0);
  });

  it('A8: counts each failed check of the finished film as an attempt of its todo', async () => {
    const page = () => ({ console: [{ level: 'error' as const, text: 'ball is not defined' }] });
    // The work of an author that cannot repair it is checked only when the film is complete.
    startWith(builtInAuthor, checkedSandbox({ page }));
    const id = await toExecuting();
    await failure(id);
    expect(workshop.checked.moments.map((moments) => moments.length)).toEqual([12, 12, 12]);
    const { todos, project } = await stores.projects.state(id);
    expect(todos.find(({ key }) => key === 'check')).toMatchObject({ status: 'failed' });
    expect(project.error?.message).toContain('ball is not defined');
    expect(renders).toBe(0);
  });

  it('A8: checks neither unchanged files again, nor files that Koda printed on their own', async () => {
    start((todo) => {
      if (todo.key === 'preview') return [preview];
      if (todo.key === 'check') return [{ name: 'check_animation', input: {} }, done(todo)];
      return [write(`src/${todo.key.replace(':', '-')}.ts`, 'x'), done(todo)];
    }, checkedSandbox());
    const id = await toExecuting();
    await shown(id);
    // Two scenes and the whole film, which the final todo and the preview do not check again.
    expect(workshop.checked.types).toBe(3);
    expect(workshop.checked.moments.map((moments) => moments.length)).toEqual([3, 3, 12]);
    const [first = [], second = []] = workshop.checked.moments;
    expect(Math.max(...first)).toBeLessThan(2);
    expect(Math.min(...second)).toBeGreaterThan(2);
  });

  it('A8: ignores a pending scene during earlier todos and reports it at the end', async () => {
    const missing =
      "src/App.tsx(2,25): error TS2307: Cannot find module './scenes/scene-2.tsx' or its corresponding type declarations.\n";
    const verdict = (files: ReadonlyMap<string, string>) => (files.has('src/scenes/scene-2.tsx') ? '' : missing);
    start(
      (todo) => {
        if (todo.key === 'setup') return [write('src/App.tsx', 'x'), done(todo)];
        if (todo.key === 'scene:1') return [write('src/scenes/scene-1.tsx', 'x'), done(todo)];
        return [done(todo)];
      },
      checkedSandbox({ compiler: verdict }),
    );
    const id = await toExecuting();
    await failure(id);
    const { todos } = await stores.projects.state(id);
    expect(todos.map(({ status }) => status)).toEqual(['done', 'done', 'failed', 'pending', 'pending']);
    // A page that cannot load yet is not checked; once all of its files are due, it is.
    expect(workshop.checked.moments).toHaveLength(3);
    expect(Math.min(...workshop.checked.moments.flat())).toBeGreaterThan(2);
  });

  it('A8: resets the attempts of a todo on retry', async () => {
    let isFixed = false;
    start((todo) => {
      if (todo.key === 'preview') return [preview];
      if (todo.key !== 'scene:1') return [done(todo)];
      return [write('src/scenes/scene-1.tsx', isFixed ? 'x' : 'const x = bal ;'), done(todo)];
    }, checkedSandbox({ compiler }));
    const id = await toExecuting();
    const { seq } = await failure(id);
    isFixed = true;
    await until(id, (event) => event.type === 'run.finished', seq - 3);
    await projects.as(localPerson).retry(id);
    await shown(id);
    expect((await stores.projects.get(id)).phase).toBe('preview');
  });

  it('A8: reports warnings once and never fails a film for them', async () => {
    const told: string[] = [];
    const layout: LayoutFinding[] = [
      { kind: 'text_contrast', selector: 'h1', text: 'Snow', otherText: null, amount: 1.1, seconds: [1] },
    ];
    start(
      (todo, request) => {
        if (todo.key === 'preview') return [preview];
        if (todo.key !== 'scene:1')
          return todo.key === 'check' ? [{ name: 'check_animation', input: {} }, done(todo)] : [done(todo)];
        const last = results(request).at(-1);
        if (last?.isError === true) told.push(last.content);
        return [write('src/scenes/scene-1.tsx', `x${told.length}`), done(todo)];
      },
      checkedSandbox({ page: (_files, { atSeconds }) => ({ layout: atSeconds.length === 3 ? layout : [] }) }),
    );
    const id = await toExecuting();
    await shown(id);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('“Snow”');
    expect(told[0]).toContain('call this again unchanged');
    const { todos } = await stores.projects.state(id);
    expect(todos.find(({ key }) => key === 'scene:1')).toMatchObject({ status: 'done', attempts: 1 });
  });

  it('A8: ends the run with the model’s last message when it fails a todo itself', async () => {
    let turns = 0;
    start((todo) => {
      turns += 1;
      return [
        { name: 'add_message', input: { content: 'The sky has no blue left.' } },
        { name: 'update_todo', input: { todo_id: todo.id, status: 'failed' } },
      ];
    }, checkedSandbox());
    const id = await toExecuting();
    await failure(id);
    const { error } = await stores.projects.get(id);
    expect(error).toMatchObject({ code: 'GENERATION_FAILED', canRetry: true });
    expect(error?.message).toContain('The sky has no blue left.');
    expect(turns).toBe(1);
  });
});
