import { describe, expect, it } from 'vitest';
import type { ProjectSnapshot } from '#contract/api.ts';
import type { EventBody, ProjectEvent } from '#contract/events.ts';
import type { Approval, Message, Plan, Todo } from '#contract/project.ts';
import type { Render } from '#contract/render.ts';
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

const render = (change: Partial<Render> = {}): Render =>
  sampleRender(projectId, {
    id: 'rnd_0123456789abcdefghjk',
    settings: sampleSettings({ width: 1280, height: 720, fps: 30, durationSeconds: 4 }),
    ...change,
  });

const numbered = (view: ProjectView, bodies: readonly EventBody[]) =>
  bodies.map((body, index) => ({ seq: view.seq + 1 + index, projectId, at, ...body }) as ProjectEvent);

/** The view after these events, numbered from the view's next one on, whether they came one by one or at once. */
function advance(view: ProjectView, ...bodies: EventBody[]): ProjectView {
  const events = numbered(view, bodies);
  const atOnce = applyEvents(view, events);
  expect(events.reduce((next, event) => applyEvents(next, [event]), view)).toEqual(atOnce);
  return atOnce;
}

const one = (view: ProjectView, event: EventBody & { seq: number }) =>
  applyEvents(view, [{ projectId, at, ...event } as ProjectEvent]);

const fresh = () => viewFromSnapshot(snapshot());

describe('the numbers of events', () => {
  it('A20: an event that was applied before changes nothing', () => {
    const view = advance(fresh(), { type: 'thinking', text: 'one' });
    expect(one(view, { seq: 1, type: 'thinking', text: 'again' })).toBe(view);
  });

  it('A20: a gap makes the view stale, and nothing is applied until a snapshot comes', () => {
    const gap = one(fresh(), { seq: 2, type: 'thinking', text: 'late' });
    expect(gap.staleReason).toContain('event 1');
    expect(gap.project.thinking).toBeNull();
    expect(one(gap, { seq: 1, type: 'thinking', text: 'first' })).toBe(gap);
    const mended = viewAfterReload(gap, snapshot({ seq: 7 }));
    expect(mended.staleReason).toBeNull();
    expect(advance(mended, { type: 'thinking', text: 'on' }).seq).toBe(8);
  });

  it('A20: a reset is the snapshot that it brings, whatever its number', () => {
    const stale = one(viewFromSnapshot(snapshot({ seq: 9 })), { seq: 12, type: 'thinking', text: 'late' });
    const reset = { type: 'reset', reason: 'restored', snapshot: snapshot({ seq: 4 }) } as const;
    const mended = one(stale, { seq: 4, ...reset });
    expect([mended.seq, mended.staleReason]).toEqual([4, null]);
    expect(advance(mended, { type: 'thinking', text: 'on' }).seq).toBe(5);
  });
});

