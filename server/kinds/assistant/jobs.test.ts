import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProjectRequestSchema } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { parameterInfoSchema, type Render } from '#contract/render.ts';
import type { Schedule } from '#contract/schedules.ts';
import { readSurface } from '#contract/surface/messages.ts';
import { stateOf, stepsOf } from '#kinds/assistant/contract/assistant.ts';
import { kindProjects } from '../../../test/fixtures/kind-projects.ts';
import { tempStores } from '../../../test/fixtures/storage.ts';
import { localPerson } from '../../access/access.ts';
import type { ProjectService } from '../../projects/commands.ts';
import { answersIn } from './http.ts';
import { assistantKind } from './kind.ts';
import type { ActingStudio, Video } from './studio.ts';

const film = { id: newId('prj'), name: 'Open late', aspect: '16:9', seconds: 12, isChanging: false } as const;
const mebibyte = 1024 ** 2;
const video = (id: string, more: Partial<Video> = {}): Video => ({
  ...{ id, film: 'Open late', isPreview: false, width: 1920, height: 1080, sizeBytes: 100 * mebibyte },
  ...{ finishedAt: '2026-11-02T09:12:00.000Z', isNewest: false, ...more },
});

type Outcome = { readonly code: string; readonly message: string } | 'done' | 'never';

let stores: ReturnType<typeof tempStores>;
let projects: ProjectService;
let videos: Video[];
/** What becomes of each render, by its shape or parameters, first attempt first. `done` afterwards. */
let script: Map<string, Outcome[]>;
let requests: Map<string, string>;
let running: { now: number; most: number };
let cancelled: string[];
let checkedSchedules: object[];
let headings: string[];
let schedules: Map<string, object>;
/** Ends when nothing changes the film any more. `null` if nothing does. */
let change: Promise<void> | null;

const nameOf = ({ aspect, parameters }: { aspect?: string | undefined; parameters?: object | undefined }) =>
  aspect ?? Object.values(parameters ?? {}).join();

const unused = () => Promise.reject(new Error('not part of this test'));

const studio: ActingStudio = {
  films: async () => [film],
  storage: async () => ({
    projects: [{ name: 'Open late', historyBytes: mebibyte, assetBytes: 0, renderBytes: 300 * mebibyte }],
    ...{ videos, totalBytes: 400 * mebibyte },
  }),
  ...{ schedules: unused, table: unused, changeSchedule: unused },
  ...{ pauseSchedule: unused, resumeSchedule: unused, runSchedule: unused, deleteSchedule: unused },
  checkSchedule: async ({ delivery, ...request }) => {
    if (delivery.type === 'folder' && delivery.folder.startsWith('/'))
      throw new KodaError('VALIDATION_ERROR', `Nothing may be saved in ${delivery.folder}: the operator allows folders.`);
    checkedSchedules.push(request);
    const times = ['2027-01-04T16:00:00.000Z', '2027-01-11T16:00:00.000Z', '2027-01-18T16:00:00.000Z'];
    return { times, rows: 2, headings, problems: [] };
  },
  async createSchedule({ name, ...request }, id) {
    schedules.set(id, { name, ...request });
    return { id, name, nextRunAt: '2027-01-04T16:00:00.000Z' } as Schedule;
  },
  parameters: async () =>
    [
      { name: 'branch', type: 'string', default: 'Old Mill', description: 'Name of the branch' },
      { name: 'until', type: 'string', default: '20:00' },
    ].map((parameter) => parameterInfoSchema.parse(parameter)),
  // No job needs these.
  ...{ projects: unused, project: unused, started: unused, createProject: unused, tellProject: unused },
  async deleteVideo(id) {
    if (id === 'rnd_broken0000000000') throw new KodaError('INTERNAL_ERROR', 'The file is locked.');
    videos = videos.filter((one) => one.id !== id);
  },
  async startRender(_film, request, id, { onWait }) {
    if (change !== null) {
      await onWait('Waits for the change of “Open late” to finish');
      await change;
      await onWait(null);
    }
    if (!requests.has(id)) requests.set(id, nameOf(request));
    return { id, percent: 0 } as Render;
  },
  render: async (id) => ({ id, percent: 0 }) as Render,
  renderSeconds: async () => 60,
  placeInQueue: async () => null,
  async waitForRender(id, { signal }) {
    running = { now: running.now + 1, most: Math.max(running.most, running.now + 1) };
    try {
      await setImmediate();
      const outcome = script.get(requests.get(id) ?? '')?.shift() ?? 'done';
      if (outcome === 'never') {
        signal.throwIfAborted();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
      }
      if (outcome !== 'done') return { id, status: 'failed', error: outcome } as Render;
      return {
        id,
        status: 'complete',
        videoUrl: `/storage/renders/${id}/video.mp4`,
        probe: { sizeBytes: 5 * mebibyte },
      } as Render;
    } finally {
      running = { ...running, now: running.now - 1 };
    }
  },
  async cancelRender(id) {
    cancelled.push(requests.get(id) ?? '');
  },
  checkRows: async (_film, rows) => ({
    sets: rows.map((cells) => Object.fromEntries(cells)),
    problems: rows.map((cells) => {
      const [name] = cells.find(([, text]) => text === 'late') ?? [null];
      return name === null ? null : `The parameter "${name}" cannot be "late".`;
    }),
  }),
};

