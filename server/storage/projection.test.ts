import { describe, expect, it } from 'vitest';
import type { ProjectSnapshot } from '#contract/api.ts';
import type { Batch } from '#contract/batch.ts';
import { type EventBody, type EventType, eventBodySchema } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import { allowLasting, type LastingPermission } from '#contract/permission.ts';
import type { Approval, Message, Todo } from '#contract/project.ts';
import { kodaCatalog, type SurfaceMessages } from '#contract/surface/surface.ts';
import { sampleProbe, sampleRender } from '../../test/fixtures/renders.ts';
import { newProject, samplePlan, tempStores, testPerson } from '../../test/fixtures/storage.ts';
import type { ProjectState } from './projects.ts';

const at = '2026-01-02T03:04:05.678Z';
const approval = (overrides: Partial<Approval> = {}): Approval => ({
  id: newId('apr'),
  type: 'question',
  content: 'Which style?',
  options: [{ id: 'playful', label: 'Playful', description: 'Bouncy' }],
  planId: null,
  at,
  ...overrides,
});
const message = (overrides: Partial<Message> = {}): Message => ({
  id: newId('msg'),
  role: 'user',
  content: 'Hello',
  queued: false,
  at,
  ...overrides,
});
const todo = (key: string, overrides: Partial<Todo> = {}): Todo => ({
  id: newId('todo'),
  title: `Do ${key}`,
  key,
  status: 'pending',
  attempts: 0,
  ...overrides,
});

const emptySnapshot: ProjectSnapshot = {
  project: {
    ...{ id: newId('prj'), kind: 'animation', name: 'Ball', prompt: 'A ball', phase: 'idle' },
    ...{ chips: [], style: null, aspect: null },
    ...{
      error: null,
      thinking: null,
      running: false,
      sandbox: 'stopped',
      previewUrl: null,
      previewError: null,
      createdAt: at,
      updatedAt: at,
    },
  },
  ...{ plan: null, todos: [], messages: [], approval: null, permissions: [], assets: [], renders: [], tools: [] },
  batches: [],
  ...{ usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 }, seq: 0 },
};
const batch: Batch = {
  ...{ id: newId('bat'), projectId: newId('prj'), state: 'running', reason: null },
  counts: { total: 1, waiting: 1, rendering: 0, complete: 0, failed: 0, cancelled: 0 },
  ...{ createdAt: at, finishedAt: null },
};
const question = approval();
const plan = samplePlan();
const planGate = approval({ type: 'plan', planId: plan.id });
const asked = { server: 'brand', tool: 'echo', digest: 'd1', input: '{"text":"logo"}' };
const permissionGate = approval({ type: 'permission', permission: { ...asked, sizeBytes: 15, reason: 'first' } });
const always = { outcome: 'option' as const, optionId: allowLasting };
const lasting = (count: number, inputs: string[]): LastingPermission => ({
  ...{ ...asked, approvalId: permissionGate.id },
  uses: { count, lastAt: expect.any(String) as unknown as string, inputs },
});
const todos = [todo('setup', { status: 'active' }), todo('scene:1')];
const queued = message({ queued: true });
const render = sampleRender('prj_00000000000000000000');
const probe = sampleProbe();
const complete = {
  ...render,
  status: 'complete' as const,
  percent: 100,
  probe,
  videoUrl: '/v',
  thumbnailUrl: '/t',
  renderTimeMs: 5,
  finishedAt: at,
};
const failed = { ...render, status: 'failed' as const, error: { code: 'RENDER_FAILED', message: 'no' }, finishedAt: at };

const shown = (text: string): SurfaceMessages => [
  { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: kodaCatalog } },
  { version: 'v0.9', updateDataModel: { surfaceId: 's', value: { text } } },
  {
    version: 'v0.9',
    updateComponents: { surfaceId: 's', components: [{ id: 'root', component: 'Text', text: { path: '/text' } }] },
  },
];
const pieces = (value: string): SurfaceMessages => [
  { version: 'v0.9', updateDataModel: { surfaceId: 's', path: '/text', value } },
];

const told = message({ role: 'assistant', surface: shown('before') });

interface Row {
  readonly before?: EventBody[];
  readonly event: EventBody;
  /** Parts of the state that the event changes. All others stay the same. */
  readonly changes: (
    before: ProjectState,
  ) => Partial<Omit<ProjectState, 'project'>> & { project?: Partial<ProjectState['project']> };
}