describe('phases, runs and approvals', () => {
  it('A1: the phase and its error follow the event', () => {
    const error = { code: 'SANDBOX_DEAD', message: 'gone', canRetry: true };
    const failed = advance(fresh(), { type: 'project.phase', phase: 'error', previous: 'executing', error });
    expect(failed.project).toMatchObject({ phase: 'error', error });
    const retried = advance(failed, { type: 'project.phase', phase: 'executing', previous: 'error', error: null });
    expect(retried.project).toMatchObject({ phase: 'executing', error: null });
  });

  it('A22: a run that begins has no thinking line of one that a crash ended', () => {
    const working = advance(
      viewFromSnapshot(snapshot({ project: { ...snapshot().project, thinking: 'of a run that a crash ended' } })),
      { type: 'run.started', runId: 'run_0123456789abcdefghjk' },
    );
    expect(working.project).toMatchObject({ running: true, thinking: null });
  });

  it('T14: a wait for the model is shown while it lasts', () => {
    const waiting = advance(
      fresh(),
      { type: 'run.started', runId: 'run_0123456789abcdefghjk' },
      { type: 'thinking', text: 'The model is overloaded; retrying in 8 s' },
    );
    expect(waiting.project).toMatchObject({ running: true, thinking: 'The model is overloaded; retrying in 8 s' });
    expect(advance(waiting, { type: 'thinking', text: null }).project).toMatchObject({ running: true, thinking: null });
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

  it('A5: an answer to another approval does not close the open one', () => {
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

describe('many events at once', () => {
  const written = (path: string): EventBody => ({ type: 'file.written', path, sizeBytes: 1 });
  const added = (id: string): EventBody => ({ type: 'message.added', message: message(id) });

  it('A20: files and messages are copied once for all of them, and the view before stays as it was', () => {
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
    // Whoever comes later copies anew: the page has seen these.
    expect(advance(fourth, written('d.ts')).files).not.toBe(fourth.files);
    expect(Object.keys(fourth.files)).toHaveLength(3);
  });

  it('A20: a message that is reported twice is there once, and a file may have any name', () => {
    const view = advance(fresh(), added('a'), added('b'), added('a'), written('__proto__'));
    expect(view.messages.map(({ id }) => id)).toEqual(['msg_b', 'msg_a']);
    expect(Object.keys(view.files)).toEqual(['__proto__']);
  });

  it('A15: every change of a file is counted, for what runs of it', () => {
    const restored: EventBody = { type: 'checkpoint.restored', checkpointId: 'chk_0123456789abcdefghjk' };
    const gone: EventBody = { type: 'file.deleted', path: 'a.ts' };
    expect(advance(fresh(), written('a.ts'), gone, restored).codeVersion).toBe(3);
    expect(advance(fresh(), { type: 'code.chunk', path: 'a.ts', text: 'x', offset: 0 }, added('a')).codeVersion).toBe(0);
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
    expect(advance(added, { type: 'message.withdrawn', messageId: 'msg_b' }).messages.map((item) => item.id)).toEqual(['msg_a']);
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

  it('A7: a second attempt at a file starts again, also in the middle', () => {
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
    expect(view).toMatchObject({ files: {}, currentFile: null, filesVersion: 1 });
  });

  it('A7: a restarted answer starts its files again, and files that it discarded are gone when it is over', () => {
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

  it('A7: a generator that failed leaves no half file behind, while other tools end beside it', () => {
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

  it('A9: a deleted file is marked, a restore forgets all', () => {
    const deleted = advance(fresh(), chunk('x', 0), { type: 'file.deleted', path: 'src/App.tsx' });
    expect(deleted.files['src/App.tsx']?.deleted).toBe(true);
    const restored = advance(deleted, { type: 'checkpoint.restored', checkpointId: 'chk_0123456789abcdefghjk' });
    expect(restored).toMatchObject({ files: {}, filesVersion: 1 });
  });

  it('X4: each checkpoint makes the history newer, and so do a finished video, which is its picture, and a gap in which there may have been one', () => {
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
    // The attempt stays visible beside the error.
    expect(finished.tools).toEqual([
      { callId: 'c1', name: 'file_edit', label: 'Editing', summary: 'Editing', startedAt: at, durationMs: 12, error },
    ]);
  });

  it('A20: the calls of a snapshot are there after a reload, with those that were seen live before them', () => {
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
  it('A15: each start of the preview server reloads the frame', () => {
    const url = 'http://abc.localhost:3000/';
    const once = advance(fresh(), { type: 'preview.ready', url });
    const twice = advance(once, { type: 'preview.ready', url });
    expect(once.project.previewUrl).toBe(url);
    expect(twice.previewVersion).toBe(once.previewVersion + 1);
  });

  it('A8: what the preview complains of is kept, the last 2,000 of it', () => {
    const bodies = Array.from({ length: 2100 }, (_, index): EventBody => ({ type: 'preview.error', message: `m${index}` }));
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

  it('A18: a failure keeps its reason; a deleted render is gone', () => {
    const error = { code: 'RENDER_FAILED', message: 'The browser ended.' };
    const failed = advance(fresh(), { type: 'render.failed', render: render({ status: 'failed', error }) });
    expect(failed.renders).toMatchObject([{ status: 'failed', error }]);
    expect(withoutRender(failed, render().id).renders).toEqual([]);
  });

  it('A13: the state of the sandbox is shown', () => {
    expect(advance(fresh(), { type: 'sandbox.state', state: 'busy' }).project.sandbox).toBe('busy');
  });

  it('T17: what the model used begins with the snapshot and grows with the events', () => {
    const before = { inputTokens: 100, cachedInputTokens: 60, outputTokens: 10, costUsd: 1 };
    const view = advance(
      viewFromSnapshot(snapshot({ usage: before })),
      { type: 'usage', cachedInputTokens: 4, inputTokens: 10, outputTokens: 2, costUsd: 0.5 },
      { type: 'usage', cachedInputTokens: 0, inputTokens: 1, outputTokens: 1, costUsd: 0.25 },
    );
    const usage = { inputTokens: 111, cachedInputTokens: 64, outputTokens: 13, costUsd: 1.75 };
    expect(view.usage).toEqual(usage);
    // A snapshot counts what was seen live already.
    expect(viewAfterReload(view, snapshot({ usage, seq: 2 })).usage).toEqual(usage);
  });
});
