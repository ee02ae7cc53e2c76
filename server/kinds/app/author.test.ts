import { describe, expect, it } from 'vitest';
import type { Approval, ApprovalResponse, Plan, PlanDraft, Todo } from '#contract/project.ts';
import { journalLineSchema } from '../../../sandbox-image/templates/app/model/journal.ts';
import { documentProblems } from '../../../sandbox-image/templates/app/model/problems.ts';
import type { Assignment, AuthorContext, SourceFile, Written } from '../../projects/assignment.ts';
import type { AuthorRun } from '../../projects/author.ts';
import { builtInAuthor } from './author.ts';
import { appOf, newApp, planOf } from './document.ts';
import { printApp } from './print.ts';
import { startingPoint } from './starting-points.ts';
import { buildTodos } from './todos.ts';

const library = startingPoint('tool-library');
if (library === null) throw new Error('There is no tool library.');

const contextOf = (given: Partial<AuthorContext>): AuthorContext => ({
  ...{ projectId: 'prj_0123456789abcdef', phase: 'idle', prompt: '', hints: {}, plan: null, outline: null, todos: [] },
  ...{ messages: [], settled: [], assets: [], previewError: null },
  ...given,
});

/** Texts that the run has shown, and whether the project has data. */
function runWith({ hasRecords = false }: { hasRecords?: boolean } = {}) {
  const shown: string[] = [];
  const run: Partial<AuthorRun> = {
    showText: async (text) => void shown.push(text),
    callTool: async () => ({
      result: { status: 'completed', summary: '', output: { paths: hasRecords ? ['data/records.ndjson'] : [], complete: true } },
      durationMs: 1,
    }),
  };
  return { run: run as AuthorRun, shown };
}

async function proposed(given: Partial<AuthorContext>): Promise<PlanDraft> {
  const proposal = await builtInAuthor.plan(contextOf(given), runWith().run);
  if (proposal === null) throw new Error('The author waits.');
  return proposal.plan;
}

const planned = (draft: PlanDraft): Plan => ({ ...draft, id: 'plan_0123456789abcdef', revision: 1, accepted: true });

function todoOf(key: string): Todo {
  return { id: 'todo_0123456789abcdef', title: key, key, status: 'active', attempts: 1 };
}

async function write(key: string, draft: PlanDraft, files: readonly SourceFile[] = [], options: { hasRecords?: boolean } = {}) {
  const { run, shown } = runWith(options);
  const context = contextOf({ plan: planned(draft), phase: 'executing' });
  const assignment: Assignment = { context, todo: todoOf(key), evidence: null, files: async () => [...files] };
  const written = (await builtInAuthor.write(assignment, run)) as Written | null;
  return { written, shown };
}

