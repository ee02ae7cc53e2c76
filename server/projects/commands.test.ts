import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProjectRequestSchema } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import type { ProjectEvent } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import type { Phase } from '#contract/project.ts';
import type { Render } from '#contract/render.ts';
import type { FilmOutline } from '#kinds/film/contract/film.ts';
import { checkedSandbox } from '../../test/fixtures/checked-sandbox.ts';
import { filmIn, outlineIn } from '../../test/fixtures/plans.ts';
import { filmWithoutFinal, noRenderer } from '../../test/fixtures/renderer.ts';
import { sampleProbe, sampleRender, sampleSettings } from '../../test/fixtures/renders.ts';
import { type ScriptedTurn, scriptedAuthor, stateOf } from '../../test/fixtures/scripted-model.ts';
import { newProject, rethrow, testPerson } from '../../test/fixtures/storage.ts';
import { localPerson } from '../access/access.ts';
import { builtInAuthor } from '../kinds/film/author/author.ts';
import { filmKind } from '../kinds/film/kind.ts';
import type { ModelRequest } from '../llm/models/model.ts';
import { resolveSettings } from '../renders/settings.ts';
import { openDatabase } from '../storage/database.ts';
import { createStores } from '../storage/stores.ts';
import { allTools } from '../tools/catalogue.ts';
import { ToolRegistry } from '../tools/tool.ts';
import { createProjectService, type ProjectService } from './commands.ts';
import type { ProjectDeps } from './deps.ts';
import { newMessage } from './phases.ts';

const plan: FilmOutline = {
  title: 'Ball',
  style: 'playful',
  aspect: '16:9',
  durationSeconds: 4,
  fps: 60,
  scenes: [
    {
      number: 1,
      title: 'Bounce',
      startSeconds: 0,
      durationSeconds: 4,
      description: 'A ball drops in, bounces and rests.',
      animationNotes: 'Entry by a drop, hold, exit by a fade.',
    },
  ],
  caveat: null,
};
const ask = {
  name: 'request_approval',
  input: { type: 'question', content: 'Which style?', options: [{ id: 'playful', label: 'Playful' }] },
};
const propose = { name: 'request_approval', input: { type: 'plan', content: 'The plan', plan } };
const render = { name: 'render_preview', input: {} };

let folder: string;
let stores: ReturnType<typeof createStores>;
let database: ReturnType<typeof openDatabase>;
let projects: ProjectService;
let turn: (request: ModelRequest) => ScriptedTurn;
const cleanUp: (() => unknown)[] = [];
let removedRenders: string[];

/** Simulates a typical run: a question when idle, the plan, the preview and its approval. Ends when complete. */
const usualTurn = (request: ModelRequest): ScriptedTurn => {
  switch (stateOf(request).phase) {
    case 'idle':
      return [ask];
    case 'question':
      return [ask];
    case 'plan':
      return [propose];
    case 'executing':
      return [render];
    default:
      return 'Done.';
  }
};

function finishedRender(projectId: string): Render {
  return {
    id: newId('rnd'),
    projectId,
    status: 'complete',
    settings: sampleSettings({ kind: 'preview', width: 640, height: 360, fps: 15, crf: 28, durationSeconds: 4 }),
    percent: 100,
    stage: null,
    probe: sampleProbe({ durationSeconds: 4, frames: 60, width: 640, height: 360, fps: 15 }),
    videoUrl: '/v',
    thumbnailUrl: '/t',
    renderTimeMs: 1,
    error: null,
    createdAt: new Date().toISOString(),
    finishedAt: new Date().toISOString(),
    batch: null,
  };
}

function deps(): ProjectDeps {
  const renders = new Map<string, Render>();
  const unused = () => Promise.reject(new Error('not part of this test'));
  return {
    store: stores.projects,
    runs: stores.runs,
    disk: stores.disk,
    assets: { add: unused, list: async () => [], read: unused, remove: unused, removeAll: async () => undefined },
    creator: { branch: unused, import: unused },
    checkpoints: {
      save: async () => null,
      restore: async () => null,
      restoreTo: async () => null,
      find: unused,
      removeAll: async () => undefined,
    },
    sandboxes: {
      acquire: async (projectId) => {
        const { plan: current } = await stores.projects.state(projectId);
        return {
          sandbox: checkedSandbox({ durationSeconds: current === null ? 0 : outlineIn(current).durationSeconds }).sandbox,
          fresh: false,
        };
      },
      ...{ find: async () => null, isWaiting: () => false, waitedMs: () => 0, idleMs: () => 0 },
      current: () => null,
      list: async () => [],
      destroy: async () => undefined,
      removeCache: async () => undefined,
    },
    renders: {
      ...noRenderer,
      start: async (projectId) => {
        const done = finishedRender(projectId);
        renders.set(done.id, done);
        await stores.projects.record(projectId, [{ type: 'render.complete', render: done }], { by: testPerson });
        return done;
      },
      wait: async (id) => renders.get(id) ?? unused(),
      removeFiles: async (id) => {
        removedRenders.push(id);
      },
    },
    author: () => scriptedAuthor((request) => turn(request)),
    kinds: new Map([[filmWithoutFinal.id, filmWithoutFinal]]),
    toolsOf: () => new ToolRegistry([...allTools, ...filmKind.ownTools]),
    agentPermissions: new Set(),
    previewUrl: (project) => `http://${project.previewLabel}.localhost:3000/`,
    onEvent: (listener) => stores.bus.observe(listener, rethrow),
    log: pino({ level: 'silent' }),
  };
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'koda-projects-'));
  database = openDatabase(folder);
  stores = createStores(database);
  turn = usualTurn;
  removedRenders = [];
  projects = createProjectService(deps());
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
});

