import { describe, expect, it } from 'vitest';
import type { ProjectSnapshot } from '#contract/api.ts';
import type { EventBody, ProjectEvent } from '#contract/events.ts';
import type { Approval, Message, Plan, Todo } from '#contract/project.ts';
import type { Render } from '#contract/render.ts';
import { draftOf } from '../../../test/fixtures/plans.ts';
import { sampleRender, sampleSettings } from '../../../test/fixtures/renders.ts';
import { applyEvent, applyEvents, Batch, type ProjectView, viewAfterReload, viewFromSnapshot, withoutRender } from './reducer.ts';

const at = '2026-01-02T03:04:05.000Z';
const projectId = 'prj_0123456789abcdefghjk';

const snapshot = (change: Partial<ProjectSnapshot> = {}): ProjectSnapshot => ({
  project: {
    id: projectId,
    kind: 'animation',
    name: 'Ball',
    prompt: 'A red ball',
    phase: 'idle',
    chips: [],
    style: null,
    aspect: null,
    error: null,
    thinking: null,
    running: false,
    sandbox: 'created',
    previewUrl: null,
    previewError: null,
    createdAt: at,
    updatedAt: at,
  },
  plan: null,
  todos: [],
  messages: [],
  approval: null,
  permissions: [],
  assets: [],
  renders: [],
  batches: [],
  tools: [],
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
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
  ...draftOf({
    title: 'Ball',
    style: 'playful',
    aspect: '9:16',
    durationSeconds: 4,
    fps: 60,
    scenes: [
      { number: 1, title: 'Drop', startSeconds: 0, durationSeconds: 4, description: 'It drops.', animationNotes: 'Squash' },
    ],
    caveat: null,
  }),
};

const approval = (type: Approval['type']): Approval => ({
  id: `apr_${type}`,
  type,
  content: '?',
  options: [],
  planId: type === 'plan' ? plan.id : null,
  at,
});

const render = (change: Partial<Render> = {}): Render =>
  sampleRender(projectId, {
    id: 'rnd_0123456789abcdefghjk',
    settings: sampleSettings({ width: 1280, height: 720, fps: 30, durationSeconds: 4 }),
    ...change,
  });

const numbered = (view: ProjectView, bodies: readonly EventBody[]) =>
  bodies.map((body, index) => ({ seq: view.seq + 1 + index, projectId, at, ...body }) as ProjectEvent);

/** Applies these events, numbered from the view's next `seq`, both one by one and in one batch, which must be equivalent. */
function advance(view: ProjectView, ...bodies: EventBody[]): ProjectView {
  const events = numbered(view, bodies);
  const atOnce = applyEvents(view, events);
  expect(events.reduce((next, event) => applyEvents(next, [event]), view)).toEqual(atOnce);
  return atOnce;
}

const one = (view: ProjectView, event: EventBody & { seq: number }) =>
  applyEvents(view, [{ projectId, at, ...event } as ProjectEvent]);

const fresh = () => viewFromSnapshot(snapshot());

describe('event sequence', () => {
  it('A20: an event that was applied before changes nothing', () => {
    const view = advance(fresh(), { type: 'thinking', text: 'one' });
    expect(one(view, { seq: 1, type: 'thinking', text: 'again' })).toBe(view);
  });

  it('A20: a gap makes the view stale until a snapshot arrives', () => {
    const gap = one(fresh(), { seq: 2, type: 'thinking', text: 'late' });
    expect(gap.staleReason).toContain('event 1');
    expect(gap.project.thinking).toBeNull();
    expect(one(gap, { seq: 1, type: 'thinking', text: 'first' })).toBe(gap);
    const recovered = viewAfterReload(gap, snapshot({ seq: 7 }));
    expect(recovered.staleReason).toBeNull();
    expect(advance(recovered, { type: 'thinking', text: 'on' }).seq).toBe(8);
  });

  it('A20: a reset replaces the view with its snapshot, whatever its number', () => {
    const stale = one(viewFromSnapshot(snapshot({ seq: 9 })), { seq: 12, type: 'thinking', text: 'late' });
    const reset = { type: 'reset', reason: 'restored', snapshot: snapshot({ seq: 4 }) } as const;
    const recovered = one(stale, { seq: 4, ...reset });
    expect([recovered.seq, recovered.staleReason]).toEqual([4, null]);
    expect(advance(recovered, { type: 'thinking', text: 'on' }).seq).toBe(5);
  });
});

describe('phases, runs and approvals', () => {
  it('A1: phase and error follow the event', () => {
    const error = { code: 'SANDBOX_DEAD', message: 'gone', canRetry: true };
    const failed = advance(fresh(), { type: 'project.phase', phase: 'error', previous: 'executing', error });
    expect(failed.project).toMatchObject({ phase: 'error', error });
    const retried = advance(failed, { type: 'project.phase', phase: 'executing', previous: 'error', error: null });
    expect(retried.project).toMatchObject({ phase: 'executing', error: null });
  });

  it('A22: a new run has no thinking line of a crashed one', () => {
    const working = advance(
      viewFromSnapshot(snapshot({ project: { ...snapshot().project, thinking: 'of a run that a crash ended' } })),
      { type: 'run.started', runId: 'run_0123456789abcdefghjk' },
    );
    expect(working.project).toMatchObject({ running: true, thinking: null });
  });

  it('T14: shows a wait for the model while it lasts', () => {
    const waiting = advance(
      fresh(),
      { type: 'run.started', runId: 'run_0123456789abcdefghjk' },
      { type: 'thinking', text: 'The model is overloaded; retrying in 8 s' },
    );
    expect(waiting.project).toMatchObject({ running: true, thinking: 'The model is overloaded; retrying in 8 s' });
    expect(advance(waiting, { type: 'thinking', text: null }).project).toMatchObject({ running: true, thinking: null });
  });

  it('A6: removes the thinking line when a run ends', () => {
    const working = advance(
      fresh(),
      { type: 'run.started', runId: 'run_0123456789abcdefghjk' },
      { type: 'thinking', text: 'Writing src/App.tsx' },
    );
    expect(working.project).toMatchObject({ running: true, thinking: 'Writing src/App.tsx' });
    const waiting = advance(working, { type: 'run.finished', runId: 'run_0123456789abcdefghjk', outcome: 'waiting' });
    expect(waiting.project).toMatchObject({ running: false, thinking: null });
  });

  it('A5: accepting the plan settles what the project shows of it; requesting changes does not', () => {
    const proposed = advance(
      fresh(),
      { type: 'plan.proposed', plan },
      { type: 'approval.requested', approval: approval('plan') },
    );
    expect(proposed.approval?.type).toBe('plan');
    const accepted = advance(proposed, { type: 'approval.settled', approvalId: 'apr_plan', response: { outcome: 'accepted' } });
    expect(accepted).toMatchObject({ approval: null, plan: { accepted: true }, project: { chips: plan.chips } });
    const changed = advance(proposed, {
      type: 'approval.settled',
      approvalId: 'apr_plan',
      response: { outcome: 'changes', text: 'x' },
    });
    expect(changed).toMatchObject({ approval: null, plan: { accepted: false } });
  });

  it('A5: accepting the preview leaves the plan alone', () => {
    const view = advance(
      viewFromSnapshot(snapshot({ plan })),
      { type: 'approval.requested', approval: approval('preview') },
      { type: 'approval.settled', approvalId: 'apr_preview', response: { outcome: 'accepted' } },
    );
    expect(view).toMatchObject({ approval: null, plan: { accepted: false } });
  });

  it('A5: a reply to another approval does not close the open one', () => {
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

describe('batch of events', () => {
  const written = (path: string): EventBody => ({ type: 'file.written', path, sizeBytes: 1 });
  const added = (id: string): EventBody => ({ type: 'message.added', message: message(id) });

  it('A20: copies files and messages once and leaves the previous view unchanged', () => {
    const before = advance(fresh(), written('a.ts'), added('a'));
    const kept = structuredClone(before);
    const batch = new Batch();
    const apply = (view: ProjectView, body: EventBody) =>
      numbered(view, [body]).reduce((next, event) => applyEvent(next, event, batch), view);
    const first = apply(before, written('b.ts'));
    const second = apply(first, written('c.ts'));
    expect(second.files).toBe(first.files);
    const third = apply(second, added('b'));
    const fourth = apply(third, added('c'));
    expect(fourth.messages).toBe(third.messages);
    expect(Object.keys(fourth.files)).toEqual(['a.ts', 'b.ts', 'c.ts']);
    expect(fourth.messages.map(({ id }) => id)).toEqual(['msg_a', 'msg_b', 'msg_c']);
    expect(before).toEqual(kept);
    // The page has received these files, so the next event must copy them.
    expect(advance(fourth, written('d.ts')).files).not.toBe(fourth.files);
    expect(Object.keys(fourth.files)).toHaveLength(3);
  });

  it('A20: shows a message that is reported twice once, and allows any file name', () => {
    const view = advance(fresh(), added('a'), added('b'), added('a'), written('__proto__'));
    expect(view.messages.map(({ id }) => id)).toEqual(['msg_b', 'msg_a']);
    expect(Object.keys(view.files)).toEqual(['__proto__']);
  });

  it('A15: counts every change of a file', () => {
    const restored: EventBody = { type: 'checkpoint.restored', checkpointId: 'chk_0123456789abcdefghjk' };
    const gone: EventBody = { type: 'file.deleted', path: 'a.ts' };
    expect(advance(fresh(), written('a.ts'), gone, restored).codeVersion).toBe(3);
    expect(advance(fresh(), { type: 'code.chunk', path: 'a.ts', text: 'x', offset: 0 }, added('a')).codeVersion).toBe(0);
  });
});

describe('messages', () => {
  it('A10: are appended once and marked as delivered', () => {
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
    expect(advance(added, { type: 'message.withdrawn', messageId: 'msg_b' }).messages.map((item) => item.id)).toEqual(['msg_a']);
  });
});

describe('code', () => {
  const chunk = (text: string, offset: number): EventBody => ({ type: 'code.chunk', path: 'src/App.tsx', text, offset });

  it('A7: streams into one text that stays if the written file is equal', () => {
    const view = advance(fresh(), chunk('const é', 0), chunk(' = 1;', 7));
    expect(view.files['src/App.tsx']).toMatchObject({ text: 'const é = 1;', streaming: true });
    expect(view.currentFile).toBe('src/App.tsx');
    const written = advance(view, { type: 'file.written', path: 'src/App.tsx', sizeBytes: 13 });
    expect(written.files['src/App.tsx']).toMatchObject({ text: 'const é = 1;', streaming: false });
  });

  it('A7: a second attempt at a file starts from scratch, even midway', () => {
    expect(advance(fresh(), chunk('wrong', 0), chunk('right', 0)).files['src/App.tsx']?.text).toBe('right');
    expect(advance(fresh(), chunk('abcdef', 0), chunk('X', 3)).files['src/App.tsx']?.text).toBe('abcX');
  });

  it('A7: a file whose start was missed is not shown as complete', () => {
    const view = advance(fresh(), chunk('tail', 100));
    expect(view.files['src/App.tsx']?.text).toBeNull();
    expect(advance(view, chunk('more', 104)).files['src/App.tsx']?.text).toBeNull();
  });

  it('A7: a written file that differs from the stream is fetched', () => {
    const view = advance(fresh(), chunk('short', 0), { type: 'file.written', path: 'src/App.tsx', sizeBytes: 999 });
    expect(view.files['src/App.tsx']).toMatchObject({ text: null, streaming: false });
  });

  it("A7: each write increases the file's version", () => {
    const once = advance(fresh(), { type: 'file.written', path: 'a.ts', sizeBytes: 1 });
    const twice = advance(once, { type: 'file.written', path: 'a.ts', sizeBytes: 1 });
    expect(twice.files['a.ts']?.version).toBeGreaterThan(once.files['a.ts']?.version ?? 0);
  });

  it('A10: a stopped run leaves no half-written file', () => {
    const view = advance(fresh(), chunk('half', 0), {
      type: 'run.finished',
      runId: 'run_0123456789abcdefghjk',
      outcome: 'stopped',
    });
    expect(view).toMatchObject({ files: {}, currentFile: null, filesVersion: 1 });
  });

  it('A7: a restarted response streams its files again and finally drops discarded ones', () => {
    const other = (text: string): EventBody => ({ type: 'code.chunk', path: 'src/old.ts', text, offset: 0 });
    const written = advance(fresh(), { type: 'file.written', path: 'src/kept.ts', sizeBytes: 1 });
    const restarted = advance(written, chunk('const a', 0), chunk(' = 1;', 7), other('given up'), chunk('const b = 2;', 0));
    expect(restarted.files['src/App.tsx']).toMatchObject({ text: 'const b = 2;', streaming: true });
    expect(restarted.currentFile).toBe('src/App.tsx');
    const done = { callId: 'c', name: 'generate_code', durationMs: 1, summary: 'A scene', error: null } as const;
    const over = advance(
      restarted,
      { type: 'file.written', path: 'src/App.tsx', sizeBytes: 12 },
      { type: 'tool.finished', ...done },
    );
    expect(Object.keys(over.files)).toEqual(['src/kept.ts', 'src/App.tsx']);
    expect(over).toMatchObject({ currentFile: 'src/App.tsx', filesVersion: 1 });
    expect(over.files['src/App.tsx']).toMatchObject({ text: 'const b = 2;', streaming: false });
    expect(advance(over, { type: 'tool.finished', ...done }).filesVersion).toBe(1);
  });

  it('A7: a failed generator leaves no half-written file, while other tools end normally', () => {
    const finished = (name: string): EventBody => ({
      type: 'tool.finished',
      callId: name,
      name,
      durationMs: 1,
      summary: '',
      error: { code: 'GENERATION_FAILED', message: 'It stopped.' },
    });
    const reading = advance(fresh(), chunk('half', 0), finished('sandbox_read_file'));
    expect(reading.files['src/App.tsx']?.text).toBe('half');
    expect(advance(reading, finished('generate_code'))).toMatchObject({ files: {}, currentFile: null });
  });

  it('A9: marks a deleted file, and drops all files on a restore', () => {
    const deleted = advance(fresh(), chunk('x', 0), { type: 'file.deleted', path: 'src/App.tsx' });
    expect(deleted.files['src/App.tsx']?.deleted).toBe(true);
    const restored = advance(deleted, { type: 'checkpoint.restored', checkpointId: 'chk_0123456789abcdefghjk' });
    expect(restored).toMatchObject({ files: {}, filesVersion: 1 });
  });

  it('X4: checkpoints, finished videos and gaps make the fetched history stale', () => {
    const saved = { type: 'checkpoint.saved', checkpointId: 'chk_0123456789abcdefghjk', trigger: 'autosave' } as const;
    const view = advance(fresh(), saved, saved);
    expect(view).toMatchObject({ historyVersion: 2, filesVersion: 0 });
    expect(viewAfterReload(view, snapshot({ seq: 9 })).historyVersion).toBe(3);
    const pictured = advance(view, { type: 'render.complete', render: render({ status: 'complete' }) });
    expect(pictured.historyVersion).toBe(3);
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
      summary: error.message,
      error,
    });
    // The failed attempt stays visible beside the error.
    expect(finished.tools).toEqual([
      { callId: 'c1', name: 'file_edit', label: 'Editing', summary: 'Editing', startedAt: at, durationMs: 12, error },
    ]);
  });

  it('A20: merges the calls of a snapshot with those seen live', () => {
    const call = (callId: string, startedAt: string) => ({
      ...{ callId, startedAt, name: 't', label: callId, summary: callId, durationMs: 1, error: null },
    });
    const first = call('c1', '2026-01-02T03:04:01.000Z');
    const second = call('c2', '2026-01-02T03:04:02.000Z');
    const third = call('c3', '2026-01-02T03:04:03.000Z');
    const view = viewFromSnapshot(snapshot({ tools: [first, second] }));
    expect(view.tools).toEqual([first, second]);
    const reloaded = viewAfterReload(view, snapshot({ tools: [second, third], seq: 9 }));
    expect(reloaded.tools).toEqual([first, second, third]);
  });

  it('A20: keeps the last 500 calls', () => {
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
  it('A15: each start of the preview server reloads the frame', () => {
    const url = 'http://abc.localhost:3000/';
    const once = advance(fresh(), { type: 'preview.ready', url });
    const twice = advance(once, { type: 'preview.ready', url });
    expect(once.project.previewUrl).toBe(url);
    expect(twice.previewVersion).toBe(once.previewVersion + 1);
  });

  it('A8: keeps the last 2,000 errors of the preview', () => {
    const bodies = Array.from(
      { length: 2100 },
      (_, index): EventBody => ({ type: 'preview.error', message: `m${index}`, log: '' }),
    );
    const view = advance(fresh(), ...bodies);
    expect(view.console).toHaveLength(2000);
    expect(view.console.at(-1)?.text).toBe('m2099');
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

  it('T11: a batch shows its newest counts, and is removed with its renders', () => {
    const id = 'bat_0123456789abcdefghjk';
    const counts = { total: 2, waiting: 1, rendering: 1, complete: 0, failed: 0, cancelled: 0 };
    const batch = { id, projectId, state: 'running', reason: null, counts, createdAt: at, finishedAt: null } as const;
    const started = advance(
      fresh(),
      { type: 'batch.updated', batch },
      { type: 'render.queued', render: render({ batch: { id, row: 1 } }) },
    );
    const later = { ...batch, counts: { ...counts, waiting: 0, complete: 1 } };
    const updated = advance(started, { type: 'batch.updated', batch: later });
    expect(updated.batches).toEqual([later]);
    expect(advance(updated, { type: 'batch.removed', batchId: id })).toMatchObject({ batches: [], renders: [] });
  });

  it('A18: a failed render keeps its reason; a deleted one is removed', () => {
    const error = { code: 'RENDER_FAILED', message: 'The browser exited.' };
    const failed = advance(fresh(), { type: 'render.failed', render: render({ status: 'failed', error }) });
    expect(failed.renders).toMatchObject([{ status: 'failed', error }]);
    expect(withoutRender(failed, render().id).renders).toEqual([]);
  });

  it('A13: shows the state of the sandbox', () => {
    expect(advance(fresh(), { type: 'sandbox.state', state: 'busy' }).project.sandbox).toBe('busy');
  });

  it('T17: model usage starts with the snapshot and grows with events', () => {
    const before = { inputTokens: 100, cachedInputTokens: 60, outputTokens: 10, costUsd: 1 };
    const view = advance(
      viewFromSnapshot(snapshot({ usage: before })),
      { type: 'usage', cachedInputTokens: 4, inputTokens: 10, outputTokens: 2, costUsd: 0.5 },
      { type: 'usage', cachedInputTokens: 0, inputTokens: 1, outputTokens: 1, costUsd: 0.25 },
    );
    const usage = { inputTokens: 111, cachedInputTokens: 64, outputTokens: 13, costUsd: 1.75 };
    expect(view.usage).toEqual(usage);
    // A snapshot already includes usage that arrived live.
    expect(viewAfterReload(view, snapshot({ usage, seq: 2 })).usage).toEqual(usage);
  });
});
