import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createProjectRequestSchema } from '#contract/api.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import { chatKind } from '../../test/fixtures/chat-kind.ts';
import { kindProjects } from '../../test/fixtures/kind-projects.ts';
import { tempStores } from '../../test/fixtures/storage.ts';
import { localPerson } from '../access/access.ts';
import type { Caller } from '../access/policies.ts';
import { completed, defineKindTool } from '../tools/tool.ts';
import type { ProjectService } from './commands.ts';
import type { Kind } from './kind.ts';

const weigh = defineKindTool(
  'weigh',
  { input: z.object({ grams: z.int() }), description: 'Weighs something.' },
  {
    ...({ category: 'communication', risk: 'low', timeoutMs: 1_000, phases: ['conversation'] } as const),
    action: { returns: z.object({ heavy: z.boolean() }) },
    label: () => 'Weighing',
    async run({ grams }) {
      if (grams < 0) throw new Error('The scale is broken.');
      return completed({ heavy: grams > 1000 }, `${grams} g`);
    },
  },
);
const surface: SurfaceMessages = [
  { version: 'v0.9', createSurface: { surfaceId: 'scale', catalogId: 'koda:catalog/v1' } },
  {
    version: 'v0.9',
    updateComponents: {
      surfaceId: 'scale',
      components: [
        { id: 'root', component: 'Row', children: ['weigh', 'send'] },
        { id: 'weigh', component: 'Button', child: 'label', action: { event: { name: 'weigh', context: { grams: 1 } } } },
        { id: 'send', component: 'Button', child: 'label', action: { event: { name: 'submit', context: { grams: 1 } } } },
        { id: 'label', component: 'Text', text: 'Weigh it' },
      ],
    },
  },
];
const kind: Kind = {
  ...chatKind,
  ownTools: [weigh],
  tools: ['weigh'],
  author: {
    ...{ kind: 'scale', name: 'Scale', canResume: () => true },
    async converse({ messages, settled }, run) {
      if (messages.length > 1) return { content: 'Noted.' };
      if (settled.length === 0 && messages[0]?.content === 'Ask') {
        await run.responseTo('scale', { type: 'question', content: 'How heavy?', options: [], plan: null, surface });
        return null;
      }
      return { content: 'A scale.', surface };
    },
  },
};

let stores: ReturnType<typeof tempStores>;
let projects: ProjectService;
beforeEach(() => {
  stores = tempStores();
  ({ projects } = kindProjects(kind, stores));
});
afterEach(async () => {
  await projects.shutdown();
  stores[Symbol.dispose]();
});

const signal = new AbortController().signal;
const act = (projectId: string, id: string, parameters: object, sourceComponentId: string | null = 'weigh') => {
  const button = sourceComponentId === null ? null : { surfaceId: 'scale', sourceComponentId };
  return projects.as(localPerson).runAction(projectId, { id, parameters: { ...parameters }, button }, { signal });
};

async function started(prompt: string, phase: 'conversation' | 'executing'): Promise<string> {
  const request = createProjectRequestSchema.parse({ prompt, kind: 'chat' });
  const { id } = await projects.as(localPerson).create(request);
  await vi.waitFor(async () => {
    const { project, approval } = await stores.projects.state(id);
    expect([project.phase, project.running, approval !== null]).toEqual([phase, false, phase === 'executing']);
  });
  return id;
}

describe('an action', () => {
  it('V3 V8: calls the tool that it names, with the values of the button, and returns its result', async () => {
    const id = await started('Show', 'conversation');
    expect(await act(id, 'weigh', { grams: 1200 })).toMatchObject({
      ...{ data: { heavy: true }, error: null, executionMs: expect.any(Number) },
    });
    // Recorded like any other call, so it appears as a step.
    expect((await stores.projects.snapshot(id)).tools).toMatchObject([{ name: 'weigh', summary: '1200 g', error: null }]);
    expect(await act(id, 'weigh', { grams: 5 }, null)).toMatchObject({ data: { heavy: false } });
  });

  it('V3: fails with TOOL_NOT_FOUND, VALIDATION_ERROR or EXECUTION_ERROR, and its run time', async () => {
    const id = await started('Show', 'conversation');
    const details = expect.objectContaining({ executionMs: expect.any(Number) });
    expect(await act(id, 'drop_tables', {})).toMatchObject({
      ...{
        data: null,
        error: { code: 'TOOL_NOT_FOUND', message: expect.stringContaining('choose_option, submit, weigh'), details },
      },
    });
    expect((await act(id, 'weigh', { grams: 'heavy' })).error).toMatchObject({ code: 'VALIDATION_ERROR', details });
    expect((await act(id, 'weigh', { grams: -1 })).error).toMatchObject({
      ...{ code: 'EXECUTION_ERROR', message: 'The scale is broken.', details },
    });
    expect((await act(id, 'submit', {}, null)).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await act(id, 'submit', { text: 'x'.repeat(9_000) }, 'send')).error).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('V3 V8: is refused if the shown surface does not have it', async () => {
    const id = await started('Show', 'conversation');
    expect((await act(id, 'weigh', { grams: 1 }, 'send')).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    const { tools } = await stores.projects.snapshot(id);
    expect(tools).toEqual([]);
  });

  it('V3: answers a form once, and leaves no step beside the answer', async () => {
    const id = await started('Ask', 'executing');
    const both = await Promise.all([act(id, 'submit', { grams: 3 }, 'send'), act(id, 'submit', { grams: 4 }, 'send')]);
    expect(both.map(({ error }) => error?.code ?? 'answered').sort()).toEqual(['EXECUTION_ERROR', 'answered']);
    expect(both.find(({ error }) => error !== null)?.error?.message).toMatch(/^This form was answered at \d\d:\d\d\.$/);
    await vi.waitFor(async () => expect((await stores.projects.state(id)).project.phase).toBe('conversation'));
    expect((await stores.projects.snapshot(id)).tools).toEqual([]);
  });

  it('V8: of a kind that acts for people is refused to programs, like every other command', async () => {
    await projects.shutdown();
    ({ projects } = kindProjects({ ...kind, forPeopleOnly: true }, stores));
    const id = await started('Show', 'conversation');
    const program: Caller = { ...localPerson, type: 'program' };
    const refused = { code: 'FORBIDDEN', recovery: 'open_studio' };
    await expect(projects.as(program).message(id, 'Hello')).rejects.toMatchObject(refused);
    await expect(projects.as(program).callTool(id, 'weigh', { grams: 1 }, { signal })).rejects.toMatchObject(refused);
    await expect(
      projects.as(program).runAction(id, { id: 'weigh', parameters: { grams: 1 }, button: null }, { signal }),
    ).rejects.toMatchObject(refused);
    expect(await act(id, 'weigh', { grams: 1 })).toMatchObject({ error: null });
  });
});