afterEach(async () => {
  await projects.shutdown();
  database.close();
  for (const task of cleanUp.splice(0)) await task();
});

const create = async () =>
  (await projects.as(localPerson).create(createProjectRequestSchema.parse({ prompt: 'a red ball bounces' }))).id;

/** Waits for an event, from the project's start or after a sequence number. */
async function until(projectId: string, matches: (event: ProjectEvent) => boolean, afterSeq = 0): Promise<ProjectEvent> {
  for await (const event of stores.bus.follow(projectId, { afterSeq, signal: AbortSignal.timeout(5000) })) {
    if (matches(event)) return event;
  }
  throw new Error('the stream of events ended');
}

const waitForApproval = (projectId: string, type: string, afterSeq = 0) =>
  until(projectId, (event) => event.type === 'approval.requested' && event.approval.type === type, afterSeq);
const rested = (projectId: string, afterSeq = 0) => until(projectId, (event) => event.type === 'run.finished', afterSeq);
const phaseOf = async (projectId: string): Promise<Phase> => (await stores.projects.get(projectId)).phase;

async function toExecuting(): Promise<string> {
  const id = await create();
  await waitForApproval(id, 'question');
  await projects.as(localPerson).answer(id, { optionId: 'playful' });
  await waitForApproval(id, 'plan');
  await projects.as(localPerson).decidePlan(id, { action: 'accept' });
  return id;
}

async function toPreview(): Promise<string> {
  const id = await toExecuting();
  await waitForApproval(id, 'preview');
  return id;
}

/** Creates projects with a model that, in one phase, waits for `pause` before its turn. */
function withPause(phase: Phase, pause: () => Promise<void>): ProjectService {
  const author = scriptedAuthor(async (request) => {
    if (stateOf(request).phase === phase) await pause();
    return turn(request);
  });
  return createProjectService({ ...deps(), author: () => author });
}

/** Projects whose accepted previews are rendered. `started` lists the renders that the renderer has received. */
function withFinal({ lastCheckpointAt = '2999-01-01T00:00:00.000Z', author = deps().author } = {}) {
  const started: Render[] = [];
  const usual = deps();
  projects = createProjectService({
    ...usual,
    author,
    kinds: new Map([[filmKind.id, filmKind]]),
    checkpoints: { ...usual.checkpoints, find: async () => ({ id: newId('chk'), seq: 1, at: lastCheckpointAt }) },
    renders: {
      ...usual.renders,
      prepare: (projectId, request, film) =>
        sampleRender(projectId, { settings: resolveSettings(request, film), createdAt: new Date().toISOString() }),
      enqueue: (render) => started.push(render),
    },
  });
  return started;
}

describe('the final after the acceptance', () => {
  it('A29: accepting the preview records and starts one 1080p60 final in one step', async () => {
    const started = withFinal();
    const id = await toPreview();
    await projects.as(localPerson).decidePreview(id, { action: 'accept' });
    const settings = { kind: 'final', width: 1920, height: 1080, fps: 60, format: 'mp4' };
    expect(started).toMatchObject([{ settings }]);
    const { project, renders } = await stores.projects.state(id);
    expect(project.phase).toBe('complete');
    expect(renders.filter(({ status }) => status === 'queued')).toMatchObject([{ id: started[0]?.id, settings }]);
    await expect(projects.as(localPerson).decidePreview(id, { action: 'accept' })).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
    });
    expect(started).toHaveLength(1);
  });

  it('A29: the user can accept without a final', async () => {
    const started = withFinal();
    const id = await toPreview();
    await projects.as(localPerson).decidePreview(id, { action: 'accept', renderFinal: false });
    expect(await phaseOf(id)).toBe('complete');
    expect(started).toEqual([]);
  });

  it('A29: the operator can switch the final off', async () => {
    const id = await toPreview();
    await projects.as(localPerson).decidePreview(id, { action: 'accept' });
    expect(await phaseOf(id)).toBe('complete');
    expect((await stores.projects.state(id)).renders.filter(({ settings }) => settings.kind === 'final')).toEqual([]);
  });

  it.each([
    ['is the only final if the user has already rendered this work', '2000-01-01T00:00:00.000Z', 0],
    ['is rendered again if the work has changed since', '2999-01-01T00:00:00.000Z', 1],
  ])('A29: a 4k render before the acceptance %s', async (_what, lastCheckpointAt, count) => {
    const started = withFinal({ lastCheckpointAt });
    const id = await toPreview();
    const settings = sampleSettings({ width: 3840, height: 2160 });
    await stores.projects.record(id, [{ type: 'render.queued', render: sampleRender(id, { settings }) }], { by: testPerson });
    await projects.as(localPerson).decidePreview(id, { action: 'accept' });
    expect(started).toHaveLength(count);
  });
});

