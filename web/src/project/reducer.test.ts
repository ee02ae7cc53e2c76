import { describe, expect, it } from 'vitest';
import type { ProjectSnapshot } from '../../../server/contract/api.ts';
import type { EventBody, ProjectEvent } from '../../../server/contract/events.ts';
import type { Approval, Message, Plan, Todo } from '../../../server/contract/project.ts';
import type { Render } from '../../../server/contract/render.ts';
import { sampleSettings } from '../../../test/fixtures/renders.ts';
import { applyEvent, type ProjectView, viewAfterReload, viewFromSnapshot, withoutRender } from './reducer.ts';

const at = '2026-01-02T03:04:05.000Z';
const projectId = 'prj_0123456789abcdefghjk';

const snapshot = (change: Partial<ProjectSnapshot> = {}): ProjectSnapshot => ({
  project: {
    id: projectId,
    kind: 'animation',
    name: 'Ball',
    prompt: 'A red ball',
    phase: 'idle',
    style: null,
    aspect: null,
    error: null,
    thinking: null,
    running: false,
    sandbox: 'created',
    previewUrl: null,
    createdAt: at,
    updatedAt: at,
  },
  plan: null,
  todos: [],
  messages: [],
  approval: null,
  assets: [],
  renders: [],
  seq: 0,
  ...change,
});

const message = (id: string, change: Partial<Message> = {}): Message => ({
  id: `msg_${id}`,
  role: 'user',
  content: 'hello',
  queued: false,
  at,
  ...change,
});

const plan: Plan = {
  id: 'plan_0123456789abcdefghjk',
  revision: 1,
  accepted: false,
  title: 'Ball',
  style: 'playful',
  aspect: '9:16',
  durationSeconds: 4,
  fps: 60,
  scenes: [{ number: 1, title: 'Drop', startSeconds: 0, durationSeconds: 4, description: 'It drops.', animationNotes: 'Squash' }],
  caveat: null,
};

const approval = (type: Approval['type']): Approval => ({
  id: `apr_${type}`,
  type,
  content: '?',
  options: [],
  planId: type === 'plan' ? plan.id : null,
  at,
});

const render = (change: Partial<Render> = {}): Render => ({
  id: 'rnd_0123456789abcdefghjk',
  projectId,
  status: 'queued',
  settings: sampleSettings({ width: 1280, height: 720, fps: 30, durationSeconds: 4 }),
  percent: 0,
  stage: null,
  probe: null,
  videoUrl: null,
  thumbnailUrl: null,
  renderTimeMs: null,
  error: null,
  createdAt: at,
  finishedAt: null,
  ...change,
});

/** The view after these events, numbered from the view's next one on. */
function advance(view: ProjectView, ...bodies: EventBody[]): ProjectView {
  return bodies.reduce((old, body) => applyEvent(old, { seq: old.seq + 1, projectId, at, ...body } as ProjectEvent), view);
}

const fresh = () => viewFromSnapshot(snapshot());

describe('the numbers of events', () => {
  it('A20: an event that was applied before changes nothing', () => {
    const view = advance(fresh(), { type: 'thinking', text: 'one' });
    expect(applyEvent(view, { seq: 1, projectId, at, type: 'thinking', text: 'again' })).toBe(view);
  });

  it('A20: a gap makes the view stale, and nothing is applied until a snapshot comes', () => {
    const gap = applyEvent(fresh(), { seq: 2, projectId, at, type: 'thinking', text: 'late' });
    expect(gap.staleReason).toContain('event 1');
    expect(gap.project.thinking).toBeNull();
    expect(applyEvent(gap, { seq: 1, projectId, at, type: 'thinking', text: 'first' })).toBe(gap);
    const mended = viewAfterReload(gap, snapshot({ seq: 7 }));
    expect(mended.staleReason).toBeNull();
    expect(advance(mended, { type: 'thinking', text: 'on' }).seq).toBe(8);
  });

  it('A20: a reset is the snapshot that it brings, whatever its number', () => {
    const stale = applyEvent(viewFromSnapshot(snapshot({ seq: 9 })), { seq: 12, projectId, at, type: 'thinking', text: 'late' });
    const reset = { type: 'reset', reason: 'restored', snapshot: snapshot({ seq: 4 }) } as const;
    const mended = applyEvent(stale, { seq: 4, projectId, at, ...reset });
    expect([mended.seq, mended.staleReason]).toEqual([4, null]);
    expect(advance(mended, { type: 'thinking', text: 'on' }).seq).toBe(5);
  });
});

