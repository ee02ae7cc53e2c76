import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProjectRequestSchema } from '#contract/api.ts';
import { newId } from '#contract/ids.ts';
import { type Phase, phaseSchema } from '#contract/project.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import { kindProjects } from '../../test/fixtures/kind-projects.ts';
import { noteAuthor, noteKind } from '../../test/fixtures/note-kind.ts';
import { scriptedAuthor, stateIn } from '../../test/fixtures/scripted-model.ts';
import { newProject, tempStores, testPerson } from '../../test/fixtures/storage.ts';
import { localPerson } from '../access/access.ts';
import { approvalTool } from '../tools/communication.ts';
import type { ApprovalRequest } from '../tools/context.ts';
import { approvalEvents, settleEvents } from './approvals.ts';
import type { Author, AuthorRun } from './author.ts';
import type { ProjectService } from './commands.ts';
import type { ProjectCore } from './deps.ts';
import type { Kind } from './kind.ts';

const question: ApprovalRequest = {
  type: 'question',
  content: 'Which ink?',
  options: [{ id: 'blue', label: 'Blue' }],
  plan: null,
};

let stores: ReturnType<typeof tempStores>;
let projects: ProjectService;
let files: Map<string, string>;

beforeEach(() => {
  stores = tempStores();
});
afterEach(async () => {
  await projects?.shutdown();
  stores[Symbol.dispose]();
});

const people = () => projects.as(localPerson);
const stateOf = (id: string) => stores.projects.state(id);

async function start(author: Author, kind: Kind = noteKind): Promise<string> {
  ({ projects, files } = kindProjects(kind, stores, { author }));
  return (await people().create(createProjectRequestSchema.parse({ prompt: 'milk, bread', kind: 'note' }))).id;
}

async function waitingFor(id: string, type: 'question' | 'plan' | 'preview', phase: Phase): Promise<void> {
  await vi.waitFor(async () => {
    const { approval, project } = await stateOf(id);
    expect([project.error, approval?.type, project.phase, project.running]).toEqual([null, type, phase, false]);
  });
}

/** Asks once per `callId`, and returns whether there is an answer. */
const asked = async (run: AuthorRun, callId: string) => (await run.responseTo(callId, question)) !== null;