const rows: Record<EventType, Row[]> = {
  'project.phase': [
    {
      event: {
        type: 'project.phase',
        phase: 'error',
        previous: 'idle',
        error: { code: 'TIMEOUT', message: 'm', canRetry: true },
      },
      changes: () => ({ project: { phase: 'error', error: { code: 'TIMEOUT', message: 'm', canRetry: true } } }),
    },
    {
      before: [{ type: 'error', code: 'TIMEOUT', message: 'm', canRetry: true }],
      event: { type: 'project.phase', phase: 'plan', previous: 'idle', error: null },
      changes: () => ({ project: { phase: 'plan', error: null } }),
    },
  ],
  'project.updated': [
    { event: { type: 'project.updated', name: 'New' }, changes: () => ({ project: { name: 'New' } }) },
    {
      event: { type: 'project.updated', name: 'New', hints: { toolsOff: ['search'] } },
      changes: () => ({ project: { name: 'New', hints: { toolsOff: ['search'] } } }),
    },
  ],
  'run.started': [
    {
      before: [
        { type: 'error', code: 'TIMEOUT', message: 'm', canRetry: true },
        { type: 'thinking', text: 'Writing' },
      ],
      event: { type: 'run.started', runId: newId('run') },
      changes: () => ({ project: { running: true, error: null, thinking: null } }),
    },
  ],
  'run.finished': [
    {
      before: [
        { type: 'run.started', runId: newId('run') },
        { type: 'thinking', text: 'Writing' },
      ],
      event: { type: 'run.finished', runId: newId('run'), outcome: 'completed' },
      changes: () => ({ project: { running: false, thinking: null } }),
    },
  ],
  'question.asked': [{ event: { type: 'question.asked', approval: question }, changes: () => ({}) }],
  'plan.proposed': [
    { event: { type: 'plan.proposed', plan }, changes: () => ({ plan }) },
    {
      before: [{ type: 'plan.proposed', plan }],
      event: { type: 'plan.proposed', plan: { ...plan, revision: 2, title: 'Second' } },
      changes: () => ({ plan: { ...plan, revision: 2, title: 'Second' } }),
    },
  ],
  'approval.requested': [
    {
      event: { type: 'approval.requested', approval: question },
      changes: () => ({ approval: { ...question, callId: 'call_7' } }),
    },
  ],
  'approval.settled': [
    {
      before: [{ type: 'approval.requested', approval: question }],
      event: { type: 'approval.settled', approvalId: question.id, response: { outcome: 'option', optionId: 'playful' } },
      changes: () => ({
        approval: null,
        settled: [{ approval: question, callId: 'call_7', response: { outcome: 'option', optionId: 'playful' } }],
      }),
    },
    {
      before: [{ type: 'approval.requested', approval: permissionGate }],
      event: { type: 'approval.settled', approvalId: permissionGate.id, response: always },
      changes: () => ({
        approval: null,
        settled: [{ approval: permissionGate, callId: 'call_7', response: always }],
        permissions: [lasting(1, ['{"text":"logo"}'])],
      }),
    },
    {
      before: [
        { type: 'plan.proposed', plan },
        { type: 'approval.requested', approval: planGate },
      ],
      event: { type: 'approval.settled', approvalId: planGate.id, response: { outcome: 'accepted' } },
      changes: () => ({
        approval: null,
        settled: [{ approval: planGate, callId: 'call_7', response: { outcome: 'accepted' } }],
        plan: { ...plan, accepted: true },
        project: { chips: plan.chips ?? [], style: 'playful', aspect: '16:9' },
      }),
    },
    {
      before: [
        { type: 'plan.proposed', plan },
        { type: 'approval.requested', approval: planGate },
      ],
      event: { type: 'approval.settled', approvalId: planGate.id, response: { outcome: 'changes', text: 'longer' } },
      changes: () => ({
        approval: null,
        settled: [{ approval: planGate, callId: 'call_7', response: { outcome: 'changes', text: 'longer' } }],
      }),
    },
  ],
  'permission.used': [
    {
      before: [
        { type: 'approval.requested', approval: permissionGate },
        { type: 'approval.settled', approvalId: permissionGate.id, response: always },
      ],
      event: { type: 'permission.used', approvalId: permissionGate.id, input: '{"text":"font"}' },
      changes: () => ({ permissions: [lasting(2, ['{"text":"font"}', '{"text":"logo"}'])] }),
    },
    // It was revoked before.
    { event: { type: 'permission.used', approvalId: permissionGate.id, input: '{}' }, changes: () => ({}) },
  ],
  'permission.revoked': [
    {
      before: [
        { type: 'approval.requested', approval: permissionGate },
        { type: 'approval.settled', approvalId: permissionGate.id, response: always },
      ],
      event: { type: 'permission.revoked', approvalId: permissionGate.id },
      changes: () => ({ permissions: [] }),
    },
  ],
  'todo.updated': [
    { event: { type: 'todo.updated', todos }, changes: () => ({ todos }) },
    {
      before: [{ type: 'todo.updated', todos }],
      event: { type: 'todo.updated', todos: todos.slice(1) },
      changes: () => ({ todos: todos.slice(1) }),
    },
    { before: [{ type: 'todo.updated', todos }], event: { type: 'todo.updated', todos: [] }, changes: () => ({ todos: [] }) },
  ],
  thinking: [
    {
      event: { type: 'thinking', text: 'Writing src/App.tsx' },
      changes: () => ({ project: { thinking: 'Writing src/App.tsx' } }),
    },
  ],
  'message.added': [
    {
      before: [{ type: 'message.added', message: queued }],
      event: { type: 'message.added', message: { ...message(), id: 'msg_00000000000000000002', role: 'assistant' } },
      changes: (before) => ({
        messages: [...before.messages, { ...message(), id: 'msg_00000000000000000002', role: 'assistant' }],
      }),
    },
  ],
  'surface.updated': [
    {
      before: [{ type: 'message.added', message: told }],
      event: { type: 'surface.updated', messageId: told.id, messages: pieces('after') },
      changes: () => ({ messages: [{ ...told, surface: shown('after') }] }),
    },
  ],
  'message.delivered': [
    {
      before: [{ type: 'message.added', message: queued }],
      event: { type: 'message.delivered', messageId: queued.id },
      changes: () => ({ messages: [{ ...queued, queued: false }] }),
    },
  ],
  'message.withdrawn': [
    {
      before: [
        { type: 'message.added', message: queued },
        { type: 'message.added', message: { ...queued, id: 'msg_00000000000000000003' } },
      ],
      event: { type: 'message.withdrawn', messageId: 'msg_00000000000000000003' },
      changes: () => ({ messages: [queued] }),
    },
  ],
  'code.chunk': [{ event: { type: 'code.chunk', path: 'src/App.tsx', text: 'x', offset: 0 }, changes: () => ({}) }],
  'file.written': [{ event: { type: 'file.written', path: 'src/App.tsx', sizeBytes: 1 }, changes: () => ({}) }],
  'file.deleted': [{ event: { type: 'file.deleted', path: 'src/App.tsx' }, changes: () => ({}) }],
  'tool.started': [{ event: { type: 'tool.started', callId: 'c', name: 'n', summary: 's' }, changes: () => ({}) }],
  'tool.finished': [
    { event: { type: 'tool.finished', callId: 'c', name: 'n', durationMs: 1, summary: 's', error: null }, changes: () => ({}) },
  ],
  'sandbox.state': [{ event: { type: 'sandbox.state', state: 'busy' }, changes: () => ({ project: { sandbox: 'busy' } }) }],
  'preview.ready': [
    {
      before: [{ type: 'preview.error', message: 'm', log: 'l' }],
      event: { type: 'preview.ready', url: 'http://p' },
      changes: () => ({ project: { previewUrl: 'http://p', previewError: null } }),
    },
  ],
  'preview.error': [
    {
      event: { type: 'preview.error', message: 'm', log: 'l' },
      changes: () => ({ project: { previewError: { message: 'm', log: 'l' } } }),
    },
  ],
  'preview.stopped': [
    {
      before: [
        { type: 'preview.ready', url: 'http://p' },
        { type: 'preview.error', message: 'm', log: 'l' },
      ],
      event: { type: 'preview.stopped' },
      changes: () => ({ project: { previewUrl: null, previewError: null } }),
    },
  ],
  'render.queued': [{ event: { type: 'render.queued', render }, changes: () => ({ renders: [render] }) }],
  'render.progress': [
    {
      before: [{ type: 'render.queued', render }],
      event: {
        type: 'render.progress',
        renderId: render.id,
        percent: 40.5,
        stage: 'capturing',
        framesDone: 4,
        framesTotal: 10,
        secondsLeft: null,
      },
      changes: () => ({ renders: [{ ...render, status: 'running', percent: 40.5, stage: 'capturing' }] }),
    },
  ],
  'render.complete': [
    {
      before: [{ type: 'render.queued', render }],
      event: { type: 'render.complete', render: complete },
      changes: () => ({ renders: [complete] }),
    },
  ],
  'render.failed': [
    {
      before: [{ type: 'render.queued', render }],
      event: { type: 'render.failed', render: failed },
      changes: () => ({ renders: [failed] }),
    },
  ],
  // Batches exist only with their rows, so renders/batches.test.ts covers them.
  'batch.updated': [{ event: { type: 'batch.updated', batch }, changes: () => ({}) }],
  'batch.removed': [{ event: { type: 'batch.removed', batchId: batch.id }, changes: () => ({}) }],
  'checkpoint.saved': [{ event: { type: 'checkpoint.saved', checkpointId: newId('chk'), trigger: 'todo' }, changes: () => ({}) }],
  'checkpoint.restored': [{ event: { type: 'checkpoint.restored', checkpointId: newId('chk') }, changes: () => ({}) }],
  usage: [
    {
      event: { type: 'usage', inputTokens: 9, cachedInputTokens: 4, outputTokens: 2, costUsd: 0.25 },
      changes: () => ({ usage: { inputTokens: 9, cachedInputTokens: 4, outputTokens: 2, costUsd: 0.25 } }),
    },
    {
      before: [{ type: 'usage', inputTokens: 9, cachedInputTokens: 4, outputTokens: 2, costUsd: 0.25 }],
      event: { type: 'usage', inputTokens: 1, cachedInputTokens: 1, outputTokens: 5, costUsd: 0.5 },
      changes: () => ({ usage: { inputTokens: 10, cachedInputTokens: 5, outputTokens: 7, costUsd: 0.75 } }),
    },
  ],
  error: [
    {
      event: { type: 'error', code: 'SANDBOX_DEAD', message: 'm', canRetry: false },
      changes: () => ({ project: { error: { code: 'SANDBOX_DEAD', message: 'm', canRetry: false } } }),
    },
  ],
  reset: [{ event: { type: 'reset', reason: 'r', snapshot: emptySnapshot }, changes: () => ({}) }],
};

