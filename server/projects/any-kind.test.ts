import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProjectRequestSchema } from '#contract/api.ts';
import { newId } from '#contract/ids.ts';
import type { OutlineEdit, Phase } from '#contract/project.ts';
import { kindProjects } from '../../test/fixtures/kind-projects.ts';
import { noteKind } from '../../test/fixtures/note-kind.ts';
import { rethrow, tempStores, testPerson } from '../../test/fixtures/storage.ts';
import { localPerson } from '../access/access.ts';
import type { ProjectService } from './commands.ts';

let stores: ReturnType<typeof tempStores>;
let projects: ProjectService;
let files: Map<string, string>;
let checkpoint: (title: string | undefined) => Promise<void>;

beforeEach(() => {
  stores = tempStores();
  checkpoint = async () => undefined;
  ({ projects, files } = kindProjects(noteKind, stores, { checkpoint: (title) => checkpoint(title) }));
});
afterEach(async () => {
  await projects.shutdown();
  stores[Symbol.dispose]();
});

async function waitingFor(id: string, type: 'question' | 'plan' | 'preview'): Promise<void> {
  await vi.waitFor(async () => {
    const { approval, project } = await stores.projects.state(id);
    expect([project.error, approval?.type]).toEqual([null, type]);
  });
}

const note = () => files.get('note.txt');

