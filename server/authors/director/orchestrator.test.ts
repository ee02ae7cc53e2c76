import { describe, expect, it } from 'vitest';
import { filmSchema, planDraftSchema } from '../../contract/film.ts';
import { validatePlan } from '../../contract/plan-rules.ts';
import type { Approval, ApprovalResponse, Plan, Todo } from '../../contract/project.ts';
import { type ContentBlock, type ModelMessage, noFacts, type ProjectFacts } from '../llm/models/model.ts';
import { filmOf } from './film-of.ts';
import { generateFiles } from './generator.ts';
import { nextMove } from './orchestrator.ts';

const at = '2026-01-01T00:00:00.000Z';
const facts = (changes: Partial<ProjectFacts>): ProjectFacts => ({
  ...noFacts,
  projectId: 'prj_0123456789abcdef0123',
  prompt: "A red ball bounces three times, playful, with the title 'Hello'",
  ...changes,
});

const settled = (type: Approval['type'], response: ApprovalResponse): ProjectFacts['settled'][number] => ({
  approval: { id: 'apr_0123456789abcdef0123', type, content: 'x', options: [], planId: null, at },
  response,
});
const todo = (key: string, status: Todo['status'] = 'active'): Todo => ({
  id: `todo_${key}`,
  key,
  title: key,
  status,
  attempts: 1,
});

/** A transcript in which calls were answered, one after the other. */
function transcript(
  ...calls: [name: string, input: Record<string, unknown>, output: unknown, isError?: boolean][]
): ModelMessage[] {
  return calls.flatMap(([name, input, output, isError = false], index): ModelMessage[] => {
    const use: ContentBlock = { type: 'tool_use', id: `c${index}`, name, input };
    return [
      { role: 'assistant', content: [use] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: `c${index}`, content: JSON.stringify(output), isError }] },
    ];
  });
}

const activate = (key: string): [string, Record<string, unknown>, unknown] => [
  'update_todo',
  { todo_id: `todo_${key}`, status: 'active' },
  { success: true },
];
const last = (move: ReturnType<typeof nextMove>) => move.calls.at(-1);