describe('a render that the user requests in a message', () => {
  const unchanged = '2000-01-01T00:00:00.000Z';
  const finalsOf = async (id: string) =>
    (await stores.projects.state(id)).renders.filter(({ settings }) => settings.kind === 'final');

  /** Makes a film with a scripted model, and carries out messages with the built-in author. */
  async function withBuiltIn(options: { lastCheckpointAt: string }): Promise<{ id: string; started: Render[] }> {
    const scripted = deps().author(filmKind, []);
    let author = scripted;
    const started = withFinal({ ...options, author: () => author });
    const id = await toPreview();
    await rested(id);
    author = builtInAuthor;
    return { id, started };
  }

  it('A29: the built-in author renders a complete project as requested, and changes nothing', async () => {
    const { id, started } = await withBuiltIn({ lastCheckpointAt: unchanged });
    await projects.as(localPerson).decidePreview(id, { action: 'accept', renderFinal: false });
    const { seq, plan: before } = await stores.projects.state(id);
    await projects.as(localPerson).message(id, 'Please render it in 4k as webm');
    await until(id, (event) => event.type === 'project.phase' && event.phase === 'complete', seq);
    expect(started).toMatchObject([{ settings: { kind: 'final', width: 3840, height: 2160, format: 'webm' } }]);
    const state = await stores.projects.state(id);
    expect(state.messages.at(-1)).toMatchObject({
      role: 'assistant',
      content: 'I am rendering the final video in 4k as WebM. You will find it under Renders.',
    });
    expect(state.plan).toEqual(before);
    expect(state.renders.filter(({ settings }) => settings.kind === 'preview')).toHaveLength(1);
  });

  it('A29: a request in place of feedback returns to the preview, whose acceptance starts no second final', async () => {
    const { id, started } = await withBuiltIn({ lastCheckpointAt: unchanged });
    const { seq } = await stores.projects.state(id);
    await projects.as(localPerson).decidePreview(id, { action: 'feedback', feedback: 'render it in 4k' });
    const event = await waitForApproval(id, 'preview', seq);
    expect(event).toMatchObject({ approval: { content: filmKind.workflow.previewText.finished } });
    await projects.as(localPerson).decidePreview(id, { action: 'accept' });
    expect(started).toMatchObject([{ settings: { width: 3840 } }]);
    expect(await phaseOf(id)).toBe('complete');
  });

  it('A29: says why a requested video cannot be rendered, and renders nothing', async () => {
    const { id, started } = await withBuiltIn({ lastCheckpointAt: unchanged });
    const { seq } = await stores.projects.state(id);
    await projects.as(localPerson).decidePreview(id, { action: 'feedback', feedback: 'render it as webm for instagram' });
    await waitForApproval(id, 'preview', seq);
    const { messages } = await stores.projects.state(id);
    expect(messages.at(-1)?.content).toContain('The video is not being rendered. reels does not accept WebM');
    expect(started).toEqual([]);
  });

  it('A29: a language model may render if a message asks for it, and the run ends with the render', async () => {
    const id = await withModelThatRenders(unchanged);
    const { seq } = await stores.projects.state(id);
    await projects.as(localPerson).message(id, 'Render it in 4k');
    await until(id, (event) => event.type === 'project.phase' && event.phase === 'complete', seq);
    expect(await finalsOf(id)).toMatchObject([{ status: 'complete' }]);
    expect((await stores.projects.state(id)).renders).toHaveLength(2);
  });

  it('A9, A29: after a change, the render does not replace the preview', async () => {
    const id = await withModelThatRenders('2999-01-01T00:00:00.000Z');
    const { seq } = await stores.projects.state(id);
    await projects.as(localPerson).message(id, 'Make it blue and render it');
    await waitForApproval(id, 'preview', seq);
    expect(await finalsOf(id)).toHaveLength(1);
  });

  it('A29: a language model may not render unless a message asks for it', async () => {
    withFinal();
    turn = (request) => (stateOf(request).phase === 'executing' ? [{ name: 'render_final', input: {} }] : usualTurn(request));
    const id = await toExecuting();
    const refused = await until(id, (event) => event.type === 'tool.finished' && event.name === 'render_final');
    expect(refused).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } });
    await projects.as(localPerson).stop(id);
  });

  /** Returns a complete project whose model responds to each message with a final, and then shows the preview. */
  async function withModelThatRenders(lastCheckpointAt: string): Promise<string> {
    const usual = deps();
    projects = createProjectService({
      ...usual,
      checkpoints: { ...usual.checkpoints, find: async () => ({ id: newId('chk'), seq: 1, at: lastCheckpointAt }) },
      renders: {
        ...usual.renders,
        async start(projectId, request, film, options) {
          if (request.kind === 'preview') return usual.renders.start(projectId, request, film, options);
          const done = { ...finishedRender(projectId), settings: resolveSettings(request, film) };
          await stores.projects.record(projectId, [{ type: 'render.complete', render: done }], { by: testPerson });
          return done;
        },
        wait: (renderId) => stores.renders.get(renderId),
      },
    });
    const id = await toPreview();
    await rested(id);
    await projects.as(localPerson).decidePreview(id, { action: 'accept' });
    let isRendered = false;
    turn = (request) => {
      if (stateOf(request).phase !== 'executing') return 'Done.';
      if (isRendered) return [render];
      isRendered = true;
      return [{ name: 'render_final', input: { resolution: '4k' } }];
    };
    return id;
  }
});

