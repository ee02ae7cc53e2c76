import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProjectRequestSchema } from '#contract/api.ts';
import type { Phase } from '#contract/project.ts';
import { checkedSandbox } from '../../test/fixtures/checked-sandbox.ts';
import { noteKind } from '../../test/fixtures/note-kind.ts';
import { tempStores } from '../../test/fixtures/storage.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { allTools } from '../tools/catalogue.ts';
import { ToolRegistry } from '../tools/tool.ts';
import { createProjectService, type ProjectService } from './commands.ts';

let stores: ReturnType<typeof tempStores>;
let projects: ProjectService;
let workshop: ReturnType<typeof checkedSandbox>;

const unused = () => Promise.reject(new Error('not part of this test'));

beforeEach(() => {
  stores = tempStores();
  workshop = checkedSandbox();
  const sandbox: Sandbox = {
    ...workshop.sandbox,
    statFile: async (path) => ({
      ...{ path, type: 'file' as const, executable: false },
      sizeBytes: Buffer.byteLength(workshop.files.get(path) ?? ''),
    }),
  };
  projects = createProjectService({
    ...{ store: stores.projects, runs: stores.runs, creator: { branch: unused, import: unused } },
    assets: { add: unused, list: async () => [], read: unused, remove: unused, removeAll: async () => undefined },
    checkpoints: {
      ...{ save: async () => null, restore: async () => null, restoreTo: unused, find: unused },
      removeAll: async () => undefined,
    },
    sandboxes: {
      acquire: async () => ({ sandbox, fresh: false }),
      ...{ current: () => null, list: async () => [], destroy: async () => undefined, removeCache: async () => undefined },
    },
    renders: {
      ...{ start: unused, wait: unused, cancel: unused, removeFiles: async () => undefined },
      prepare: () => {
        throw new Error('A note renders nothing.');
      },
      enqueue: () => undefined,
    },
    author({ builtIn }) {
      if (builtIn === null) throw new Error('A note has its own author.');
      return builtIn;
    },
    kinds: new Map([[noteKind.id, noteKind]]),
    toolsOf: (kind) => new ToolRegistry(allTools.filter(({ name }) => kind.tools.includes(name))),
    agentPermissions: new Set(),
    previewUrl: () => 'http://preview.localhost/',
    onEvent: (listener) => stores.bus.observe(listener),
    log: pino({ level: 'silent' }),
  });
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

const note = () => workshop.files.get('note.txt');

describe('a kind of project that is no film', () => {
  it('A26: goes from question over plan, change and preview to complete, and on from there', async () => {
    const phases: Phase[] = [];
    stores.bus.observe((event) => {
      if (event.type === 'project.phase') phases.push(event.phase);
    });
    const { id } = await projects.create(createProjectRequestSchema.parse({ prompt: 'milk, bread', kind: 'note' }));
    await waitingFor(id, 'question');
    await projects.answer(id, { optionId: 'me' });
    await waitingFor(id, 'plan');
    expect((await stores.projects.state(id)).plan).toMatchObject({ summary: '2 lines', document: { lines: ['milk', 'bread'] } });
    await projects.decidePlan(id, { action: 'changes', feedback: 'tea' });
    await vi.waitFor(async () => expect((await stores.projects.state(id)).plan?.summary).toBe('3 lines'));
    await waitingFor(id, 'plan');
    expect(note()).toBeUndefined();
    await projects.decidePlan(id, { action: 'accept' });
    await waitingFor(id, 'preview');
    expect(note()).toBe('milk\nbread\ntea');
    await projects.decidePreview(id, { action: 'feedback', feedback: 'jam' });
    await vi.waitFor(() => expect(note()).toBe('milk\nbread\ntea\njam'));
    await waitingFor(id, 'preview');
    expect((await stores.projects.state(id)).approval?.content).toBe('Here is the changed note.');
    await projects.decidePreview(id, { action: 'accept' });
    await vi.waitFor(async () => expect((await stores.projects.get(id)).phase).toBe('complete'));
    expect(phases).toEqual(['question', 'plan', 'executing', 'preview', 'executing', 'preview', 'complete']);
    const { plan, todos } = await stores.projects.state(id);
    expect(plan).toMatchObject({ accepted: true, document: { lines: ['milk', 'bread', 'tea', 'jam'] } });
    expect(todos.every(({ status }) => status === 'done')).toBe(true);
  });

  it('A26: offers only the tools of its kind', async () => {
    const { id } = await projects.create(createProjectRequestSchema.parse({ prompt: 'milk', kind: 'note', start: false }));
    const names = (await projects.tools(id)).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['sandbox_create', 'sandbox_read_file', 'sandbox_write_file']);
  });

  it('A26: can write only to the folders of its kind', async () => {
    const { id } = await projects.create(createProjectRequestSchema.parse({ prompt: 'milk', kind: 'note', start: false }));
    const write = async (path: string) => {
      const input = { path, content: 'milk' };
      const options = { actor: { type: 'user' }, signal: AbortSignal.timeout(5000) } as const;
      return (await projects.callTool(id, 'sandbox_write_file', input, options)).result;
    };
    expect(await write('src/film.json')).toMatchObject({ status: 'error', code: 'INVALID_PATH' });
    expect(await write('notes/a.md')).toMatchObject({ status: 'completed' });
  });

  it('A26: stays readable if its kind is not installed', async () => {
    await stores.projects.create({
      ...{ id: 'prj_0123456789abcdef0123', name: 'Old', kind: 'gone', prompt: 'Old', events: [] },
      hints: { style: null, aspect: null, durationSeconds: null },
    });
    expect(await stores.projects.snapshot('prj_0123456789abcdef0123')).toMatchObject({ project: { kind: 'gone' } });
    await expect(projects.message('prj_0123456789abcdef0123', 'hello')).resolves.toMatchObject({ queued: false });
    await vi.waitFor(async () => {
      const { error } = await stores.projects.get('prj_0123456789abcdef0123');
      expect(error?.message).toContain('does not support');
    });
  });
});