describe('phases, runs and gates', () => {
  it('A1: the phase and its error follow the event', () => {
    const error = { code: 'SANDBOX_DEAD', message: 'gone', canRetry: true };
    const failed = advance(fresh(), { type: 'project.phase', phase: 'error', previous: 'executing', error });
    expect(failed.project).toMatchObject({ phase: 'error', error });
    const retried = advance(failed, { type: 'project.phase', phase: 'executing', previous: 'error', error: null });
    expect(retried.project).toMatchObject({ phase: 'executing', error: null });
  });

  it('A6: a run that ends takes the thinking line with it', () => {
    const working = advance(
      fresh(),
      { type: 'run.started', runId: 'run_0123456789abcdefghjk' },
      { type: 'thinking', text: 'Writing src/App.tsx' },
    );
    expect(working.project).toMatchObject({ running: true, thinking: 'Writing src/App.tsx' });
    const waiting = advance(working, { type: 'run.finished', runId: 'run_0123456789abcdefghjk', outcome: 'waiting' });
    expect(waiting.project).toMatchObject({ running: false, thinking: null });
  });

  it('A5: accepting the plan marks it and settles style and frame; asking for changes does not', () => {
    const proposed = advance(
      fresh(),
      { type: 'plan.proposed', plan },
      { type: 'approval.requested', approval: approval('plan') },
    );
    expect(proposed.approval?.type).toBe('plan');
    const accepted = advance(proposed, { type: 'approval.settled', approvalId: 'apr_plan', response: { outcome: 'accepted' } });
    expect(accepted).toMatchObject({ approval: null, plan: { accepted: true }, project: { style: 'playful', aspect: '9:16' } });
    const changed = advance(proposed, {
      type: 'approval.settled',
      approvalId: 'apr_plan',
      response: { outcome: 'changes', text: 'x' },
    });
    expect(changed).toMatchObject({ approval: null, plan: { accepted: false }, project: { style: null } });
  });

  it('A5: accepting the preview leaves the plan alone', () => {
    const view = advance(
      viewFromSnapshot(snapshot({ plan })),
      { type: 'approval.requested', approval: approval('preview') },
      { type: 'approval.settled', approvalId: 'apr_preview', response: { outcome: 'accepted' } },
    );
    expect(view).toMatchObject({ approval: null, plan: { accepted: false } });
  });

  it('A5: an answer to another gate does not close the open one', () => {
    const view = advance(
      fresh(),
      { type: 'approval.requested', approval: approval('question') },
      { type: 'approval.settled', approvalId: 'apr_other', response: { outcome: 'cancelled' } },
    );
    expect(view.approval?.id).toBe('apr_question');
  });

  it('A6: todos are replaced as a whole', () => {
    const todo: Todo = { id: 'todo_0123456789abcdefghjk', title: 'Scene 1', key: 'scene:1', status: 'active', attempts: 1 };
    expect(advance(fresh(), { type: 'todo.updated', todos: [todo] }).todos).toEqual([todo]);
  });
});

describe('messages', () => {
  it('A10: are appended, once each, and are delivered', () => {
    const added = advance(
      fresh(),
      { type: 'message.added', message: message('a') },
      { type: 'message.added', message: message('b', { queued: true }) },
    );
    expect(added.messages.map((item) => [item.id, item.queued])).toEqual([
      ['msg_a', false],
      ['msg_b', true],
    ]);
    expect(advance(added, { type: 'message.delivered', messageId: 'msg_b' }).messages[1]?.queued).toBe(false);
  });
});

describe('code', () => {
  const chunk = (text: string, offset: number): EventBody => ({ type: 'code.chunk', path: 'src/App.tsx', text, offset });

  it('A7: streams into one text and stays when the file is written as it was streamed', () => {
    const view = advance(fresh(), chunk('const é', 0), chunk(' = 1;', 7));
    expect(view.files['src/App.tsx']).toMatchObject({ text: 'const é = 1;', streaming: true });
    expect(view.currentFile).toBe('src/App.tsx');
    const written = advance(view, { type: 'file.written', path: 'src/App.tsx', sizeBytes: 13 });
    expect(written.files['src/App.tsx']).toMatchObject({ text: 'const é = 1;', streaming: false });
  });

  it('A7: a second attempt at a file begins anew, also in the middle', () => {
    expect(advance(fresh(), chunk('wrong', 0), chunk('right', 0)).files['src/App.tsx']?.text).toBe('right');
    expect(advance(fresh(), chunk('abcdef', 0), chunk('X', 3)).files['src/App.tsx']?.text).toBe('abcX');
  });

  it('A7: a text whose beginning was missed is not shown as if it were whole', () => {
    const view = advance(fresh(), chunk('tail', 100));
    expect(view.files['src/App.tsx']?.text).toBeNull();
    expect(advance(view, chunk('more', 104)).files['src/App.tsx']?.text).toBeNull();
  });

  it('A7: a written file that differs from what was streamed is fetched', () => {
    const view = advance(fresh(), chunk('short', 0), { type: 'file.written', path: 'src/App.tsx', sizeBytes: 999 });
    expect(view.files['src/App.tsx']).toMatchObject({ text: null, streaming: false });
  });

  it('A7: each write gives the file a new version', () => {
    const once = advance(fresh(), { type: 'file.written', path: 'a.ts', sizeBytes: 1 });
    const twice = advance(once, { type: 'file.written', path: 'a.ts', sizeBytes: 1 });
    expect(twice.files['a.ts']?.version).toBeGreaterThan(once.files['a.ts']?.version ?? 0);
  });

  it('A10: a run that was stopped while it wrote leaves no half file behind', () => {
    const view = advance(fresh(), chunk('half', 0), {
      type: 'run.finished',
      runId: 'run_0123456789abcdefghjk',
      outcome: 'stopped',
    });
    expect(view.files['src/App.tsx']).toMatchObject({ text: null, streaming: false });
    expect(view.currentFile).toBeNull();
  });

  it('A9: a deleted file is marked, a restore forgets all', () => {
    const deleted = advance(fresh(), chunk('x', 0), { type: 'file.deleted', path: 'src/App.tsx' });
    expect(deleted.files['src/App.tsx']?.deleted).toBe(true);
    const restored = advance(deleted, { type: 'checkpoint.restored', checkpointId: 'chk_0123456789abcdefghjk' });
    expect(restored).toMatchObject({ files: {}, filesVersion: 1 });
  });
});

