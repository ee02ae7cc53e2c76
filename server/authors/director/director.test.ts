import { describe, expect, it } from 'vitest';
import { noFacts } from '../../../test/fixtures/facts.ts';
import { filmSchema } from '../../contract/film.ts';
import { validatePlan } from '../../contract/plan-rules.ts';
import type { Approval, ApprovalResponse, Plan, Todo } from '../../contract/project.ts';
import type { Assignment, AuthorRun, ProjectFacts, SourceFile } from '../author.ts';
import { director } from './author.ts';
import { generateFiles } from './director.ts';
import { filmOf, planOf } from './film-of.ts';

const at = '2026-01-01T00:00:00.000Z';
const facts = (changes: Partial<ProjectFacts> & { files?: SourceFile[] }) => ({
  ...noFacts,
  files: [],
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

const assignment = (list: ProjectFacts, files: SourceFile[] = []): Assignment => {
  const active = list.todos.find(({ status }) => status === 'active');
  if (active === undefined) throw new Error('no todo is active');
  return { facts: list, todo: active, evidence: null, files: async () => files };
};
const run = undefined as unknown as AuthorRun;
const ask = (list: ProjectFacts) => director.ask(list, run);
const plan = async (list: ProjectFacts) => (await director.plan(list, run)).plan;
const write = (list: ProjectFacts, files?: SourceFile[]) => director.write(assignment(list, files), run);

describe('the director as an author', () => {
  it('A2: plans at once when the style is stated, and asks when it is open', async () => {
    expect(await ask(facts({}))).toBeNull();
    expect(await ask(facts({ prompt: 'a red ball bounces' }))).toMatchObject({ options: expect.any(Array) });
  });

  it('A2: asks at most one question', async () => {
    const answered = facts({
      prompt: 'hello there',
      settled: [settled('question', { outcome: 'free_text', text: 'qwertz' })],
    });
    expect(await ask(answered)).toBeNull();
  });

  it('A5: asks what should be different after a rejected plan', async () => {
    const rejected = facts({ phase: 'question', settled: [settled('plan', { outcome: 'rejected' })] });
    expect(await ask(rejected)).toMatchObject({ content: expect.stringContaining('different') });
  });

  it('A4: proposes plans that keep the rules', async () => {
    const draft = await plan(facts({ prompt: 'a ball bounces, then a cube spins, then confetti, smooth, 12 seconds' }));
    expect(validatePlan(draft)).toEqual([]);
    expect(draft.durationSeconds).toBe(12);
  });

  it('A5: what the user says at the plan changes the next plan', async () => {
    const asked = facts({ phase: 'plan', settled: [settled('plan', { outcome: 'changes', text: 'make it 14 seconds' })] });
    expect(await plan(asked)).toMatchObject({ durationSeconds: 14 });
  });

  it('A5: a wish is about the plan as the user had edited it, and so is the one after it', async () => {
    const edited = { ...(await plan(facts({}))), title: 'My own title', aspect: '1:1', fps: 30 } as const;
    const wish = settled('plan', { outcome: 'changes', text: 'make it 14 seconds', plan: edited });
    const next = await plan(facts({ phase: 'plan', settled: [wish] }));
    expect(next).toMatchObject({ title: 'My own title', aspect: '1:1', fps: 30, durationSeconds: 14 });

    const later = settled('plan', { outcome: 'changes', text: 'make the ball blue' });
    const afterwards = await plan(facts({ phase: 'plan', settled: [wish, later] }));
    expect(afterwards).toMatchObject({ title: 'My own title', aspect: '1:1', durationSeconds: 14 });
    expect(afterwards.scenes[0]?.description).toMatch(/blue/i);
    const other = settled('plan', { outcome: 'changes', text: 'rather a green cube that spins' });
    expect(await plan(facts({ phase: 'plan', settled: [wish, other] }))).toMatchObject({ aspect: '1:1' });
  });

  it('A7: answers each todo with its files, and one that only looks at the film with none', async () => {
    const accepted = { ...(await plan(facts({}))), id: 'plan_0123456789abcdef0123', revision: 1, accepted: true };
    const paths = async (key: string) =>
      (await write(facts({ phase: 'executing', plan: accepted, todos: [todo(key)] })))?.files.map(({ path }) => path);
    expect(await paths('setup')).toContain('src/film.json');
    expect(await paths('scene:1')).toEqual(['src/scenes/scene-1.tsx', 'src/film.ts']);
    expect(await paths('check')).toBeUndefined();
  });

  it('A9: a change is told in the words of its summary, and the plan follows when it moves', async () => {
    const message = { id: 'msg_0123456789abcdef0123', role: 'user' as const, content: '', queued: false, at };
    const accepted = { ...(await plan(facts({}))), id: 'plan_0123456789abcdef0123', revision: 1, accepted: true };
    const changed = (content: string) => {
      const list = facts({
        phase: 'executing',
        plan: accepted,
        messages: [{ ...message, content }],
        todos: [todo(`change:${message.id}`)],
      });
      return write(list, [{ path: 'src/film.json', content: JSON.stringify(filmOf(list)) }]);
    };
    expect(await changed('make it 12 seconds')).toMatchObject({ plan: { durationSeconds: 12 } });
    const same = await changed('qwertz');
    expect(same).toMatchObject({ plan: null, task: { task: 'modify_existing', change: 'qwertz' } });
    expect(same?.message).toBe(same?.summary);
  });
});

describe('the director as code generator', () => {
  const plan = (): Plan => ({
    ...planOf(facts({})),
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