describe('activity in a page', () => {
  /** Returns a project whose preview was shown and whose sandbox is gone, and counts the sandboxes that it opens. */
  async function asleep() {
    const usual = deps();
    let opened = 0;
    projects = createProjectService({
      ...usual,
      sandboxes: {
        ...usual.sandboxes,
        acquire: (...request) => {
          opened += 1;
          return usual.sandboxes.acquire(...request);
        },
      },
    });
    const { id } = await projects
      .as(localPerson)
      .create(createProjectRequestSchema.parse({ prompt: 'a red ball', start: false }));
    await stores.projects.record(id, [{ type: 'preview.ready', url: 'http://preview.localhost:3000/' }], { by: testPerson });
    return { id, opened: () => opened };
  }

  it('A30: wakes a suspended preview', async () => {
    const { id, opened } = await asleep();
    const { seq } = await stores.projects.state(id);
    await projects.active(id);
    await until(id, (event) => event.type === 'preview.ready', seq);
    expect(opened()).toBe(1);
  });

  it('A30: starts no sandbox for a project that has shown no preview yet', async () => {
    const { id } = await projects
      .as(localPerson)
      .create(createProjectRequestSchema.parse({ prompt: 'a red ball', start: false }));
    const { seq } = await stores.projects.state(id);
    await projects.active(id);
    await projects.shutdown();
    expect((await stores.projects.state(id)).seq).toBe(seq);
    await expect(projects.active(newId('prj'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('projects', () => {
  it('A1, A2, A5: goes from the prompt through question, plan and preview to complete', async () => {
    const id = await toPreview();
    await projects.as(localPerson).decidePreview(id, { action: 'accept' });
    await until(id, (event) => event.type === 'run.finished' && event.outcome === 'completed');
    const phases: string[] = [];
    const failures: unknown[] = [];
    for await (const event of stores.bus.follow(id, { afterSeq: 0, signal: AbortSignal.timeout(5000) })) {
      if (event.type === 'project.phase') phases.push(event.phase);
      if (event.type === 'tool.finished' && event.error !== null) failures.push(event);
      if (event.type === 'run.finished' && event.outcome === 'completed') break;
    }
    expect(phases).toEqual(['question', 'plan', 'executing', 'preview', 'complete']);
    expect(failures).toEqual([]);
  });

  it('A5: generates nothing before the plan is accepted', async () => {
    turn = (request) =>
      stateOf(request).phase === 'idle'
        ? [{ name: 'generate_code', input: { task: 'initial_setup', style: 'smooth' } }, propose]
        : usualTurn(request);
    const id = await create();
    await waitForApproval(id, 'plan');
    const finished = await until(id, (event) => event.type === 'tool.finished' && event.name === 'generate_code');
    expect(finished).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } });
  });

  it('A4: returns an invalid plan to the model with the reason and never shows it', async () => {
    const short = { ...plan, scenes: [{ ...plan.scenes[0], durationSeconds: 1 }] };
    let tries = 0;
    turn = (request) => {
      if (stateOf(request).phase !== 'idle') return usualTurn(request);
      tries += 1;
      return [{ name: 'request_approval', input: { type: 'plan', content: 'x', plan: tries === 1 ? short : plan } }];
    };
    const id = await create();
    const proposed = await until(id, (event) => event.type === 'plan.proposed');
    expect(proposed).toMatchObject({ plan: { sections: [{ durationSeconds: 4 }] } });
    expect(tries).toBe(2);
  });

  it('A5: proposes a new plan after feedback and asks a question after a rejection', async () => {
    const id = await create();
    await waitForApproval(id, 'question');
    await projects.as(localPerson).answer(id, { text: 'something jolly' });
    const first = await waitForApproval(id, 'plan');
    await projects.as(localPerson).decidePlan(id, { action: 'changes', feedback: 'longer' });
    const second = await waitForApproval(id, 'plan', first.seq);
    await projects.as(localPerson).decidePlan(id, { action: 'reject' });
    await waitForApproval(id, 'question', second.seq);
    expect(await phaseOf(id)).toBe('question');
    expect((await stores.projects.state(id)).settled.map((settled) => settled.response.outcome)).toEqual([
      'free_text',
      'changes',
      'rejected',
    ]);
  });

  it('A5: applies edits with a change request to the next revision and gives both to the agent', async () => {
    const id = await create();
    await waitForApproval(id, 'question');
    await projects.as(localPerson).answer(id, { optionId: 'playful' });
    const shown = await waitForApproval(id, 'plan');
    const edited = { ...plan, title: 'Mine' };
    const broken = { ...edited, durationSeconds: 9 };
    await expect(
      projects.as(localPerson).decidePlan(id, { action: 'changes', feedback: 'longer', plan: broken }),
    ).rejects.toMatchObject({
      code: 'INVALID_PLAN',
      recovery: 'edit_plan',
    });
    expect((await stores.projects.state(id)).approval?.type).toBe('plan');

    turn = () => 'hang';
    await projects.as(localPerson).decidePlan(id, { action: 'changes', feedback: 'longer', plan: edited });
    const told = await until(id, (event) => event.type === 'plan.proposed', shown.seq);
    const before = shown.type === 'approval.requested' ? shown.approval.planId : null;
    expect(told).toMatchObject({ plan: { id: before, title: 'Mine', revision: 2, accepted: false } });
    const state = await stores.projects.state(id);
    expect(state.settled.at(-1)?.response).toEqual({ outcome: 'changes', text: 'longer', plan: edited });
    const answered = await until(id, (event) => event.type === 'tool.finished' && event.name === 'request_approval', told.seq);
    expect(answered).toMatchObject({ summary: 'Changes requested', error: null });
    await projects.as(localPerson).stop(id);
  });

  it('A6: turns the accepted plan into todos', async () => {
    turn = (request) => (stateOf(request).phase === 'executing' ? 'hang' : usualTurn(request));
    const id = await toExecuting();
    const { todos } = await stores.projects.state(id);
    expect(todos.map((todo) => todo.key)).toEqual(['setup', 'scene:1', 'check', 'preview']);
    expect(todos.every((todo) => todo.status === 'pending')).toBe(true);
  });

  it('A9: turns feedback into todos and a new preview', async () => {
    const id = await toPreview();
    const before = (await stores.projects.state(id)).seq;
    await projects.as(localPerson).decidePreview(id, { action: 'feedback', feedback: 'make it blue' });
    await waitForApproval(id, 'preview', before);
    const { todos, messages } = await stores.projects.state(id);
    expect(todos.map((todo) => todo.key.split(':')[0])).toEqual(['change', 'check', 'preview']);
    expect(messages.at(-1)?.content).toBe('make it blue');
  });

  it('A10: queues a message during execution and turns it into a todo at the next tool boundary', async () => {
    let hold = true;
    turn = (request) => {
      if (stateOf(request).phase === 'executing' && hold)
        return [{ name: 'set_thinking', input: { message: `working ${request.messages.length}` } }];
      return usualTurn(request);
    };
    const id = await toExecuting();
    await until(id, (event) => event.type === 'project.phase' && event.phase === 'executing');
    expect(await projects.as(localPerson).message(id, 'add confetti')).toMatchObject({ queued: true });
    await until(id, (event) => event.type === 'message.delivered');
    hold = false;
    const { todos } = await stores.projects.state(id);
    expect(todos.map((todo) => todo.key.split(':')[0])).toEqual(['setup', 'scene', 'change', 'check', 'preview']);
    await waitForApproval(id, 'preview');
  });

  it('A10: withdraws a queued message and refuses a delivered one', async () => {
    const { promise: isWorking, resolve: work } = Promise.withResolvers<void>();
    turn = (request) => {
      if (stateOf(request).phase !== 'executing') return usualTurn(request);
      work();
      return 'hang';
    };
    const id = await toExecuting();
    await isWorking;
    const kept = await projects.as(localPerson).message(id, 'add confetti');
    const gone = await projects.as(localPerson).message(id, 'make it blue');
    await projects.as(localPerson).withdraw(id, gone.messageId);
    const { messages } = await stores.projects.state(id);
    expect(messages.filter((message) => message.queued).map((message) => message.id)).toEqual([kept.messageId]);
    await expect(projects.as(localPerson).withdraw(id, gone.messageId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const first = messages.find((message) => !message.queued && message.role === 'user');
    await expect(projects.as(localPerson).withdraw(id, first?.id ?? '')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    await projects.as(localPerson).stop(id);
  });

  it('A10: turns each message that precedes the preview into a todo', async () => {
    const { promise: rendered, resolve: render } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const dependencies = deps();
    const { wait } = dependencies.renders;
    projects = createProjectService({
      ...dependencies,
      renders: {
        ...dependencies.renders,
        async wait(...args) {
          reach();
          await rendered;
          return await wait(...args);
        },
      },
    });
    const id = await toExecuting();
    await reached;
    turn = () => 'hang';
    const { seq } = await stores.projects.state(id);
    await projects.as(localPerson).message(id, 'make it blue');
    await projects.as(localPerson).message(id, 'add confetti');
    render();
    await until(id, (event) => event.type === 'project.phase' && event.phase === 'executing', seq);
    const { todos, messages } = await stores.projects.state(id);
    expect(todos.map((todo) => todo.title)).toEqual([
      expect.stringContaining('make it blue'),
      expect.stringContaining('add confetti'),
      'Check the code and the frames',
      'Render the preview',
    ]);
    expect(messages.every((message) => !message.queued)).toBe(true);
  });

  it('A10: resumes after a stop during execution and a retry', async () => {
    let hang = true;
    turn = (request) => (stateOf(request).phase === 'executing' && hang ? 'hang' : usualTurn(request));
    const id = await toExecuting();
    await until(id, (event) => event.type === 'project.phase' && event.phase === 'executing');
    await projects.as(localPerson).stop(id);
    expect(await stores.projects.get(id)).toMatchObject({
      phase: 'error',
      running: false,
      error: { code: 'CANCELLED', canRetry: true },
    });
    hang = false;
    await projects.as(localPerson).retry(id);
    await waitForApproval(id, 'preview');
  });

  it('A1: enters a retryable error phase when the model fails during execution', async () => {
    turn = (request) =>
      stateOf(request).phase === 'executing'
        ? new KodaError('LLM_CONNECTION', 'The model is not responding.')
        : usualTurn(request);
    const id = await toExecuting();
    await until(id, (event) => event.type === 'error');
    expect(await stores.projects.get(id)).toMatchObject({ phase: 'error', error: { code: 'LLM_CONNECTION', canRetry: true } });
    turn = usualTurn;
    await projects.as(localPerson).retry(id);
    await waitForApproval(id, 'preview');
  });

  it('A1: does not report an aborted model request as stopped by the user', async () => {
    turn = () => new DOMException('The connection was aborted.', 'AbortError');
    const id = await create();
    expect(await until(id, (event) => event.type === 'error')).toMatchObject({
      message: expect.stringContaining('The connection was aborted.'),
    });
    expect(await rested(id)).toMatchObject({ outcome: 'failed' });
  });

  it('A1: keeps the phase after a planning error, reports it and plans again on retry', async () => {
    turn = () => new KodaError('LLM_CONNECTION', 'The model is not responding.');
    const id = await create();
    await until(id, (event) => event.type === 'error');
    expect(await stores.projects.get(id)).toMatchObject({ phase: 'idle', running: false, error: { canRetry: true } });
    turn = usualTurn;
    await projects.as(localPerson).retry(id);
    await waitForApproval(id, 'question');
  });

  it('A1: reports an error when the model ends its turn without doing anything', async () => {
    turn = () => 'I have nothing to say.';
    const id = await create();
    expect(await until(id, (event) => event.type === 'error')).toMatchObject({ code: 'LLM_RESPONSE', canRetry: true });
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['accepting a preview', (id) => projects.as(localPerson).decidePreview(id, { action: 'accept' })],
    ['accepting a plan', (id) => projects.as(localPerson).decidePlan(id, { action: 'accept' })],
    ['retrying', (id) => projects.as(localPerson).retry(id)],
  ])('A1: refuses %s while a question waits, and changes nothing', async (_what, act) => {
    const id = await create();
    await waitForApproval(id, 'question');
    await rested(id);
    const before = await stores.projects.state(id);
    await expect(act(id)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(await stores.projects.state(id)).toEqual(before);
  });

  it('A22: resumes an interrupted run after a restart at its approval', async () => {
    const id = await create();
    await waitForApproval(id, 'question');
    await rested(id);
    await projects.shutdown();
    projects = createProjectService(deps());
    await projects.recover();
    await projects.as(localPerson).answer(id, { optionId: 'playful' });
    await waitForApproval(id, 'plan');
    expect(await phaseOf(id)).toBe('plan');
  });

  it('X7: resumes a run that was active when the server stopped', async () => {
    let hang = true;
    turn = (request) => (stateOf(request).phase === 'executing' && hang ? 'hang' : usualTurn(request));
    const id = await toExecuting();
    await until(id, (event) => event.type === 'project.phase' && event.phase === 'executing');
    await projects.shutdown();
    expect(await stores.projects.get(id)).toMatchObject({ phase: 'executing', running: true });
    hang = false;
    projects = createProjectService(deps());
    await projects.recover();
    await waitForApproval(id, 'preview');
  });

  it('H7: resumes at most two runs at a time after a restart, the next once one has its sandbox', async () => {
    turn = () => 'hang';
    const ids: string[] = [];
    for (const number of [1, 2, 3, 4]) {
      const { id } = await stores.projects.create({
        ...newProject(),
        events: [{ type: 'message.added', message: newMessage('user', `a red ball ${number}`) }],
      });
      ids.push(id);
    }
    const resumed = async () => {
      const states = await Promise.all(ids.map((id) => stores.projects.get(id)));
      return states.filter(({ running }) => running).map(({ id }) => id);
    };
    await projects.recover();
    await vi.waitFor(async () => expect(await resumed()).toHaveLength(2));
    await projects.recover();
    await delay(100);
    const [first] = await resumed();
    expect(await resumed()).toHaveLength(2);
    await stores.projects.record(first ?? '', [{ type: 'sandbox.state', state: 'ready' }], { by: testPerson });
    await vi.waitFor(async () => expect(await resumed()).toHaveLength(3));
    await projects.shutdown();
  });

  it('V1 V3 A22: keeps a form open across a restart and returns its values as the call’s result', async () => {
    const components = [
      { id: 'root', component: 'Column', children: ['name', 'send'] },
      { id: 'name', component: 'TextField', label: 'Name', value: { path: '/name' } },
      {
        id: 'send',
        component: 'Button',
        child: 'words',
        action: { event: { name: 'submit', context: { name: { path: '/name' } } } },
      },
      { id: 'words', component: 'Text', text: 'Send' },
    ];
    const surface = [
      { version: 'v0.9', createSurface: { surfaceId: 'form', catalogId: 'koda:catalog/v1' } },
      { version: 'v0.9', updateComponents: { surfaceId: 'form', components } },
    ];
    const seen: string[] = [];
    turn = (request) => {
      seen.push(JSON.stringify(request.messages));
      const isAsked = seen.at(-1)?.includes('tool_result');
      return isAsked ? [propose] : [{ name: 'show_surface', input: { content: 'Who is it for?', surface, wait: true } }];
    };
    const id = await create();
    await waitForApproval(id, 'question');
    await projects.shutdown();
    projects = createProjectService(deps());
    await projects.recover();

    const press = (changes: object) => ({
      name: 'submit',
      surfaceId: 'form',
      sourceComponentId: 'send',
      timestamp: new Date().toISOString(),
      context: { name: 'Ada' },
      ...changes,
    });
    // In the meantime, the run itself starts again.
    const said = async () => {
      const { approval, messages, settled, todos } = await stores.projects.state(id);
      return { approval, messages, settled, todos };
    };
    const before = await said();
    await expect(projects.as(localPerson).act(id, press({ name: 'delete_all' }))).rejects.toMatchObject({
      code: 'TOOL_NOT_FOUND',
    });
    await expect(projects.as(localPerson).act(id, press({ sourceComponentId: 'name' }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await expect(projects.as(localPerson).act(id, press({ context: { name: 'x'.repeat(9000) } }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { executionMs: expect.any(Number) },
    });
    await expect(projects.as(localPerson).act(id, press({ surfaceId: 'gone' }))).rejects.toMatchObject({
      code: 'EXECUTION_ERROR',
    });
    expect(await said()).toEqual(before);

    expect(await projects.as(localPerson).act(id, press({}))).toEqual({ executionMs: expect.any(Number) });
    await waitForApproval(id, 'plan');
    expect(seen.at(-1)).toContain('submitted');
    expect(seen.at(-1)).toContain('Ada');
    const { messages, settled } = await stores.projects.state(id);
    expect(messages.at(-1)).toMatchObject({ role: 'user', content: 'Send\nname: Ada' });
    expect(settled.at(-1)?.approval.surface).toHaveLength(3);
  });

  it('T17: keeps a run’s usage across restarts and approvals', async () => {
    // Each turn of the scripted model uses 15 tokens.
    const limited = { ...filmKind, limits: { ...filmKind.limits, maxTokens: 20 } };
    const restarted = async () => {
      await projects.shutdown();
      projects = createProjectService({ ...deps(), kinds: new Map([[limited.id, limited]]) });
      await projects.recover();
    };
    await restarted();
    const id = await create();
    await waitForApproval(id, 'question');
    await rested(id);
    await restarted();
    await projects.as(localPerson).answer(id, { optionId: 'playful' });
    await waitForApproval(id, 'plan');
    await rested(id, (await waitForApproval(id, 'plan')).seq);
    await restarted();
    await projects.as(localPerson).decidePlan(id, { action: 'accept' });
    const error = await until(id, (event) => event.type === 'error');
    expect(error).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('KODA_RUN_MAX_TOKENS'),
      canRetry: true,
    });
    await rested(id, error.seq - 3);
    turn = () => 'Done.';
    await projects.as(localPerson).retry(id);
    await until(id, (event) => event.type === 'usage', error.seq);
  });

  it('A22: handles an answer that arrived during shutdown after the restart', async () => {
    const id = await create();
    await waitForApproval(id, 'question');
    await rested(id);
    await projects.shutdown();
    await projects.as(localPerson).answer(id, { optionId: 'playful' });
    expect(await stores.projects.get(id)).toMatchObject({ phase: 'plan', running: false });
    projects = createProjectService(deps());
    await projects.recover();
    await waitForApproval(id, 'plan');
  });

  it('A10: makes a project retryable when due work is stopped before it starts', async () => {
    const id = await create();
    await waitForApproval(id, 'question');
    await rested(id);
    await projects.shutdown();
    await projects.as(localPerson).answer(id, { optionId: 'playful' });
    await projects.as(localPerson).stop(id);
    expect(await stores.projects.get(id)).toMatchObject({ phase: 'plan', running: false, error: { code: 'CANCELLED' } });
    projects = createProjectService(deps());
    await projects.recover();
    expect(await stores.projects.get(id)).toMatchObject({ running: false });
    await projects.as(localPerson).retry(id);
    await waitForApproval(id, 'plan');
  });

  it('A10: leaves an approval open on stop, without an error', async () => {
    const id = await create();
    await waitForApproval(id, 'question');
    await rested(id);
    const before = await stores.projects.state(id);
    await projects.as(localPerson).stop(id);
    expect(await stores.projects.state(id)).toEqual(before);
  });

  it('A1: reports an error even if a message arrived while the run failed', async () => {
    const { promise: failing, resolve: fail } = Promise.withResolvers<void>();
    projects = withPause('executing', () => failing);
    turn = (request) =>
      stateOf(request).phase === 'executing'
        ? new KodaError('LLM_CONNECTION', 'The model is not responding.')
        : usualTurn(request);
    const id = await toExecuting();
    await projects.as(localPerson).message(id, 'add confetti');
    fail();
    await until(id, (event) => event.type === 'error');
    await projects.shutdown();
    expect(await stores.projects.get(id)).toMatchObject({
      phase: 'error',
      running: false,
      error: { code: 'LLM_CONNECTION', canRetry: true },
    });
  });

  it('A1: makes an error between the preview and its approval retryable', async () => {
    let isBroken = true;
    const store = new Proxy(stores.projects, {
      get(target, name) {
        if (name !== 'record') return Reflect.get(target, name).bind?.(target);
        return async (...args: Parameters<typeof target.record>) => {
          const opens = args[1].some((body) => body.type === 'approval.requested' && body.approval.type === 'preview');
          if (opens && isBroken) throw new Error('The disk is unavailable.');
          return await target.record(...args);
        };
      },
    });
    projects = createProjectService({ ...deps(), store });
    const id = await toExecuting();
    await until(id, (event) => event.type === 'error');
    expect(await stores.projects.get(id)).toMatchObject({ phase: 'preview', running: false, error: { canRetry: true } });
    isBroken = false;
    await vi.waitFor(() => projects.as(localPerson).retry(id));
    await waitForApproval(id, 'preview');
  });

  it('A5: applies outline edits to the stored document and ignores a document from the client', async () => {
    projects = createProjectService({ ...deps(), author: () => builtInAuthor });
    const { id } = await projects.as(localPerson).create(createProjectRequestSchema.parse({ prompt: 'Good morning, smooth' }));
    await waitForApproval(id, 'plan');
    const { plan: proposed } = await stores.projects.state(id);
    const film = filmIn(proposed);
    const document = { ...film, theme: 'luxe' as const, scenes: [{ ...film.scenes[0], props: {} }] };
    const smuggled = { ...outlineIn(proposed), title: 'Mine', document, film: document } as FilmOutline;
    await projects.as(localPerson).decidePlan(id, { action: 'changes', feedback: 'more playful', plan: smuggled });
    await vi.waitFor(async () => expect((await stores.projects.state(id)).plan?.revision).toBe(3));
    const { plan: revised } = await stores.projects.state(id);
    expect(revised).toMatchObject({ title: 'Mine', accepted: false });
    expect(revised?.document).toEqual({ ...film, title: 'Mine', style: 'playful' });
    await projects.as(localPerson).decidePlan(id, { action: 'accept', plan: { ...smuggled, style: 'playful' } });
    const { plan: accepted } = await stores.projects.state(id);
    expect(accepted).toMatchObject({ accepted: true, revision: 4 });
    expect(accepted?.document).toEqual(revised?.document);
  });

  it('A22: fails with advice without Docker and checks for Docker again on retry', async () => {
    const dependencies = deps();
    let asked = 0;
    projects = createProjectService({
      ...dependencies,
      author: () => builtInAuthor,
      sandboxes: {
        ...dependencies.sandboxes,
        acquire: () => {
          asked++;
          throw new KodaError('SERVICE_UNAVAILABLE', 'Docker is not running. Start Docker.', { recovery: 'start_docker' });
        },
      },
    });
    const request = createProjectRequestSchema.parse({ prompt: 'a red ball bounces, smooth', style: 'smooth' });
    const { id } = await projects.as(localPerson).create(request);
    await waitForApproval(id, 'plan');
    await projects.as(localPerson).decidePlan(id, { action: 'accept' });
    const { seq } = await until(id, (event) => event.type === 'error');
    expect(await stores.projects.get(id)).toMatchObject({
      phase: 'error',
      error: { canRetry: true, message: expect.stringContaining('Docker is not running. Start Docker.') },
    });
    const before = asked;
    await projects.as(localPerson).retry(id);
    await until(id, (event) => event.type === 'error', seq);
    expect(asked).toBe(2 * before);
  });

  it('A1: the kind validates the hints, which older clients send as fields of their own', async () => {
    const create = (body: object) =>
      projects.as(localPerson).create(createProjectRequestSchema.parse({ prompt: 'a red ball bounces', start: false, ...body }));
    const chips = [
      { id: 'style', label: 'smooth', title: 'Style' },
      { id: 'aspect', label: '1:1', title: 'Aspect ratio' },
    ];
    const hints = { style: 'smooth', aspect: '1:1', durationSeconds: 8 };
    for (const made of [await create({ hints }), await create(hints)])
      expect(made).toMatchObject({ hints, chips, style: 'smooth', aspect: '1:1' });
    expect((await create({})).hints).toEqual({ style: null, aspect: null, durationSeconds: null });
    for (const wrong of [{ style: 'loud' }, { hints: { style: 'loud' } }])
      await expect(create(wrong)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('"style"'),
        details: { field: 'style' },
      });
    await expect(create({ hints: { volume: 11 } })).rejects.toThrow('volume');
  });

  it('A4: rejects an edited plan that is no outline of the kind, and names the field', async () => {
    turn = () => [propose];
    const { id } = await projects.as(localPerson).create(createProjectRequestSchema.parse({ prompt: 'a ball' }));
    await waitForApproval(id, 'plan');
    const { revision } = (await stores.projects.state(id)).plan ?? {};
    for (const [edit, field] of [
      [{ ...plan, fps: 24 }, 'plan.fps'],
      [{ ...plan, scenes: [] }, 'plan.scenes'],
    ] as const)
      for (const request of [
        { action: 'accept', plan: edit },
        { action: 'changes', feedback: 'longer', plan: edit },
      ] as const)
        await expect(projects.as(localPerson).decidePlan(id, request)).rejects.toMatchObject({
          code: 'VALIDATION_ERROR',
          message: expect.stringContaining(`The field "${field}" is not valid: `),
          details: { field },
        });
    expect((await stores.projects.state(id)).plan).toMatchObject({ revision, accepted: false });
  });

  it('A24: stops work that starts during a deletion and removes sandbox and cache', async () => {
    const id = await toPreview();
    await rested(id);
    turn = () => 'hang';
    const dependencies = deps();
    const gone: string[] = [];
    projects = createProjectService({
      ...dependencies,
      renders: {
        ...dependencies.renders,
        // The user sends a message from another window at this point.
        cancel: async () => void (await projects.as(localPerson).message(id, 'make it blue')),
      },
      sandboxes: {
        ...dependencies.sandboxes,
        removeCache: async (projectId) => void gone.push(`cache of ${projectId}`),
        destroy: async (projectId) => {
          const exists = await stores.projects.get(projectId).then(
            () => true,
            () => false,
          );
          gone.push(exists ? 'sandbox' : 'sandbox without a project');
        },
      },
    });
    await projects.as(localPerson).remove(id, { now: true });
    expect(gone).toEqual(['sandbox without a project', `cache of ${id}`]);
  });

  it('T7: publishes the agent’s messages, thinking line and approvals as events', async () => {
    turn = (request) =>
      request.messages.every(({ role }) => role === 'user')
        ? [
            { name: 'set_thinking', input: { message: 'Reading your sentence' } },
            { name: 'add_message', input: { content: 'I see a ball.' } },
            ask,
          ]
        : usualTurn(request);
    const id = await create();
    await until(id, (event) => event.type === 'thinking' && event.text === 'Reading your sentence');
    await until(
      id,
      (event) =>
        event.type === 'message.added' && event.message.role === 'assistant' && event.message.content === 'I see a ball.',
    );
    await waitForApproval(id, 'question');
  });

  it('A9: lets a change update the accepted plan within its rules', async () => {
    let tries = 0;
    turn = (request) => {
      if (stateOf(request).phase !== 'executing') return usualTurn(request);
      tries += 1;
      const { title, style, aspect, fps, scenes } = plan;
      const [{ title: sceneTitle, description } = { title: '', description: '' }] = scenes;
      const scene = { id: 'scene-1', title: sceneTitle, description, seconds: tries === 1 ? 1 : 6, code: true };
      const look = { theme: 'studio', language: 'en', colors: {}, music: null };
      if (tries <= 2) return [{ name: 'set_scenes', input: { title, style, aspect, fps, ...look, scenes: [scene] } }];
      return [render];
    };
    const id = await toPreview();
    expect((await stores.projects.state(id)).plan).toMatchObject({
      sections: [{ durationSeconds: 6 }],
      accepted: true,
      revision: 2,
    });
    expect(await until(id, (event) => event.type === 'tool.finished' && event.name === 'set_scenes')).toMatchObject({
      error: { code: 'VALIDATION_ERROR' },
    });
  });

  it('A24: stops work and deletes videos and rows of a deleted project', async () => {
    const id = await toPreview();
    const { renders } = await stores.projects.state(id);
    await projects.as(localPerson).remove(id, { now: true });
    await expect(stores.projects.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(renders).toHaveLength(1);
    expect(removedRenders).toEqual(renders.map((render) => render.id));
  });

  it('A26: refuses an unknown project kind and lists the known ones', async () => {
    await expect(
      projects.as(localPerson).create(createProjectRequestSchema.parse({ prompt: 'x', kind: 'poem' })),
    ).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('animation'),
    });
  });
});