describe('the director as orchestrator', () => {
  it('A2: plans at once when the style is stated, and asks when it is open', () => {
    expect(last(nextMove(facts({}), []))?.input).toMatchObject({ type: 'plan' });
    expect(last(nextMove(facts({ prompt: 'a red ball bounces' }), []))?.input).toMatchObject({ type: 'question' });
  });

  it('A2: asks at most one question', () => {
    const answered = facts({
      prompt: 'hello there',
      phase: 'plan',
      settled: [settled('question', { outcome: 'free_text', text: 'qwertz' })],
    });
    expect(last(nextMove(answered, []))?.input).toMatchObject({ type: 'plan' });
  });

  it('A4: proposes plans that keep the rules', () => {
    const plan = planDraftSchema.parse(
      last(nextMove(facts({ prompt: 'a ball bounces, then a cube spins, then confetti, smooth, 12 seconds' }), []))?.input.plan,
    );
    expect(validatePlan(plan)).toEqual([]);
    expect(plan.durationSeconds).toBe(12);
  });

  it('A5: what the user says at the plan changes the next plan', () => {
    const asked = facts({ phase: 'plan', settled: [settled('plan', { outcome: 'changes', text: 'make it 14 seconds' })] });
    expect(last(nextMove(asked, []))?.input.plan).toMatchObject({ durationSeconds: 14 });
  });

  it('A5: a wish is about the plan as the user had edited it, and so is the one after it', () => {
    const proposal = last(nextMove(facts({}), []))?.input.plan;
    const edited = { ...planDraftSchema.parse(proposal), title: 'My own title', aspect: '1:1', fps: 30 } as const;
    const wish = settled('plan', { outcome: 'changes', text: 'make it 14 seconds', plan: edited });
    const next = last(nextMove(facts({ phase: 'plan', settled: [wish] }), []))?.input.plan;
    expect(next).toMatchObject({ title: 'My own title', aspect: '1:1', fps: 30, durationSeconds: 14 });

    const later = settled('plan', { outcome: 'changes', text: 'make the ball blue' });
    const afterwards = planDraftSchema.parse(last(nextMove(facts({ phase: 'plan', settled: [wish, later] }), []))?.input.plan);
    expect(afterwards).toMatchObject({ title: 'My own title', aspect: '1:1', durationSeconds: 14 });
    expect(afterwards.scenes[0]?.description).toMatch(/blue/i);
    const other = settled('plan', { outcome: 'changes', text: 'rather a green cube that spins' });
    expect(last(nextMove(facts({ phase: 'plan', settled: [wish, other] }), []))?.input.plan).toMatchObject({ aspect: '1:1' });
  });

  it('A7: takes the todos in order: sets one active, does its steps, sets it done', () => {
    const work = (list: Todo[], calls: ModelMessage[]) => last(nextMove(facts({ phase: 'executing', todos: list }), calls));
    expect(work([todo('setup', 'pending')], [])).toMatchObject({ name: 'update_todo', input: { status: 'active' } });
    expect(work([todo('setup')], transcript(activate('setup')))).toMatchObject({ name: 'sandbox_create' });
    const scene = [todo('setup', 'done'), todo('scene:1')];
    expect(work(scene, transcript(activate('scene:1')))).toMatchObject({
      name: 'generate_code',
      input: { task: 'create_scene', scenes: [1] },
    });
    const written = transcript(activate('scene:1'), ['generate_code', {}, { files: [], summary: 'x' }]);
    expect(work(scene, written)).toMatchObject({ name: 'update_todo', input: { todo_id: 'todo_scene:1', status: 'done' } });
  });

  it('A8: tries a failing step three times, then says what failed and gives the todo up', () => {
    const failure: [string, Record<string, unknown>, unknown] = [
      'check_animation',
      {},
      { ok: false, problems: ['Nothing moves.'] },
    ];
    const before = [activate('check'), ['sandbox_start_preview', {}, {}]] as [string, Record<string, unknown>, unknown][];
    const list = facts({ phase: 'executing', todos: [todo('check')] });
    expect(last(nextMove(list, transcript(...before, failure, failure)))).toMatchObject({ name: 'check_animation' });
    const move = nextMove(list, transcript(...before, failure, failure, failure));
    expect(move.calls[0]).toMatchObject({ name: 'add_message', input: { content: expect.stringContaining('Nothing moves.') } });
    expect(move.calls[1]).toMatchObject({ name: 'update_todo', input: { status: 'failed' } });
    expect(nextMove(facts({ phase: 'executing', todos: [todo('check', 'failed')] }), []).calls).toEqual([]);
  });

  it('A22: does again what a restart interrupted, without counting it as an attempt', () => {
    const interrupted: [string, Record<string, unknown>, unknown, boolean] = [
      'generate_code',
      {},
      { error: { code: 'INTERRUPTED', message: 'x' } },
      true,
    ];
    const calls = transcript(activate('scene:1'), interrupted, interrupted, interrupted, interrupted);
    expect(last(nextMove(facts({ phase: 'executing', todos: [todo('scene:1')] }), calls))).toMatchObject({
      name: 'generate_code',
    });
  });

  it('A22: a todo whose start a restart interrupted is not taken for done by the calls of the todo before it', () => {
    const [name, input] = activate('scene:2');
    const calls = transcript(
      activate('scene:1'),
      ['generate_code', {}, { files: [], summary: 'x' }],
      [name, input, { error: { code: 'INTERRUPTED', message: 'x' } }, true],
    );
    const list = facts({ phase: 'executing', todos: [todo('scene:1', 'done'), todo('scene:2')] });
    expect(last(nextMove(list, calls))).toMatchObject({ name: 'generate_code', input: { scenes: [2] } });
  });

  it('A9: a change is written by the generator and told in its words', () => {
    const message = { id: 'msg_0123456789abcdef0123', role: 'user' as const, content: 'make the ball blue', queued: false, at };
    const list = facts({ phase: 'executing', messages: [message], todos: [todo(`change:${message.id}`)] });
    const first = last(nextMove(list, transcript(activate(`change:${message.id}`))));
    expect(first).toMatchObject({ name: 'generate_code', input: { task: 'modify_existing', change: 'make the ball blue' } });
    const then = last(
      nextMove(list, transcript(activate(`change:${message.id}`), ['generate_code', {}, { summary: 'The ball is blue now.' }])),
    );
    expect(then).toMatchObject({ name: 'add_message', input: { content: 'The ball is blue now.' } });
  });

  it('A9: the plan follows a change of length before the user is told, and stays when nothing of it changed', () => {
    const message = { id: 'msg_0123456789abcdef0123', role: 'user' as const, content: 'make it 12 seconds', queued: false, at };
    const draft = planDraftSchema.parse(last(nextMove(facts({}), []))?.input.plan);
    const plan = { ...draft, id: 'plan_0123456789abcdef0123', revision: 1, accepted: true };
    const list = facts({ phase: 'executing', plan, messages: [message], todos: [todo(`change:${message.id}`)] });
    const written = (change: string) => {
      const film = filmOf(list);
      const answer = generateFiles(
        { task: 'modify_existing', files: [], change },
        { ...list, files: [{ path: 'src/film.json', content: JSON.stringify(film) }] },
      );
      return transcript(activate(`change:${message.id}`), ['generate_code', {}, answer]);
    };
    expect(last(nextMove(list, written('make it 12 seconds')))).toMatchObject({
      name: 'plan_update',
      input: { plan: { durationSeconds: 12 } },
    });
    expect(last(nextMove(list, written('qwertz')))).toMatchObject({ name: 'add_message' });
  });
});