/** Sets the project id in renders, which is unknown until the project exists. */
function ownedBy(projectId: string, body: EventBody): EventBody {
  return 'render' in body ? { ...body, render: { ...body.render, projectId } } : body;
}

describe('projection', () => {
  for (const [type, cases] of Object.entries(rows)) {
    cases.forEach(({ before: earlier = [], event, changes }, index) => {
      it(`A20: ${type} (${index + 1}) changes exactly its own part of the state`, async () => {
        using stores = tempStores();
        const { id } = await stores.projects.create(newProject());
        await stores.projects.record(
          id,
          earlier.map((body) => ownedBy(id, body)),
          { by: testPerson, callId: 'call_7' },
        );
        const before = await stores.projects.state(id);
        expect(eventBodySchema.safeParse(event).error).toBeUndefined();

        const [recorded] = await stores.projects.record(id, [ownedBy(id, event)], { by: testPerson, callId: 'call_7' });

        const expected = changes(before);
        const renders = (expected.renders ?? before.renders).map((entry) => ({ ...entry, projectId: id }));
        const project = { ...before.project, ...expected.project, updatedAt: recorded?.at };
        expect(await stores.projects.state(id)).toEqual({ ...before, ...expected, renders, project, seq: before.seq + 1 });
      });
    });
  }

  it('A23: the session follows the sandbox state and stores the last checkpoint', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    const session = () =>
      stores.database.sqlite
        .prepare('SELECT status, last_checkpoint_id AS checkpoint FROM sessions WHERE project_id = ?')
        .get(id);
    expect(session()).toEqual({ status: 'active', checkpoint: null });
    const checkpointId = newId('chk');
    await stores.projects.record(
      id,
      [
        { type: 'checkpoint.saved', checkpointId, trigger: 'idle' },
        { type: 'sandbox.state', state: 'stopped' },
      ],
      { by: testPerson },
    );
    expect(session()).toEqual({ status: 'suspended', checkpoint: checkpointId });
  });
});