describe('the built-in author of apps', () => {
  it('proposes the document that the user saw, without a question', async () => {
    const hints = { document: { ...library.document, name: 'Shed of Mill Court' }, start: 'tool-library' };
    expect(await builtInAuthor.ask(contextOf({ hints }), runWith().run)).toBeNull();
    expect(appOf(await proposed({ hints, prompt: 'Books' }))).toMatchObject({
      ...{ document: { name: 'Shed of Mill Court' }, start: 'tool-library' },
    });
  });

  it('proposes the starting point that the words lead to', async () => {
    const plan = await proposed({ prompt: 'something so we know who has our tools' });
    expect([plan.title, plan.caveat]).toEqual(['Tool library', null]);
  });

  it('proposes a single list if the words lead nowhere, and says so', async () => {
    const plan = await proposed({ prompt: '  Qwertz\nuiop!  ' });
    expect(plan).toMatchObject({ title: 'Qwertz uiop', caveat: expect.stringContaining('I assumed a list “Qwertz uiop”') });
    const document = appOf(plan)?.document;
    expect(document?.lists[0]?.fields.map(({ id }) => id)).toEqual(['name', 'note', 'done']);
    expect(document && documentProblems(document)).toEqual([]);
    for (const prompt of ['…', '!'.repeat(90), '😀'.repeat(60), 'zz '.repeat(50)]) {
      const other = appOf(await proposed({ prompt }))?.document;
      expect(other && documentProblems(other), prompt).toEqual([]);
    }
  });

  it('asks only after a plan was rejected, and takes the answer', async () => {
    const question = await builtInAuthor.ask(contextOf({ phase: 'question', prompt: 'tools' }), runWith().run);
    expect(question?.options.map(({ id }) => id)).toContain('bookings');
    const approval: Approval = {
      ...{ id: 'apr_0123456789abcdef', type: 'question', content: '', options: [], planId: null, at: '' },
    };
    const answer = (response: ApprovalResponse) => proposed({ prompt: 'tools', settled: [{ approval, response }] });
    expect((await answer({ outcome: 'option', optionId: 'bookings' })).title).toBe('Bookings');
    expect((await answer({ outcome: 'free_text', text: 'my recipes' })).title).toBe('Recipe book');
  });

  it('leaves the plan as it is if the user asks for changes in words', async () => {
    const plan = planned(planOf(newApp(library.document)));
    const proposal = await builtInAuthor.revise(contextOf({ plan, phase: 'plan' }), runWith().run);
    expect(proposal?.plan).toBe(plan);
    expect(proposal?.content).toContain('Structure');
  });

  it('does the steps of a build', async () => {
    const draft = planOf(newApp(library.document, 'tool-library'));
    const files: SourceFile[] = [];
    const found: Record<string, string[] | null> = {};
    for (const { key } of buildTodos) {
      const { written, shown } = await write(key, draft, files);
      files.push(...(written?.files ?? []));
      found[key] = written === null ? null : written.files.map(({ path }) => path);
      if (key === 'analyse') expect(shown).toEqual(['6 files to write']);
    }
    const pages = library.document.pages.map(({ id }) => `src/pages/${id}.tsx`);
    expect(found).toEqual({
      ...{ validate: null, analyse: null, generate: null, install: null, restart: null, verify: null },
      write: ['src/app.json', ...pages, 'data/records.ndjson'],
    });
  });

  it('writes the sample records once, in the form of the app’s journal', async () => {
    const draft = planOf(newApp(library.document, 'tool-library'));
    const { written } = await write('write', draft);
    const journal = written?.files.find(({ path }) => path === 'data/records.ndjson')?.content ?? '';
    const [line, ...rest] = journal.trimEnd().split('\n');
    const { seq, applied } = journalLineSchema.parse(JSON.parse(line ?? ''));
    expect([seq, applied.length, rest.length]).toEqual([1, 38, 0]);
    expect(applied.every(({ id, record }) => record?.id === id && record.sample === true)).toBe(true);
    const again = await write('write', draft, [], { hasRecords: true });
    expect(again.written?.files.map(({ path }) => path)).not.toContain('data/records.ndjson');
    const own = await write('write', planOf(newApp(library.document)));
    expect(own.written?.files.map(({ path }) => path)).not.toContain('data/records.ndjson');
  });

  it('deletes the template’s own pages', async () => {
    const template = startingPoint('recipes');
    const files = printApp(template?.document ?? library.document);
    const { written } = await write('write', planOf(newApp(library.document)), files);
    expect(written?.deleted).toEqual(['src/pages/recipes.tsx', 'src/pages/week.tsx', 'src/pages/shopping.tsx']);
  });

  it('does not build an app that contradicts itself', async () => {
    const lists = library.document.lists.filter(({ id }) => id !== 'loans');
    await expect(write('validate', planOf(newApp({ ...library.document, lists })))).rejects.toMatchObject({
      code: 'INVALID_PLAN',
      message: expect.stringContaining('“loans”, which does not exist'),
    });
  });

  it('answers a message with what can be changed', async () => {
    const { written } = await write('change:msg_0123456789abcdef', planOf(newApp(library.document)));
    expect(written).toMatchObject({ files: [], deleted: [], plan: null, message: expect.stringContaining('Structure') });
  });
});