const start = () => {
  ({ projects } = kindProjects(
    assistantKind(async () => studio),
    stores,
  ));
};
beforeEach(() => {
  stores = tempStores();
  videos = [
    video('rnd_aaaaaaaaaaaaaaaa'),
    video('rnd_bbbbbbbbbbbbbbbb', { isPreview: true }),
    video('rnd_cccccccccccccccc', { isNewest: true }),
  ];
  script = new Map();
  requests = new Map();
  running = { now: 0, most: 0 };
  [cancelled, checkedSchedules, headings, schedules, change] = [[], [], ['branch', 'until'], new Map(), null];
  start();
});
afterEach(async () => {
  await projects.shutdown();
  stores[Symbol.dispose]();
});

const signal = new AbortController().signal;
const people = () => projects.as(localPerson);
const create = async (prompt: string, hints: object = {}) =>
  (await people().create(createProjectRequestSchema.parse({ prompt, kind: 'assistant', hints }))).id;

/** Waits for an open question with these words. Returns its surface. */
async function asked(id: string, content: string | RegExp) {
  const approval = await vi.waitFor(async () => {
    const { approval: open, project } = await stores.projects.state(id);
    expect([open?.content, project.error]).toEqual([
      typeof content === 'string' ? content : expect.stringMatching(content),
      null,
    ]);
    expect(project.running).toBe(false);
    return open;
  });
  const read = readSurface(approval?.surface ?? []);
  if (!read.ok) throw new Error(read.issue.message);
  return read.value;
}

async function press(id: string, surfaceId: string, sourceComponentId: string, parameters: Record<string, unknown> = {}) {
  return await people().runAction(id, { id: 'submit', parameters, button: { surfaceId, sourceComponentId } }, { signal });
}

async function ended(id: string, state: string): Promise<{ content: string; text: string }> {
  return await vi.waitFor(async () => {
    const snapshot = await stores.projects.snapshot(id);
    expect([stateOf(snapshot), snapshot.project.running]).toEqual([state, false]);
    const last = snapshot.messages.findLast(({ role }) => role === 'assistant');
    return { content: last?.content ?? '', text: JSON.stringify(last?.surface ?? []) };
  });
}

const textOf = (surface: { components: ReadonlyMap<string, unknown>; data: unknown }) =>
  JSON.stringify([...surface.components.values(), surface.data]);
const steps = async (id: string) => stepsOf(await stores.projects.snapshot(id));

describe('the answered forms', () => {
  it('are listed by their heading, with the message that says the answer', async () => {
    const id = await create('Clean up storage');
    const choose = await asked(id, 'Koda uses 400 MB. What may go?');
    expect(answersIn(await stores.projects.state(id))).toEqual([]);
    await press(id, choose.surfaceId, 'cancel');
    await ended(id, 'done');
    const state = await stores.projects.state(id);
    const said = state.messages.findLast(({ role }) => role === 'user');
    expect(answersIn(state)).toEqual([
      {
        ...{ approvalId: state.settled[0]?.approval.id, messageId: said?.id, callId: choose.surfaceId, isInWords: false },
        ...{ title: 'Koda uses 400 MB', says: '', askedAt: state.settled[0]?.approval.at, at: said?.at },
      },
    ]);
  });
});

