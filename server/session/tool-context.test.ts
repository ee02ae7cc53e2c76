import { describe, expect, it } from 'vitest';
import type { ModelChunk } from '../agent/models/model.ts';
import { animationKind } from '../kinds/animation/animation.ts';
import type { ToolContext } from '../tools/context.ts';
import { completed, defineTool } from '../tools/define.ts';
import type { SessionCore } from './deps.ts';
import { toolContext } from './tool-context.ts';

const projectId = 'prj_0123456789abcdef0123';

/** Waits for ever, unless it is told to stop. */
const endless = ({ signal }: { signal: AbortSignal }): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

const project = { id: projectId, kind: 'animation', phase: 'executing', hints: {} };
const core = {
  store: { get: async () => project, state: async () => ({ project, plan: {} }) },
  kinds: new Map([['animation', animationKind]]),
  sandboxes: { acquire: (_id: string, options: { signal: AbortSignal }) => endless(options) },
  checkpoints: { save: (_id: string, _trigger: string, options: { signal: AbortSignal }) => endless(options) },
  renders: {
    start: async () => ({ id: 'rnd_x' }),
    wait: (_id: string, options: { signal: AbortSignal }) => endless(options),
    cancel: async () => undefined,
  },
  models: {
    generator: {
      readsFacts: true,
      // biome-ignore lint/correctness/useYield: a model that never says anything
      async *stream(_request: unknown, options: { signal: AbortSignal }): AsyncGenerator<ModelChunk> {
        await endless(options);
      },
    },
  },
} as unknown as SessionCore;

describe('what a tool may touch', () => {
  it.each<[string, (context: ToolContext) => Promise<unknown>]>([
    ['a sandbox', (context) => context.sandbox()],
    ['a checkpoint', (context) => context.checkpoint('todo_done')],
    ['a render', (context) => context.render({ kind: 'preview' })],
    [
      'the generator',
      (context) => context.generate({ task: 'initial_setup', style: 'smooth' }, [])[Symbol.asyncIterator]().next(),
    ],
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
      projectId,
      callId: 'call_1',
      signal: new AbortController().signal,
      addUsage: async () => undefined,
    });
    expect(await tool.call({ message: 'x' }, context)).toMatchObject({ status: 'error', code: 'TOOL_TIMEOUT' });
  });
});
