import { describe, expect, it } from 'vitest';
import type { Approval, ApprovalResponse, Plan, PlanDraft, Todo } from '#contract/project.ts';
import { type Film, filmPath, scenePath } from '#kinds/film/contract/film.ts';
import { filmOf, filmOutlineOf } from '#kinds/film/contract/outline.ts';
import { noFacts } from '../../../../test/fixtures/facts.ts';
import { draftOf } from '../../../../test/fixtures/plans.ts';
import type { Assignment, AuthorContext, SourceFile } from '../../../projects/assignment.ts';
import type { AuthorRun } from '../../../projects/author.ts';
import { planOf, problemsOf } from '../document/document.ts';
import { printFilm } from '../document/print.ts';
import { builtInAuthor } from './author.ts';

const at = '2026-01-01T00:00:00.000Z';
const facts = (changes: Partial<AuthorContext> = {}): AuthorContext => ({
  ...noFacts,
  projectId: 'prj_0123456789abcdef0123',
  prompt: 'Packed for Grandma’s, playful',
  ...changes,
});
const settled = (type: Approval['type'], response: ApprovalResponse): AuthorContext['settled'][number] => ({
  approval: { id: 'apr_0123456789abcdef0123', type, content: 'x', options: [], planId: null, at },
  response,
});
const run = undefined as unknown as AuthorRun;
const plan = async (list: AuthorContext): Promise<PlanDraft> => {
  const proposal = await builtInAuthor.plan(list, run);
  if (proposal === null) throw new Error('The built-in author calls nothing.');
  return proposal.plan;
};
const ask = async (list: AuthorContext) => await builtInAuthor.ask(list, run);
const accepted = (draft: PlanDraft): Plan => ({ ...draft, id: 'plan_0123456789abcdef0123', revision: 1, accepted: true });

const write = async (list: AuthorContext, key: string, files: SourceFile[] = []) => {
  const todo: Todo = { id: 'todo_1', key, title: key, status: 'active', attempts: 1 };
  const assignment: Assignment = { context: { ...list, todos: [todo] }, todo, evidence: null, files: async () => files };
  return await builtInAuthor.write(assignment, run);
};

const title = (text: string) => ({ text, emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] });
const film: Film = {
  version: 3,
  title: 'Two titles',
  style: 'smooth',
  theme: 'studio',
  aspect: '16:9',
  fps: 60,
  seed: 1,
  language: 'en',
  colors: {},
  music: null,
  scenes: [
    { id: 'scene-1', seconds: 2, format: 'title', props: title('First') },
    { id: 'scene-2', seconds: 3, format: 'title', props: title('Second') },
  ],
};
const messageId = 'msg_0123456789abcdef0123';
const key = `change:${messageId}`;
const kit: SourceFile[] = [{ path: 'src/formats/title.tsx', content: 'x' }];
const printed = (of: Film): SourceFile[] => [...kit, ...printFilm(of)];
const asking = (content: string, draft: PlanDraft = planOf(film)) =>
  facts({
    phase: 'executing',
    plan: accepted(draft),
    messages: [{ id: messageId, role: 'user', content, queued: false, at }],
  });
const outline = filmOutlineOf(planOf(film));
if (outline === null) throw new Error('The plan has no film.');
const byModel = draftOf(outline);
const paths = (files: readonly { path: string }[] = []) => files.map(({ path }) => path).toSorted();

describe('the built-in author', () => {
  it('A2: asks about style only if nothing suggests one, and once', async () => {
    expect(await ask(facts({ prompt: 'a red ball bounces' }))).toMatchObject({ options: [{ id: 'playful' }, {}, {}] });
    expect(await ask(facts({ prompt: 'A red ball bounces three times with the title "Hello"' }))).not.toBeNull();
    expect(await ask(facts())).toBeNull();
    expect(await ask(facts({ prompt: 'Shopping:\n- milk\n- bread' }))).toBeNull();
    const answered = facts({ prompt: 'hello there', settled: [settled('question', { outcome: 'free_text', text: 'hm' })] });
    expect(await ask(answered)).toBeNull();
  });

  it('A5: asks what should be different after a rejected plan', async () => {
    const rejected = facts({ phase: 'question', settled: [settled('plan', { outcome: 'rejected' })] });
    expect(await ask(rejected)).toMatchObject({ content: expect.stringContaining('different') });
  });

  it('A4: proposes a plan that keeps the rules, with its document', async () => {
    const draft = await plan(facts());
    expect(problemsOf(draft)).toEqual([]);
    expect(draft.document).toMatchObject({ style: 'playful', scenes: [{ format: 'title' }] });
    expect(draft).toEqual(planOf(filmOf(draft) ?? film, draft));
  });

  it('A5: changes the film of the stored plan instead of planning again', async () => {
    const asked = facts({
      phase: 'plan',
      plan: { ...accepted(planOf(film)), accepted: false },
      settled: [settled('plan', { outcome: 'changes', text: 'more cinematic' })],
    });
    expect(await plan(asked)).toMatchObject({ document: { style: 'cinematic', scenes: film.scenes }, title: 'Two titles' });
    const told = { ...asked, plan: { ...accepted(planOf(film, { caveat: null, notShown: ['be calm'] })), accepted: false } };
    expect((await plan(told)).notShown).toEqual(['be calm']);
    const cancelled = { ...asked, settled: [settled('plan', { outcome: 'cancelled' })] };
    expect(filmOf(await plan(cancelled))).toEqual(film);
  });

  it('A7: writes the base, and each scene with the list of the scenes so far', async () => {
    const list = facts({ phase: 'executing', plan: accepted(planOf(film)) });
    expect(paths((await write(list, 'setup'))?.files)).toEqual([filmPath, 'src/icons.ts', 'src/theme.ts']);
    const first = await write(list, 'scene:1');
    expect(paths(first?.files)).toEqual(['src/film.ts', scenePath('scene-1')]);
    expect(first?.files.find(({ path }) => path === 'src/film.ts')?.content).not.toContain('scene2');
    const second = await write(list, 'scene:2');
    expect(printFilm(film)).toEqual(expect.arrayContaining([...(second?.files ?? [])]));
    expect(await write(list, 'check')).toBeNull();
  });
});