describe('cleaning up storage', () => {
  it('V7: measures, offers previews and older videos, asks once more with exact names, deletes and shows the result', async () => {
    const id = await create('Clean up storage');
    const choose = await asked(id, 'Koda uses 400 MB. What may go?');
    expect(textOf(choose)).not.toContain('rnd_cccccccccccccccc');
    await press(id, choose.surfaceId, 'delete', { videos: ['rnd_aaaaaaaaaaaaaaaa', 'rnd_bbbbbbbbbbbbbbbb'] });
    const confirm = await asked(id, 'Delete 2 videos, 200 MB?');
    const asking = (await stores.projects.snapshot(id)).tools.at(-1);
    expect(textOf(confirm)).toContain('Open late, preview 1920×1080, 2026-11-02 09:12');
    expect(textOf(confirm)).toContain('"text":"Delete 2 videos, 200 MB"');
    expect(videos).toHaveLength(3);
    await press(id, confirm.surfaceId, 'delete');
    expect(await ended(id, 'done')).toMatchObject({ content: '200 MB freed: 2 videos deleted.' });
    expect(videos.map((one) => one.id)).toEqual(['rnd_cccccccccccccccc']);
    // The page shows the call after the answer that it waited for.
    expect(answersIn(await stores.projects.state(id)).map(({ callId }) => callId)).toEqual([choose.surfaceId, asking?.callId]);
    expect(await steps(id)).toMatchObject([
      { verb: 'Measured storage', state: 'done', sentence: '400 MB in 1 project', durationMs: expect.any(Number) },
      { verb: 'Deleted videos', state: 'done', sentence: '2 videos, 200 MB freed' },
    ]);
  });

  it('V4 V7: never tries again what the person has refused', async () => {
    const id = await create('Clean up storage');
    await press(id, (await asked(id, /What may go/)).surfaceId, 'delete', { videos: ['rnd_aaaaaaaaaaaaaaaa'] });
    await press(id, (await asked(id, /^Delete 1 video/)).surfaceId, 'keep');
    expect(await ended(id, 'done')).toMatchObject({ content: 'Nothing was deleted.' });
    expect((await steps(id)).filter(({ tool }) => tool === 'delete_videos')).toHaveLength(1);
    expect(videos).toHaveLength(3);
  });

  it('V7: keeps the form with what was chosen and says what is wrong with it, and deletes nothing unasked', async () => {
    const id = await create('Clean up storage');
    await press(id, (await asked(id, /What may go/)).surfaceId, 'delete', { videos: ['rnd_dddddddddddddddd'] });
    const again = await vi.waitFor(async () => {
      const form = await asked(id, /What may go/);
      expect(textOf(form)).toContain('This is not one of the videos.');
      return form;
    });
    await press(id, again.surfaceId, 'cancel');
    expect(await ended(id, 'done')).toMatchObject({ content: 'Nothing was changed.' });
    expect(videos).toHaveLength(3);
  });

  it('V7: goes on after a restart where the person was asked, and measures once', async () => {
    const id = await create('Clean up storage');
    await press(id, (await asked(id, /What may go/)).surfaceId, 'delete', { videos: ['rnd_aaaaaaaaaaaaaaaa'] });
    await asked(id, /^Delete 1 video/);
    await projects.shutdown();
    start();
    await projects.recover();
    await press(id, (await asked(id, /^Delete 1 video/)).surfaceId, 'delete');
    expect(await ended(id, 'done')).toMatchObject({ content: '100 MB freed: 1 video deleted.' });
    expect((await steps(id)).map(({ tool }) => tool)).toEqual(['measure_storage', 'delete_videos']);
  });
});