describe('the director as code generator', () => {
  const plan = (): Plan => ({
    ...planDraftSchema.parse(last(nextMove(facts({}), []))?.input.plan),
    id: 'plan_0123456789abcdef0123',
    revision: 1,
    accepted: true,
  });

  it('A12: answers each task with complete files', () => {
    const accepted = facts({ phase: 'executing', plan: plan() });
    expect(generateFiles({ task: 'initial_setup', style: 'playful' }, accepted).files.map((file) => file.path)).toContain(
      'src/film.json',
    );
    expect(generateFiles({ task: 'create_scene', scenes: [1], components: [] }, accepted).files.map((file) => file.path)).toEqual(
      ['src/scenes/scene-1.tsx', 'src/film.ts'],
    );
    expect(() => generateFiles({ task: 'create_scene', scenes: [9], components: [] }, accepted)).toThrow(/plan has/);
  });

  it('A9: a change of colour writes the scene and the shot list, and nothing else', () => {
    const film = filmOf(facts({ plan: plan() }));
    const files = [{ path: 'src/film.json', content: JSON.stringify(film) }];
    const changed = generateFiles(
      { task: 'modify_existing', files: ['src/film.json'], change: 'make the ball blue' },
      facts({ files }),
    );
    expect(changed.files.map((file) => file.path).sort()).toEqual(['src/film.json', 'src/scenes/scene-1.tsx']);
    expect(changed.summary.toLowerCase()).toContain('blue');
  });

  it('A22: the film as data is written last, so that a change that was cut off is made whole by the next attempt', () => {
    const film = filmOf(facts({ plan: plan() }));
    const files = [{ path: 'src/film.json', content: JSON.stringify(film) }];
    const change = 'make the ball blue and the background navy';
    const changed = generateFiles({ task: 'modify_existing', files: ['src/film.json'], change }, facts({ files }));
    expect(changed.files.length).toBeGreaterThan(1);
    expect(changed.files.at(-1)?.path).toBe('src/film.json');
  });

  describe('A22: a change that was made before its call was interrupted', () => {
    const messageId = 'msg_0123456789abcdef0123';
    const message = (content: string) => ({ id: messageId, role: 'user' as const, content, queued: false, at });
    const firstFilm = () => filmOf(facts({ prompt: 'a ball bounces, then a cube spins, then a star pulses, 12 seconds' }));
    const withFilm = (change: string, content: string, more: string[] = []) =>
      facts({
        phase: 'executing',
        messages: [message(change)],
        todos: [todo('setup', 'done'), todo(`change:${messageId}`)],
        files: [{ path: 'src/film.json', content }, ...more.map((path) => ({ path, content: '' }))],
      });
    const filmIn = (files: readonly { path: string; content: string }[]) =>
      files.find(({ path }) => path === 'src/film.json')?.content ?? '';

    it.each(['make it faster', 'make the ball bigger', 'add another ball', 'longer', 'remove the last scene'])(
      '“%s” is not made twice, and is told in the same words',
      (change) => {
        const task = { task: 'modify_existing' as const, files: ['src/film.json'], change };
        const first = generateFiles(task, withFilm(change, JSON.stringify(firstFilm())));
        const film = filmIn(first.files);
        expect(filmSchema.parse(JSON.parse(film)).lastChange?.messageId).toBe(messageId);
        const again = generateFiles(task, withFilm(change, film));
        // Whole, for the plan follows it.
        expect(again).toEqual({ files: [{ path: 'src/film.json', content: film }], deleted: [], summary: first.summary });
        // Asked for once more by the user it is made once more.
        const todos = [{ ...todo('change:msg_other'), status: 'active' as const }];
        const more = generateFiles(task, { ...withFilm(change, film), todos });
        expect(filmIn(more.files)).not.toBe(film);
      },
    );

    it('deletes the scenes that it had still to delete, and no other file', () => {
      const change = 'remove the last scene';
      const task = { task: 'modify_existing' as const, files: ['src/film.json'], change };
      const first = generateFiles(task, withFilm(change, JSON.stringify(firstFilm())));
      expect(first.deleted).toHaveLength(1);
      const there = ['src/scenes/scene-1.tsx', ...first.deleted, 'src/scenes/my-own.tsx', 'src/main.tsx'];
      expect(generateFiles(task, withFilm(change, filmIn(first.files), there)).deleted).toEqual(first.deleted);
    });
  });

  it.each([
    'a red ball bounces three times, playful',
    'three cubes spin, then "Sale 50%" with confetti, vertical, 9 seconds',
    'Q1 20, Q2 35, Q3 50 as bars, smooth',
    'count from 0 to 10,000 users, cinematic',
    'planets orbit a star at night, 0:12, cinematic',
    'snow, rain, bubbles, fireworks and leaves',
    '🎉❤️⭐',
    'ein roter Ball hüpft dreimal, verspielt',
  ])('the film of “%s” is inside the bounds that are asked of films from a sandbox', (prompt) => {
    const film = filmOf(facts({ prompt }));
    expect(filmSchema.safeParse(JSON.parse(JSON.stringify(film))).error?.issues ?? []).toEqual([]);
  });

  it.each([['not json'], ['{}'], ['{"version":1,"scenes":[{"subjects":[{"count":1e12}]}]}']])(
    'refuses a film that is none: %s',
    (content) => {
      expect(() =>
        generateFiles(
          { task: 'modify_existing', files: ['src/film.json'], change: 'x' },
          facts({ files: [{ path: 'src/film.json', content }] }),
        ),
      ).toThrow(/cannot be read as a film/);
    },
  );
});
