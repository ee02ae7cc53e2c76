import { describe, expect, it } from 'vitest';
import type { Todo, TodoStatus } from '#contract/project.ts';
import { samplePlan, testPerson } from '../../test/fixtures/storage.ts';
import { filmKind } from '../kinds/film/kind.ts';
import { KeyedLock } from '../lib/keyed-lock.ts';
import { advancePlan } from '../tools/communication.ts';
import type { ToolContext } from '../tools/context.ts';
import { completed, defineTool } from '../tools/tool.ts';
import type { ToolServices } from './author.ts';
import type { ProjectCore } from './deps.ts';
import { toolContext } from './tool-context.ts';

const projectId = 'prj_0123456789abcdef0123';

const endless = ({ signal }: { signal: AbortSignal }): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

const project = { id: projectId, kind: 'animation', phase: 'executing', hints: {} };
const core = {
  store: { get: async () => project, state: async () => ({ project, plan: samplePlan(), todos: [] }) },
  kinds: new Map([['animation', filmKind]]),
  sandboxes: {
    current: () => null,
    isWaiting: () => false,
    waitedMs: () => 0,
    acquire: (_id: string, options: { signal: AbortSignal }) => endless(options),
  },
  checkpoints: { save: (_id: string, _trigger: string, options: { signal: AbortSignal }) => endless(options) },
  renders: {
    start: async () => ({ id: 'rnd_x' }),
    wait: (_id: string, options: { signal: AbortSignal }) => endless(options),
    cancel: async () => undefined,
  },
} as unknown as ProjectCore;
const services: ToolServices = { supportsImages: false, requestApproval: async () => null };

describe('tool context', () => {
  it.each<[string, (context: ToolContext) => Promise<unknown>]>([
    ['a sandbox', (context) => context.sandbox()],
    ['a checkpoint', (context) => context.checkpoint('todo_done')],
    ['a render', (context) => context.render({ kind: 'preview' })],
    ['the generator', (context) => context.generate({ task: 'initial_setup', style: 'smooth' }, [], [])],
  ])('T1: the time limit of a call ends its wait for %s', async (_what, wait) => {
    const tool = defineTool('set_thinking', {
      category: 'communication',
      risk: 'low',
      timeoutMs: 20,
      phases: ['executing'],
      label: () => 'x',
      run: async (_input, context) => {
        await wait(context);
        return completed({}, '');
      },
    });
    const context = toolContext(core, {
      by: testPerson,
      projectId,
      canRepair: false,
      kind: filmKind,
      priority: 'person',
      signal: new AbortController().signal,
      services,
      generate: endless,
    });
    expect(await tool.call({ message: 'x' }, context)).toMatchObject({ status: 'error', code: 'TOOL_TIMEOUT' });
  });
});

describe('plan steps', () => {
  const todo = (key: string, status: TodoStatus): Todo => ({ id: `todo_${key}`, key, title: key, status, attempts: 0 });

  /** Runs `plan_advance` on todos that are stored as in a project. */
  function setUp(todos: Todo[]) {
    // Without a plan, the checks (tested elsewhere) are skipped.
    const state = { project, plan: null, todos };
    const saved: string[] = [];
    const own = {
      ...core,
      lock: new KeyedLock(),
      store: {
        state: async () => state,
        record: async (_id: string, [event]: { type: string; todos: Todo[] }[]) => {
          if (event?.type === 'todo.updated') state.todos = event.todos;
        },
      },
      sandboxes: { current: () => null },
      checkpoints: {
        save: async (_id: string, trigger: string, { title }: { title?: string }) => saved.push(`${trigger} ${title}`),
      },
    } as unknown as ProjectCore;
    const context = toolContext(own, {
      by: testPerson,
      projectId,
      canRepair: false,
      kind: filmKind,
      priority: 'person',
      signal: new AbortController().signal,
      services,
      generate: endless,
    });
    return { state, saved, advance: () => advancePlan.call({}, context) };
  }

  it('T7: ends the active step, starts the next and saves the work', async () => {
    const { state, saved, advance } = setUp([todo('a', 'done'), todo('b', 'active'), todo('c', 'pending'), todo('d', 'pending')]);
    expect(await advance()).toMatchObject({
      status: 'completed',
      output: {
        todos: [
          { status: 'done' },
          { status: 'done' },
          { todo_id: 'todo_c', title: 'c', status: 'active' },
          { status: 'pending' },
        ],
        active: { todo_id: 'todo_c', title: 'c' },
      },
    });
    expect(state.todos.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['done', 0],
      ['done', 0],
      ['active', 1],
      ['pending', 0],
    ]);
    expect(saved).toEqual(['todo_done Todo done: b']);
  });

  it('T7: starts the first step, skips failed ones and reports the end', async () => {
    const { state, advance } = setUp([todo('a', 'failed'), todo('b', 'pending')]);
    expect(await advance()).toMatchObject({ output: { active: { todo_id: 'todo_b' } } });
    expect(await advance()).toMatchObject({ output: { active: null }, summary: 'No steps are left' });
    expect(state.todos.map(({ status }) => status)).toEqual(['failed', 'done']);
  });

  it('T7: reports that there is nothing to advance without a plan', async () => {
    expect(await setUp([]).advance()).toMatchObject({ status: 'error', code: 'TODO_NOT_FOUND' });
  });
});