describe('another size', () => {
  const makes = async (sizes: readonly string[]) => {
    const id = await create('Another size');
    const form = await asked(id, 'Which film, and in which sizes?');
    await press(id, form.surfaceId, 'next', { film: [film.id], sizes });
    const confirm = await asked(id, /^Make/);
    await press(id, confirm.surfaceId, 'make');
    return id;
  };

  it('V7: renders each size, two at a time, and keeps what is finished if one fails', async () => {
    script.set('1:1', [{ code: 'VALIDATION_ERROR', message: 'The end is code drawn for 16:9.' }]);
    const id = await makes(['9:16', '1:1', '4:5']);
    const asks = await asked(id, '2 of 3 videos are ready. Try what failed again?');
    expect(textOf(asks)).toContain('"text":"Try 1 video again"');
    await press(id, asks.surfaceId, 'cancel');
    const { content, text } = await ended(id, 'done');
    expect(content).toBe('2 of 3 videos are ready: “Open late”, 10 MB.');
    expect(text).toContain('2 done, 1 failed. 10 MB in all.');
    expect(text).toContain('Failed: The end is code drawn for 16:9.');
    expect(text).toMatch(/\/storage\/renders\/rnd_\w+\/video\.mp4/);
    expect(running.most).toBe(2);
    expect([...requests.values()]).toEqual(['9:16', '1:1', '4:5']);
  });

  it('V4 V7: makes what ran out of memory again, one at a time, as a step that says so', async () => {
    script.set('9:16', [{ code: 'OUT_OF_MEMORY', message: 'Out of memory.' }]);
    const id = await makes(['9:16', '1:1']);
    expect(await ended(id, 'done')).toMatchObject({ content: '2 of 2 videos are ready: “Open late”, 10 MB.' });
    expect([...requests.values()]).toEqual(['9:16', '1:1', '9:16']);
    expect((await steps(id)).map(({ verb, sentence }) => [verb, sentence])).toEqual([
      ['Looked for films', '1 film'],
      ['Made videos', '1 of 2 videos, 1 failed'],
      ['Adjusted', 'One video at a time instead of two.'],
      ['Made videos', '1 of 1 video'],
    ]);
  });

  it('V4 V7: gives up after three attempts, and says so if there is no video at all', async () => {
    script.set('1:1', Array(9).fill({ code: 'SANDBOX_DEAD', message: 'The sandbox died.' }));
    const id = await makes(['1:1']);
    const asks = await asked(id, '0 of 1 video is ready. Try what failed again?');
    expect([...requests.values()]).toEqual(['1:1', '1:1', '1:1']);
    expect(textOf(asks)).toContain('Failed: The sandbox died.');
    await press(id, asks.surfaceId, 'cancel');
    expect((await ended(id, 'done')).text).toContain('0 done, 1 failed.');
  });

  it('V7: makes the failed videos again that the person chooses, and only those', async () => {
    const refusal = { code: 'VALIDATION_ERROR', message: 'Too small.' };
    for (const size of ['1:1', '4:5']) script.set(size, [refusal]);
    const id = await makes(['9:16', '1:1', '4:5']);
    const asks = await asked(id, '1 of 3 videos is ready. Try what failed again?');
    expect(asks.data).toMatchObject({ chosen: ['1', '2'] });
    await press(id, asks.surfaceId, 'again', { chosen: ['2'] });
    const rest = await asked(id, '2 of 3 videos are ready. Try what failed again?');
    expect(textOf(rest)).toContain('"text":"Try 1 video again"');
    await projects.shutdown();
    start();
    await projects.recover();
    await press(id, rest.surfaceId, 'again');
    expect(await ended(id, 'done')).toMatchObject({ content: '3 of 3 videos are ready: “Open late”, 15 MB.' });
    expect([...requests.values()]).toEqual(['9:16', '1:1', '4:5', '4:5', '1:1']);
  });

  it('V7: waits for a change of the film, shows that on each row, and then makes the videos', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    change = promise;
    const id = await makes(['9:16', '1:1', '4:5']);
    const shown = async () => {
      const { messages } = await stores.projects.state(id);
      const read = readSurface(messages.findLast(({ surface }) => surface !== undefined)?.surface ?? []);
      return read.ok ? read.value.data : null;
    };
    const reason = 'Waits for the change of “Open late” to finish';
    await vi.waitFor(async () =>
      expect(await shown()).toMatchObject({
        now: `${reason}. 0 done, 3 to go`,
        videos: [{ state: reason }, { state: reason }, { state: reason }],
      }),
    );
    expect(requests.size).toBe(0);
    change = null;
    resolve();
    expect(await ended(id, 'done')).toMatchObject({ content: '3 of 3 videos are ready: “Open late”, 15 MB.' });
  });

  it('V7: says of each video what it waits for, how long, and what has ended', async () => {
    for (const size of ['9:16', '1:1', '4:5']) script.set(size, ['never']);
    script.set('16:9', [{ code: 'VALIDATION_ERROR', message: 'Too small.' }]);
    const id = await makes(['16:9', '9:16', '1:1', '4:5']);
    const state = async () => JSON.stringify((await stores.projects.state(id)).messages.at(-1)?.surface);
    await vi.waitFor(async () => expect(await state()).toContain('0 done, 1 failed, 3 to go, about 2 min left'));
    expect(await state()).toContain('Failed: Too small.');
    expect(await state()).toContain('Waits for the 2 videos before it, about 60 s');
    await people().stop(id);
    await ended(id, 'stopped');
  });

  it('V7: starts again after a stop with what was entered before', async () => {
    script.set('1:1', ['never']);
    const id = await makes(['1:1', '4:5']);
    await vi.waitFor(() => expect([...requests.values()]).toContain('1:1'));
    await people().stop(id);
    await ended(id, 'stopped');
    await people().retry(id);
    const form = await asked(id, 'Which film, and in which sizes?');
    expect(form.data).toMatchObject({ film: [film.id], sizes: ['1:1', '4:5'] });
  });

  it('V7: stops at once, keeps the finished videos, and says so', async () => {
    script.set('1:1', ['never']);
    const id = await makes(['9:16', '1:1']);
    await vi.waitFor(async () => {
      const { messages } = await stores.projects.state(id);
      expect(JSON.stringify(messages)).toContain('1 done, 1 to go');
    });
    expect(stateOf(await stores.projects.snapshot(id))).toBe('running');
    await people().stop(id);
    await ended(id, 'stopped');
    expect(cancelled).toEqual(['1:1']);
    expect(JSON.stringify((await stores.projects.state(id)).messages)).toContain(
      'Stopped after 1 of 2 videos. The finished ones are kept.',
    );
  });

  it('V7: goes on after a restart with the renders that it has started, and starts none twice', async () => {
    script.set('1:1', ['never']);
    const id = await makes(['9:16', '1:1']);
    await vi.waitFor(() => expect([...requests.values()]).toEqual(['9:16', '1:1']));
    await projects.shutdown();
    expect(cancelled).toEqual([]);
    start();
    await projects.recover();
    expect(await ended(id, 'done')).toMatchObject({ content: '2 of 2 videos are ready: “Open late”, 10 MB.' });
    expect([...requests.values()]).toEqual(['9:16', '1:1']);
  });
});

