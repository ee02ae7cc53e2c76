import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testPerson } from '../../test/fixtures/storage.ts';
import { Autosave } from './autosave.ts';
import type { ProjectCore } from './deps.ts';

const signal = new AbortController().signal;
let running: string[];
let saved: string[];
let canSave: boolean;
let autosave: Autosave;
let beforeSave: () => Promise<void>;

beforeEach(() => {
  beforeSave = async () => undefined;
  vi.useFakeTimers();
  running = ['prj_a', 'prj_b'];
  saved = [];
  canSave = true;
  const core = {
    sandboxes: {
      list: async () => [...running],
      current: (projectId: string) => (running.includes(projectId) ? {} : null),
    },
    checkpoints: {
      save: async (projectId: string, trigger: string, { title }: { title?: string }) => {
        await beforeSave();
        if (!canSave) throw new Error('disk full');
        saved.push(`${projectId} ${trigger}${title === undefined ? '' : ` “${title}”`}`);
        return null;
      },
    },
    log: pino({ level: 'silent' }),
  } as unknown as ProjectCore;
  autosave = new Autosave(core);
});

afterEach(() => {
  vi.useRealTimers();
});

const write = (projectId = 'prj_a') => autosave.observe({ projectId, type: 'file.written' });
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

describe('autosave', () => {
  it('A21: saves once, 5 seconds after the last write', async () => {
    write();
    await seconds(4);
    write();
    await seconds(4.9);
    expect(saved).toEqual([]);
    await seconds(0.2);
    expect(saved).toEqual(['prj_a autosave']);
    await seconds(60);
    expect(saved).toHaveLength(1);
  });

  it('saves stored data within a second, and what is stored meanwhile once more', async () => {
    autosave.dataStored('prj_a');
    autosave.dataStored('prj_a');
    await seconds(0.9);
    expect(saved).toEqual(['prj_a data']);
    autosave.dataStored('prj_a');
    await seconds(0.9);
    expect(saved).toEqual(['prj_a data', 'prj_a data']);
    await seconds(60);
    expect(saved).toHaveLength(2);
  });

  it('saves again what was stored during a save', async () => {
    const slow = Promise.withResolvers<void>();
    beforeSave = () => slow.promise;
    autosave.dataStored('prj_a');
    await seconds(0.5);
    autosave.dataStored('prj_a');
    await seconds(5);
    expect(saved).toEqual([]);
    slow.resolve();
    await seconds(0.5);
    expect(saved).toEqual(['prj_a data', 'prj_a data']);
  });

  it('A21: saves after 30 seconds of continuous writes', async () => {
    for (let second = 0; second < 70; second++) {
      write();
      await seconds(1);
    }
    expect(saved).toEqual(['prj_a autosave', 'prj_a autosave']);
  });

  it('A21: saves after finished tool calls, and ignores events that change no files', async () => {
    autosave.observe({ projectId: 'prj_a', type: 'tool.finished' });
    autosave.observe({ projectId: 'prj_b', type: 'thinking' });
    await seconds(6);
    expect(saved).toEqual(['prj_a autosave']);
  });

  it('A21: saves immediately when the last viewer leaves', async () => {
    autosave.viewersLeft('prj_b');
    await seconds(0);
    expect(saved).toEqual(['prj_b viewer_left']);
  });

  it('A21: saves every running sandbox in a pass, even if one fails', async () => {
    canSave = false;
    await autosave.saveAll({ signal });
    canSave = true;
    await autosave.saveAll({ signal });
    expect(saved).toEqual(['prj_a autosave', 'prj_b autosave']);
  });

  it('ignores a project without a sandbox', async () => {
    running = [];
    write();
    autosave.viewersLeft('prj_a');
    await seconds(6);
    expect(saved).toEqual([]);
  });

  it('A21: saves everything at shutdown and starts no save afterwards', async () => {
    write();
    await autosave.close();
    expect(saved).toEqual(['prj_a shutdown', 'prj_b shutdown']);
    saved = [];
    write();
    autosave.viewersLeft('prj_a');
    await seconds(60);
    expect(saved).toEqual([]);
  });
});

describe('edits of a document', () => {
  const edited = async (place: string, ...words: string[]) => {
    await autosave.edited('prj_a', { place, name: `Scene ${place}`, words }, testPerson);
    write();
  };

  it('X7: of one scene within 30 s share one checkpoint, which names them, and no autosave comes beside it', async () => {
    await edited('2', 'title');
    await seconds(20);
    await edited('2', 'order of items', 'title');
    await seconds(9);
    expect(saved).toEqual([]);
    await seconds(2);
    expect(saved).toEqual(['prj_a edit “Scene 2: title, order of items”']);
    await seconds(60);
    expect(saved).toHaveLength(1);
  });

  it('X7: of another scene begin another checkpoint', async () => {
    await edited('1', 'title');
    await edited('2', 'length');
    expect(saved).toEqual(['prj_a edit “Scene 1: title”']);
    await seconds(31);
    expect(saved).toEqual(['prj_a edit “Scene 1: title”', 'prj_a edit “Scene 2: length”']);
  });

  it('X7: are saved before the agent works, when the last viewer leaves and at the end', async () => {
    await edited('1', 'title');
    autosave.observe({ projectId: 'prj_a', type: 'run.started' });
    await edited('1', 'text');
    autosave.viewersLeft('prj_a');
    await edited('1', 'icon');
    await autosave.close();
    const titles = ['title', 'text', 'icon'].map((word) => `prj_a edit “Scene 1: ${word}”`);
    expect(saved).toEqual([...titles, 'prj_b shutdown']);
  });
});