describe('tools', () => {
  it('A20: a call is running, then has its duration, summary and error', () => {
    const started = advance(fresh(), { type: 'tool.started', callId: 'c1', name: 'file_edit', summary: 'Editing' });
    expect(started.tools).toMatchObject([{ callId: 'c1', durationMs: null, startedAt: at }]);
    const error = { code: 'NO_MATCH', message: 'nothing found' };
    const finished = advance(started, {
      type: 'tool.finished',
      callId: 'c1',
      name: 'file_edit',
      durationMs: 12,
      summary: '',
      error,
    });
    expect(finished.tools).toEqual([
      { callId: 'c1', name: 'file_edit', summary: 'Editing', startedAt: at, durationMs: 12, error },
    ]);
  });

  it('A20: of very many calls the last 500 are kept', () => {
    const bodies = Array.from(
      { length: 700 },
      (_, index): EventBody => ({ type: 'tool.started', callId: `c${index}`, name: 't', summary: '' }),
    );
    const view = advance(fresh(), ...bodies);
    expect(view.tools).toHaveLength(500);
    expect(view.tools.at(-1)?.callId).toBe('c699');
  });
});

describe('preview and renders', () => {
  it('A15: each start of the preview server makes the frame load anew', () => {
    const url = 'http://abc.localhost:3000/';
    const once = advance(fresh(), { type: 'preview.ready', url });
    const twice = advance(once, { type: 'preview.ready', url });
    expect(once.project.previewUrl).toBe(url);
    expect(twice.previewVersion).toBe(once.previewVersion + 1);
  });

  it('A8: what the preview complains of is kept, the last 500 of it', () => {
    const bodies = Array.from({ length: 600 }, (_, index): EventBody => ({ type: 'preview.error', message: `m${index}` }));
    const view = advance(fresh(), ...bodies);
    expect(view.console).toHaveLength(500);
    expect(view.console.at(-1)?.text).toBe('m599');
  });

  it('A18: a render is queued, progresses and completes', () => {
    const queued = advance(fresh(), { type: 'render.queued', render: render() });
    const running = advance(queued, {
      type: 'render.progress',
      renderId: render().id,
      percent: 25,
      stage: 'capturing',
      framesDone: 30,
      framesTotal: 120,
      secondsLeft: 9,
    });
    expect(running.renders).toMatchObject([{ status: 'running', percent: 25, stage: 'capturing' }]);
    expect(running.progress[render().id]).toEqual({ framesDone: 30, framesTotal: 120, secondsLeft: 9 });
    const done = advance(running, { type: 'render.complete', render: render({ status: 'complete', percent: 100 }) });
    expect(done.renders).toMatchObject([{ status: 'complete' }]);
    expect(done.progress).toEqual({});
  });

  it('A18: a failure keeps its reason; a deleted render is gone', () => {
    const error = { code: 'RENDER_FAILED', message: 'The browser ended.' };
    const failed = advance(fresh(), { type: 'render.failed', render: render({ status: 'failed', error }) });
    expect(failed.renders).toMatchObject([{ status: 'failed', error }]);
    expect(withoutRender(failed, render().id).renders).toEqual([]);
  });

  it('A13: the state of the sandbox is shown; usage adds up', () => {
    const view = advance(
      fresh(),
      { type: 'sandbox.state', state: 'busy' },
      { type: 'usage', cachedInputTokens: 0, inputTokens: 10, outputTokens: 2, costUsd: 0.5 },
      { type: 'usage', cachedInputTokens: 0, inputTokens: 1, outputTokens: 1, costUsd: 0.25 },
    );
    expect(view.project.sandbox).toBe('busy');
    expect(view.usage).toEqual({ inputTokens: 11, outputTokens: 3, costUsd: 0.75 });
  });
});