describe('a kind of project that is no film', () => {
  it('A26: goes from question over plan, change and preview to complete, and on from there', async () => {
    const phases: Phase[] = [];
    stores.bus.observe((event) => {
      if (event.type === 'project.phase') phases.push(event.phase);
    }, rethrow);
    const { id } = await projects
      .as(localPerson)
      .create(createProjectRequestSchema.parse({ prompt: 'milk, bread', kind: 'note' }));
    await waitingFor(id, 'question');
    await projects.as(localPerson).answer(id, { optionId: 'me' });
    await waitingFor(id, 'plan');
    expect((await stores.projects.state(id)).plan).toMatchObject({ summary: '2 lines', document: { lines: ['milk', 'bread'] } });
    await projects.as(localPerson).decidePlan(id, { action: 'changes', feedback: 'tea' });
    await vi.waitFor(async () => expect((await stores.projects.state(id)).plan?.summary).toBe('3 lines'));
    await waitingFor(id, 'plan');
    expect(note()).toBeUndefined();
    await projects.as(localPerson).decidePlan(id, { action: 'accept' });
    await waitingFor(id, 'preview');
    expect(note()).toBe('milk\nbread\ntea');
    await projects.as(localPerson).decidePreview(id, { action: 'feedback', feedback: 'jam' });
    await vi.waitFor(() => expect(note()).toBe('milk\nbread\ntea\njam'));
    await waitingFor(id, 'preview');
    expect((await stores.projects.state(id)).approval?.content).toBe('Here is the changed note.');
    await projects.as(localPerson).decidePreview(id, { action: 'accept' });
    await vi.waitFor(async () => expect((await stores.projects.get(id)).phase).toBe('complete'));
    expect(phases).toEqual(['question', 'plan', 'executing', 'preview', 'executing', 'preview', 'complete']);
    const { plan, todos } = await stores.projects.state(id);
    expect(plan).toMatchObject({ accepted: true, document: { lines: ['milk', 'bread', 'tea', 'jam'] } });
    expect(todos.every(({ status }) => status === 'done')).toBe(true);
  });

  it('A26: rejects hints that the kind does not have', async () => {
    const request = createProjectRequestSchema.parse({ prompt: 'milk', kind: 'note', hints: { paper: 'ruled' } });
    await expect(projects.as(localPerson).create(request)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('paper'),
    });
  });

  it('A7: writes an author’s files as one step: files, then the plan, then the checkpoint', async () => {
    const events: string[] = [];
    stores.bus.observe((event) => {
      if (event.type === 'tool.started' && event.name === 'generate_code') events.length = 0;
      events.push(event.type === 'tool.started' || event.type === 'tool.finished' ? `${event.type} ${event.name}` : event.type);
    }, rethrow);
    checkpoint = async (title) => void events.push(`checkpoint “${title}”`);
    const { id } = await projects
      .as(localPerson)
      .create(createProjectRequestSchema.parse({ prompt: 'milk, bread', kind: 'note' }));
    await waitingFor(id, 'question');
    await projects.as(localPerson).answer(id, { optionId: 'me' });
    await waitingFor(id, 'plan');
    await projects.as(localPerson).decidePlan(id, { action: 'accept' });
    await waitingFor(id, 'preview');
    await projects.as(localPerson).decidePreview(id, { action: 'feedback', feedback: 'jam' });
    await vi.waitFor(() => expect(note()).toBe('milk\nbread\njam'));
    await waitingFor(id, 'preview');
    expect(events.slice(0, 6)).toEqual([
      ...['tool.started generate_code', 'code.chunk', 'file.written', 'plan.proposed'],
      ...['checkpoint “The note.”', 'tool.finished generate_code'],
    ]);
  });

  it('A26: offers only the tools of its kind', async () => {
    const { id } = await projects
      .as(localPerson)
      .create(createProjectRequestSchema.parse({ prompt: 'milk', kind: 'note', start: false }));
    const names = (await projects.tools(id)).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['sandbox_create', 'sandbox_read_file', 'sandbox_write_file']);
  });

  it('A26: can write only to the folders of its kind', async () => {
    const { id } = await projects
      .as(localPerson)
      .create(createProjectRequestSchema.parse({ prompt: 'milk', kind: 'note', start: false }));
    const write = async (path: string) => {
      const input = { path, content: 'milk' };
      const options = { signal: AbortSignal.timeout(5000) };
      return (await projects.as(localPerson).callTool(id, 'sandbox_write_file', input, options)).result;
    };
    expect(await write('src/film.json')).toMatchObject({ status: 'error', code: 'INVALID_PATH' });
    expect(await write('notes/a.md')).toMatchObject({ status: 'completed' });
  });

  it('A26: refuses what its kind cannot do, and says what to do instead', async () => {
    const { id } = await projects
      .as(localPerson)
      .create(createProjectRequestSchema.parse({ prompt: 'milk, bread', kind: 'note' }));
    await waitingFor(id, 'question');
    await projects.as(localPerson).answer(id, { optionId: 'me' });
    await waitingFor(id, 'plan');
    const outline = { title: 'Note', summary: '', sections: [] } as unknown as OutlineEdit;
    const message = { code: 'INVALID_PLAN', recovery: 'send_message' };
    await expect(projects.as(localPerson).editDocument(id, [])).rejects.toMatchObject(message);
    await expect(projects.as(localPerson).decidePlan(id, { action: 'accept', plan: outline })).rejects.toMatchObject(message);
    const archive = { kind: 'note', name: 'note.zip', content: Readable.from([]) };
    const options = { id: newId('prj'), signal: AbortSignal.timeout(5000) };
    await expect(projects.as(localPerson).history.import(archive, options)).rejects.toThrow(
      '“Note” cannot start from an archive. Start with a prompt',
    );
  });

  it('A26: stays readable if its kind is not installed', async () => {
    await stores.projects.create({
      by: testPerson,
      ...{ id: 'prj_0123456789abcdef0123', name: 'Old', kind: 'gone', prompt: 'Old', events: [] },
      hints: { style: null, aspect: null, durationSeconds: null },
    });
    expect(await stores.projects.snapshot('prj_0123456789abcdef0123')).toMatchObject({ project: { kind: 'gone' } });
    await expect(projects.as(localPerson).message('prj_0123456789abcdef0123', 'hello')).resolves.toMatchObject({ queued: false });
    await vi.waitFor(async () => {
      const { error } = await stores.projects.get('prj_0123456789abcdef0123');
      expect(error?.message).toContain('does not support');
    });
  });
});