describe('a change by the built-in author', () => {
  it('A9: writes only the files that differ, and the plan follows', async () => {
    const change = await write(asking('more playful'), key, printed(film));
    expect(paths(change?.files)).toEqual([filmPath, 'src/theme.ts']);
    expect(change?.plan).toMatchObject({ document: { style: 'playful' }, change: { messageId } });
    expect(change?.message).toContain('playful');
  });

  it('A9: says so if it understood nothing, and writes nothing', async () => {
    expect(await write(asking('qwertz'), key, printed(film))).toMatchObject({ files: [], deleted: [], plan: null });
  });

  it('A22: gives the same film if it was interrupted before or after its plan was stored', async () => {
    const once = await write(asking('more playful'), key, printed(film));
    const after = once?.plan == null ? film : (filmOf(once.plan) ?? film);
    // The server crashed after the files were written, before the plan was stored.
    expect((await write(asking('more playful'), key, printed(after)))?.plan).toEqual(once?.plan);
    // The server crashed after the plan was stored, and the sandbox was lost with its files.
    const stored = asking('more playful', once?.plan ?? planOf(film));
    const again = await write(stored, key, printed(film));
    expect([paths(again?.files), again?.plan, again?.message]).toEqual([paths(once?.files), null, once?.message]);
    // The server crashed after both were stored. The message must not be applied a second time.
    const opposite = { ...stored, messages: stored.messages.map((message) => ({ ...message, content: 'more cinematic' })) };
    expect(await write(opposite, key, printed(after))).toMatchObject({ files: [], plan: null, message: once?.message });
  });

  it('X16: keeps a scene that was edited by hand, byte for byte, as code', async () => {
    const files = printed(film).map((file) =>
      file.path === scenePath('scene-2') ? { ...file, content: `${file.content}// Mine\n` } : file,
    );
    const change = await write(asking('more playful'), key, files);
    expect(paths(change?.files)).toEqual([filmPath, 'src/film.ts', 'src/theme.ts']);
    expect(change?.plan && filmOf(change.plan)?.scenes[1]).toEqual({
      id: 'scene-2',
      seconds: 3,
      title: 'Second',
      description: '“Second” as large type.',
      code: true,
    });
    expect(change?.message).toContain('“Second” was edited by hand');
    expect(change?.files.find(({ path }) => path === 'src/film.ts')?.content).toContain('...scene2,');
  });

  it('X16: leaves the film as it is if the change needs a file that was written by hand', async () => {
    const files = printed(film).map((file) => (file.path === 'src/theme.ts' ? { ...file, content: '// Mine' } : file));
    const change = await write(asking('more playful'), key, files);
    expect(change).toMatchObject({ files: [], plan: null, message: expect.stringContaining('src/theme.ts') });
  });

  it('A22: says that it cannot change a film of an earlier version', async () => {
    const change = await write(asking('more playful'), key, printFilm(film));
    expect(change).toMatchObject({ files: [], plan: null, message: expect.stringContaining('earlier version') });
  });

  it('X16: leaves the code of a language model alone', async () => {
    const files = [...kit, { path: 'src/film.ts', content: '// By a model' }, { path: 'src/theme.ts', content: '// By a model' }];
    const change = await write(asking('more playful', byModel), key, files);
    expect(change).toMatchObject({ files: [], plan: null, message: expect.stringContaining('language model') });
  });

  it('X16: finishes the new film of a language model as format scenes, after the scenes that are there', async () => {
    const list = facts({ phase: 'executing', plan: accepted(byModel) });
    const second = await write(list, 'scene:2', [...kit, { path: scenePath('scene-1'), content: '// By a model' }]);
    expect(paths(second?.files)).toEqual(['src/film.ts', scenePath('scene-2')]);
    expect(second?.plan?.document['scenes']).toMatchObject([{ code: true }, { format: 'title', seconds: 3 }]);
  });
});