describe('variants from a table', () => {
  const table = 'branch,until\nHarbour,21:00\nMill,late\nQuay,22:00';

  it('V7: checks each row, and makes those that are right', async () => {
    const id = await create('Variants from a table');
    const form = await asked(id, 'Which film, and which rows?');
    await press(id, form.surfaceId, 'next', { film: [film.id], rows: table });
    const confirm = await asked(id, '1 row cannot be used.');
    expect(textOf(confirm)).toContain('Row 2: The parameter \\"until\\" cannot be \\"late\\".');
    expect(textOf(confirm)).toContain('"text":"Make 2 videos"');
    await press(id, confirm.surfaceId, 'make');
    expect(await ended(id, 'done')).toMatchObject({ content: '2 of 2 videos are ready: “Open late”, 10 MB.' });
    expect([...requests.values()]).toEqual(['Harbour,21:00', 'Quay,22:00']);
  });

  it('V7: asks which column goes where if they have other names than the parameters, and proposes what is alike', async () => {
    const id = await create('Variants from a table');
    const form = await asked(id, 'Which film, and which rows?');
    const rows = 'The branch,Open,Street\nHarbour,21:00,Pier 3\nQuay,22:00,Quay 1';
    await press(id, form.surfaceId, 'next', { film: [film.id], rows });
    const columns = await asked(id, 'Which column goes where?');
    expect(columns.data).toEqual({ 'column-0': ['branch'], 'column-1': ['left-out'], 'column-2': ['left-out'] });
    expect(textOf(columns)).toContain('Open: 21:00, 22:00');
    for (const label of ['Name of the branch, now Old Mill', 'until, now 20:00'])
      expect(textOf(columns)).toContain(`"label":"${label}"`);
    await press(id, columns.surfaceId, 'next', { 'column-0': ['branch'], 'column-1': ['branch'], 'column-2': ['left-out'] });
    const again = await vi.waitFor(async () => {
      const shown = await asked(id, 'Which column goes where?');
      expect(textOf(shown)).toContain('Open: “The branch” goes there already.');
      return shown;
    });
    await press(id, again.surfaceId, 'next', { 'column-0': ['branch'], 'column-1': ['until'], 'column-2': ['left-out'] });
    await press(id, (await asked(id, /^Make 2 videos/)).surfaceId, 'make');
    await ended(id, 'done');
    expect([...requests.values()]).toEqual(['Harbour,21:00', 'Quay,22:00']);
  });

  it('V7: says what is wrong with a row in the words of its table', async () => {
    const id = await create('Variants from a table');
    const rows = 'The branch,Open\nHarbour,21:00\nQuay,late';
    await press(id, (await asked(id, /which rows/)).surfaceId, 'next', { film: [film.id], rows });
    const columns = await asked(id, 'Which column goes where?');
    await press(id, columns.surfaceId, 'next', { 'column-0': ['branch'], 'column-1': ['until'] });
    expect(textOf(await asked(id, '1 row cannot be used.'))).toContain('Row 2: The column “Open” cannot be \\"late\\".');
  });

  it('V7: starts again with the table and the places of its columns that were given before', async () => {
    const id = await create('Variants from a table');
    const rows = 'The branch,Open\nHarbour,21:00';
    await press(id, (await asked(id, /which rows/)).surfaceId, 'next', { film: [film.id], rows });
    const columns = await asked(id, 'Which column goes where?');
    await press(id, columns.surfaceId, 'next', { 'column-0': ['until'], 'column-1': ['branch'] });
    script.set('Harbour,21:00', ['never']);
    script.set('21:00,Harbour', ['never']);
    await press(id, (await asked(id, /^Make 1 video/)).surfaceId, 'make');
    await vi.waitFor(() => expect(requests.size).toBe(1));
    await people().stop(id);
    await ended(id, 'stopped');
    await people().retry(id);
    const again = await asked(id, 'Which film, and which rows?');
    expect(again.data).toMatchObject({ film: [film.id], rows });
    await press(id, again.surfaceId, 'next', { film: [film.id], rows });
    expect((await asked(id, 'Which column goes where?')).data).toEqual({ 'column-0': ['until'], 'column-1': ['branch'] });
  });

  it('V7: shows the table again to be changed, as it was entered', async () => {
    const id = await create('Variants from a table');
    await press(id, (await asked(id, /which rows/)).surfaceId, 'next', { film: [film.id], rows: table });
    await press(id, (await asked(id, /cannot be used/)).surfaceId, 'change');
    expect(textOf(await asked(id, /which rows/))).toContain('Mill,late');
  });
});