describe('questions in every phase', () => {
  it.each(phaseSchema.options.filter((phase) => phase !== 'error'))(
    'A1 A5: a question can be asked and answered in %s',
    async (phase) => {
      const { id } = await stores.projects.create(newProject());
      const core = { kinds: new Map([['animation', noteKind]]) } as unknown as ProjectCore;
      const by = { by: testPerson };
      await stores.projects.record(id, [{ type: 'project.phase', phase, previous: 'idle', error: null }], by);
      await stores.projects.record(id, approvalEvents(core, await stateOf(id), question), { ...by, callId: newId('call') });
      const open = await stateOf(id);
      expect(open.project.phase).toBe(phase === 'idle' ? 'question' : phase);
      for (const outcome of ['accepted', 'rejected'] as const)
        expect(() => settleEvents(core, open, { outcome }, { messages: [] })).toThrow(
          expect.objectContaining({ code: 'INVALID_TRANSITION', recovery: 'answer_question' }),
        );
      await stores.projects.record(id, settleEvents(core, open, { outcome: 'option', optionId: 'blue' }, { messages: [] }), by);
      const settled = await stateOf(id);
      expect([settled.approval, settled.project.phase]).toEqual([null, ['idle', 'question'].includes(phase) ? 'plan' : phase]);
    },
  );

  it('A5: an author asks while it plans, revises and works, and goes on with each answer', async () => {
    const id = await start({
      ...noteAuthor,
      ask: () => null,
      plan: async (context, run) => ((await asked(run, 'in-plan')) ? noteAuthor.plan(context, run) : null),
      revise: async (context, run) => ((await asked(run, 'in-revision')) ? noteAuthor.revise(context, run) : null),
      write: async (assignment, run) =>
        (await asked(run, `in-${assignment.todo.id}`)) ? await noteAuthor.write(assignment, run) : null,
    });
    await waitingFor(id, 'question', 'question');
    await people().answer(id, { optionId: 'blue' });
    await waitingFor(id, 'plan', 'plan');
    await people().decidePlan(id, { action: 'changes', feedback: 'tea' });
    await waitingFor(id, 'question', 'plan');
    await expect(people().decidePlan(id, { action: 'changes', feedback: 'jam' })).rejects.toMatchObject({
      recovery: 'answer_question',
    });
    await people().message(id, 'Black, please');
    await waitingFor(id, 'plan', 'plan');
    expect((await stateOf(id)).plan?.summary).toBe('3 lines');
    await people().decidePlan(id, { action: 'accept' });
    await waitingFor(id, 'question', 'executing');
    expect(files.has('note.txt')).toBe(false);
    const { todos } = await stateOf(id);
    expect(todos.map(({ status }) => status)).toEqual(['active', 'pending']);
    await people().answer(id, { optionId: 'blue' });
    await vi.waitFor(() => expect(files.get('note.txt')).toBe('milk\nbread\ntea'));
    await waitingFor(id, 'question', 'executing');
    await people().answer(id, { text: 'none' });
    await waitingFor(id, 'preview', 'preview');
  });

  it('A5: a language model asks while it works on a todo, and gets the answer as its call’s result', async () => {
    const { check: _, ...unchecked } = noteKind;
    const kind = { ...unchecked, tools: ['request_approval', 'update_todo'], ownTools: [approvalTool(null)] };
    const { content, options } = question;
    const model = scriptedAuthor(({ messages }) => {
      const blocks = messages.flatMap((message) => message.content);
      const { todos } = stateIn(blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
      const isAnswered = blocks.some((block) => block.type === 'tool_result' && block.content.includes('"optionId":"blue"'));
      if (!isAnswered) return [{ name: 'request_approval', input: { type: 'question', content, options } }];
      const open = todos.find(({ status }) => status !== 'done');
      return [{ name: 'update_todo', input: { todo_id: open?.id ?? '', status: 'done' } }];
    });
    const id = await start({ ...model, ask: () => null, plan: noteAuthor.plan }, kind);
    await waitingFor(id, 'plan', 'plan');
    await people().decidePlan(id, { action: 'accept' });
    await waitingFor(id, 'question', 'executing');
    await people().answer(id, { optionId: 'blue' });
    await waitingFor(id, 'preview', 'preview');
  });

  it('V1: what the user does on a surface counts in every phase', async () => {
    const surface: SurfaceMessages = [
      { version: 'v0.9', createSurface: { surfaceId: 'more', catalogId: 'koda:catalog/v1' } },
      {
        version: 'v0.9',
        updateComponents: {
          surfaceId: 'more',
          components: [
            { id: 'root', component: 'Button', child: 'label', action: { event: { name: 'submit', context: {} } } },
            { id: 'label', component: 'Text', text: 'and jam' },
          ],
        },
      },
    ];
    const id = await start({ ...noteAuthor, ask: () => null });
    const press = () =>
      people().act(id, {
        name: 'submit',
        surfaceId: 'more',
        sourceComponentId: 'root',
        context: {},
        timestamp: new Date().toISOString(),
      });
    await waitingFor(id, 'plan', 'plan');
    const message = {
      id: newId('msg'),
      role: 'assistant',
      content: 'More?',
      queued: false,
      at: new Date().toISOString(),
      surface,
    } as const;
    await stores.projects.record(id, [{ type: 'message.added', message }], { by: testPerson });
    await press();
    await vi.waitFor(async () => expect((await stateOf(id)).plan?.summary).toBe('3 lines'));
    await waitingFor(id, 'plan', 'plan');
    await people().decidePlan(id, { action: 'accept' });
    await waitingFor(id, 'preview', 'preview');
    await press();
    await vi.waitFor(() => expect(files.get('note.txt')).toBe('milk\nbread\nand jam\nand jam'));
    await waitingFor(id, 'preview', 'preview');
    await people().decidePreview(id, { action: 'accept', renderFinal: false });
    await vi.waitFor(async () => expect((await stateOf(id)).project).toMatchObject({ phase: 'complete', running: false }));
    await press();
    await vi.waitFor(() => expect(files.get('note.txt')).toBe('milk\nbread\nand jam\nand jam\nand jam'));
    await waitingFor(id, 'preview', 'preview');
  });
});