describe('a schedule', () => {
  const weekly = {
    ...{ film: [film.id], name: '', when: ['* * 1'], time: '17:00', cron: '', zone: 'Europe/Berlin', keep: '5' },
    ...{ data: ['address'], table: '', address: 'https://sky.example/hours.csv', delivery: ['folder'], folder: 'exports/foyer' },
  };

  it('V7 T10: shows the next three times, and makes the schedule once, also after a restart', async () => {
    const id = await create('A schedule');
    const form = await asked(id, 'Which film, and when?');
    await press(id, form.surfaceId, 'next', weekly);
    const before = await asked(id, 'Make “Open late” at these times?');
    await projects.shutdown();
    start();
    await projects.recover();
    const confirm = await asked(id, 'Make “Open late” at these times?');
    expect(confirm.surfaceId).toBe(before.surfaceId);
    for (const text of [
      'Open late: Mondays at 17:00',
      '2 videos each time. The videos of the newest 5 runs are kept. They are saved in exports/foyer.',
      'Monday, 4 January 2027 at 17:00',
      'Monday, 18 January 2027 at 17:00',
    ])
      expect(textOf(confirm)).toContain(text);
    expect([schedules.size, checkedSchedules]).toEqual([0, [expect.objectContaining({ cron: '0 17 * * 1' })]]);
    await press(id, confirm.surfaceId, 'make');
    const { content, text } = await ended(id, 'done');
    expect(content).toBe('“Open late” is scheduled. Its next run is on Monday, 4 January 2027 at 17:00 (Europe/Berlin).');
    expect(text).toContain('/schedules');
    expect([...schedules.values()]).toEqual([
      {
        ...{ name: 'Open late', projectId: film.id, cron: '0 17 * * 1', timeZone: 'Europe/Berlin', keep: 5, catchUp: true },
        source: { type: 'address', url: 'https://sky.example/hours.csv' },
        ...{ delivery: { type: 'folder', folder: 'exports/foyer' }, render: expect.any(Object) },
      },
    ]);
    const verbs = ['Looked for films', 'Checked the schedule', 'Read the film’s parameters', 'Made a schedule'];
    expect((await steps(id)).map(({ verb }) => verb)).toEqual(verbs);
  });

  it('V7 T10: begins with the time zone of the person, or else with Koda’s', async () => {
    const form = async (hints: object) => (await asked(await create('A schedule', hints), 'Which film, and when?')).data;
    expect(await form({ timeZone: 'Asia/Tokyo' })).toMatchObject({ zone: 'Asia/Tokyo' });
    expect(await form({})).toMatchObject({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  });

  it('V7 T10: asks which column of its table goes where if the headings have other names than the parameters', async () => {
    headings = ['The branch', 'Street'];
    const id = await create('A schedule');
    await press(id, (await asked(id, 'Which film, and when?')).surfaceId, 'next', weekly);
    const columns = await asked(id, 'Which column goes where?');
    await press(id, columns.surfaceId, 'next', { 'column-0': ['branch'], 'column-1': ['left-out'] });
    await press(id, (await asked(id, 'Make “Open late” at these times?')).surfaceId, 'make');
    await ended(id, 'done');
    const source = { type: 'address', url: 'https://sky.example/hours.csv', columns: { branch: 'The branch' } };
    expect(checkedSchedules.at(-1)).toMatchObject({ source });
    expect([...schedules.values()]).toEqual([expect.objectContaining({ source })]);
  });

  it('V7 T10: says what is wrong in its form, and keeps what was entered', async () => {
    const id = await create('A schedule');
    let { surfaceId } = await asked(id, 'Which film, and when?');
    const refused = async (change: object, ...texts: string[]) => {
      await press(id, surfaceId, 'next', { ...weekly, ...change });
      const again = await vi.waitFor(async () => {
        const form = await asked(id, 'Which film, and when?');
        for (const text of texts) expect(textOf(form)).toContain(text);
        return form;
      });
      expect(again.surfaceId).not.toBe(surfaceId);
      surfaceId = again.surfaceId;
      expect(again.data).toMatchObject(change);
    };
    await refused({ film: [], time: 'late', keep: '0' }, 'Film: choose one.', '“late” is not a time.', 'from 1 to 100');
    await refused({ when: ['own'], cron: '0 6 30 2 *' }, 'February has no 30th.');
    await refused({ zone: 'Mars' }, 'There is no time zone');
    await refused({ data: ['table'], table: 'branch,until' }, 'The table has no rows.');
    await refused({ address: 'hours' }, 'starts with https://');
    await refused({ folder: '/etc' }, 'Nothing may be saved in /etc');
    expect(schedules.size).toBe(0);
    await press(id, surfaceId, 'cancel');
    expect(await ended(id, 'done')).toMatchObject({ content: 'Nothing was changed.' });
  });
});

it('V7: asks which job is meant, and says what words need', async () => {
  const id = await create('Make me a sandwich');
  await vi.waitFor(async () => expect((await stores.projects.state(id)).approval?.options).toHaveLength(4));
  await people().answer(id, { optionId: 'sizes' });
  await asked(id, 'Which film, and in which sizes?');
  await people().message(id, 'the upright one please');
  await vi.waitFor(async () => expect(textOf(await asked(id, /which sizes/))).toContain('Words need a language model.'));
});
