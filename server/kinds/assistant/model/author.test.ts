import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProjectRequestSchema } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import type { Render } from '#contract/render.ts';
import type { Schedule, ScheduleRequest } from '#contract/schedules.ts';
import { readSurface } from '#contract/surface/messages.ts';
import { stateOf, stepsOf } from '#kinds/assistant/contract/assistant.ts';
import { kindProjects } from '../../../../test/fixtures/kind-projects.ts';
import { tempStores } from '../../../../test/fixtures/storage.ts';
import { localPerson } from '../../../access/access.ts';
import type { JsonAnswer, JsonRequest } from '../../../projects/author.ts';
import type { ProjectService } from '../../../projects/commands.ts';
import { assistantKind } from '../kind.ts';
import type { ActingStudio } from '../studio.ts';
import { jsonPath } from './author.ts';

const film = { id: newId('prj'), name: 'Open late', aspect: '16:9', seconds: 12 } as const;
const sure = { intent: 'A square video', missing: [], confidence: 0.9 };
const list = { ...sure, says: 'Looking.', call: { tool: 'list_films', input: {} } };
const form = {
  ...sure,
  says: 'Which film?',
  show: {
    title: 'A square video',
    parts: [
      { component: 'Select', id: 'film', label: 'Film', options: [{ value: film.id, label: 'Open late' }] },
      { component: 'TextInput', id: 'note', label: 'Note', optional: true },
    ],
    buttons: [{ id: 'make', label: 'Make 1 video', runs: 'render_videos', primary: true }],
  },
};
const render = (count = 1) => ({
  ...sure,
  says: 'Making it.',
  call: {
    tool: 'render_videos',
    input: { film: film.id, videos: Array.from({ length: count }, (_, n) => ({ label: `v${n}`, aspect: '1:1' })) },
  },
});
const end = { ...sure, says: 'It is ready.', end: true };

type Scripted = object | string | ((request: JsonRequest) => object);

let stores: ReturnType<typeof tempStores>;
let projects: ProjectService;
let script: Scripted[];
let asked: JsonRequest[];
let started: string[];
let failure: Error | null;

const studio = {
  films: async () => [film],
  async startRender(_film: string, _request: object, id: string) {
    started.push(id);
    return { id } as Render;
  },
  render: async (id: string) => ({ id, percent: 0 }) as Render,
  waitForRender: async (id: string) =>
    ({ id, status: 'complete', videoUrl: `/storage/renders/${id}/video.mp4`, probe: { sizeBytes: 5 } }) as Render,
  async createSchedule({ name }: ScheduleRequest, id: string) {
    started.push(id);
    return { id, name, nextRunAt: null } as Schedule;
  },
  table: async () => `title\n${'Hello\n'.repeat(2_000)}`,
  projects: async () => [{ id: film.id, name: film.name, kind: 'film', phase: 'complete' }],
  async storage() {
    throw failure ?? new Error('not part of this test');
  },
  async createProject(_project: object, id: string) {
    started.push(id);
    throw new KodaError('FORBIDDEN', 'This person may not make projects.');
  },
} as Partial<ActingStudio> as ActingStudio;

async function ask(request: JsonRequest): Promise<JsonAnswer> {
  asked.push(request);
  const next = script.shift() ?? end;
  if (typeof next === 'string') return { problem: next, isDeclined: false };
  return { value: typeof next === 'function' ? next(request) : next };
}

function start(): void {
  const author = jsonPath(async () => studio).author(ask, { kind: 'test', name: 'test' });
  ({ projects } = kindProjects(
    assistantKind(async () => studio),
    stores,
    { author },
  ));
}
beforeEach(() => {
  stores = tempStores();
  [script, asked, started, failure] = [[], [], [], null];
  start();
});
afterEach(async () => {
  await projects.shutdown();
  stores[Symbol.dispose]();
});

const signal = new AbortController().signal;
const people = () => projects.as(localPerson);
const create = async (prompt: string) =>
  (await people().create(createProjectRequestSchema.parse({ prompt, kind: 'assistant' }))).id;

async function open(id: string, content: string) {
  return await vi.waitFor(async () => {
    const { approval, project } = await stores.projects.state(id);
    expect([approval?.content, project.error?.message]).toEqual([expect.stringContaining(content), undefined]);
    expect(project.running).toBe(false);
    return approval;
  });
}
async function shown(id: string, content: string) {
  const read = readSurface((await open(id, content))?.surface ?? []);
  if (!read.ok) throw new Error(read.issue.message);
  return read.value;
}
const press = (id: string, surfaceId: string, sourceComponentId: string, parameters: Record<string, unknown> = {}) =>
  people().runAction(id, { id: 'submit', parameters, button: { surfaceId, sourceComponentId } }, { signal });
async function ended(id: string, state: string) {
  return await vi.waitFor(async () => {
    const snapshot = await stores.projects.snapshot(id);
    expect([stateOf(snapshot), snapshot.project.running]).toEqual([state, false]);
    return snapshot;
  });
}
const lastRequest = () => asked.at(-1)?.message ?? '';

describe('the assistant with a language model', () => {
  it('V7: looks, shows a form, calls the tool that the pressed button names, and shows the result', async () => {
    const result = { title: 'Ready', parts: [{ component: 'Table', caption: 'Videos', columns: ['File'], rows: [['/a.mp4']] }] };
    script = [list, form, render(), { ...end, show: result }];
    const id = await create('Make Open late square');
    const { surfaceId, components } = await shown(id, 'Which film?');
    expect(components.get('cancel')).toMatchObject({ component: 'Button' });
    await press(id, surfaceId, 'make', { film: [film.id], note: 'soon' });
    const { messages, tools } = await ended(id, 'done');
    expect(messages.at(-1)).toMatchObject({ content: 'It is ready.', surface: expect.arrayContaining([]) });
    expect(stepsOf({ tools }).map(({ verb }) => verb)).toEqual(['Looked for films', 'Made videos']);
    expect(started).toHaveLength(1);
    expect(asked[0]?.message).toContain(`- ${film.id} “Open late” (film, complete, 16:9, 12 s)`);
    expect(asked[1]?.message).toContain('You called list_films with {}.');
    expect(lastRequest()).toContain('The person pressed “Make 1 video” with {"film":');
    expect(lastRequest()).toContain('"note":"soon"');
    expect(lastRequest()).toContain('/video.mp4');

    await people().message(id, 'Thank you');
    await vi.waitFor(() => expect(lastRequest()).toContain('The request:\nThank you'));
    expect(lastRequest()).toContain('You: It is ready. (with the interface ');
    expect(lastRequest()).toContain('- Which film?: {"outcome":"submitted","button":"make"');
  });

  it('V7: keeps what was entered when a form comes again, and takes an answer in words', async () => {
    script = [form, form];
    const id = await create('Make Open late square');
    const first = await shown(id, 'Which film?');
    await press(id, first.surfaceId, 'make', { film: [film.id], note: 'soon' });
    const again = await vi.waitFor(async () => {
      const next = await shown(id, 'Which film?');
      expect(next.surfaceId).not.toBe(first.surfaceId);
      return next;
    });
    expect(again.data).toMatchObject({ film: [film.id], note: 'soon' });
    await people().message(id, 'The other one, please');
    await ended(id, 'done');
    expect(lastRequest()).toContain('Instead of a button, the person wrote: The other one, please');
  });

  it.each([
    ['no button was pressed', [render()]],
    ['the button names another number', [form, render(2)]],
  ])('V7: asks in its own words before it makes something if %s', async (_, steps) => {
    script = [...steps];
    const id = await create('Make Open late square');
    if (steps.length > 1) await press(id, (await shown(id, 'Which film?')).surfaceId, 'make', { film: [film.id] });
    await open(id, `Making ${steps.length === 1 ? '1 video' : '2 videos'}. Go on?`);
    expect(started).toEqual([]);
    await people().answer(id, { optionId: 'no' });
    await ended(id, 'done');
    expect(started).toEqual([]);
    expect(lastRequest()).toContain('The person did not want it.');
  });

  const daily = { film: film.id, name: 'Foyer', cron: '5 17 * * *', time_zone: 'Europe/Berlin', folder: 'exports/foyer' };
  const schedule = { ...sure, says: 'Making it.', call: { tool: 'make_schedule', input: daily } };
  const scheduleForm = (label: string) => ({
    ...form,
    show: { ...form.show, buttons: [{ id: 'make', label, runs: 'make_schedule', primary: true }] },
  });

  it('V7 T10: makes the schedule whose times the pressed button names', async () => {
    script = [scheduleForm('Make it each day at 17:05'), schedule, end];
    const id = await create('Open late each day');
    await press(id, (await shown(id, 'Which film?')).surfaceId, 'make', { film: [film.id] });
    await ended(id, 'done');
    expect(started).toEqual([expect.stringMatching(/^sch_/)]);
  });

  it.each([
    ['the button names another time', [scheduleForm('Make it each day at 18:05'), schedule]],
    [
      'a table was fetched, which others wrote',
      [
        { ...sure, says: 'Reading.', call: { tool: 'fetch_table', input: { address: 'https://sky.example/hours.csv' } } },
        scheduleForm('Make it each day at 17:05'),
        schedule,
      ],
    ],
  ])('V7 T10: asks in its own words before it makes a schedule if %s', async (_, steps) => {
    script = [...steps];
    const id = await create('Open late each day');
    await press(id, (await shown(id, 'Which film?')).surfaceId, 'make', { film: [film.id] });
    await open(id, 'Making the schedule “Foyer”: Every day at 17:05 (Europe/Berlin), saved in exports/foyer. Go on?');
    expect(started).toEqual([]);
    if (steps.length > 2) expect(lastRequest()).toContain('"left_out_characters":4009');
    await people().answer(id, { optionId: 'no' });
    await ended(id, 'done');
    expect(started).toEqual([]);
  });

  it('V9: asks first if the model is unsure or says that something is missing', async () => {
    script = [{ ...render(), confidence: 0.2 }, form, { ...render(), missing: ['the film'] }, end];
    const id = await create('Do it');
    const { surfaceId } = await shown(id, 'Which film?');
    expect(asked[1]?.message).toContain('You are not sure what the person wants.');
    await press(id, surfaceId, 'make', { film: [film.id] });
    await ended(id, 'done');
    expect(lastRequest()).toContain('You say that this is missing: the film.');
    expect(started).toEqual([]);
  });

  it('V4 V7: tries neither what is forbidden nor what has failed again, and stops after three failures in a row', async () => {
    const make = { ...sure, says: 'Starting.', call: { tool: 'make_project', input: { kind: 'film', request: 'Rain' } } };
    script = [make, make, end];
    const id = await create('A film about rain');
    await open(id, 'Starting a film. Go on?');
    await people().answer(id, { optionId: 'yes' });
    await ended(id, 'done');
    expect(started).toHaveLength(1);
    expect(lastRequest()).toContain('Do not call make_project like that again: This person may not make projects.');

    failure = new KodaError('NOT_FOUND', 'Gone.');
    const look = { ...sure, says: 'Looking.', call: { tool: 'measure_storage', input: {} } };
    script = [
      look,
      { ...look, call: { ...look.call, input: { again: 1 } } },
      { ...look, call: { ...look.call, input: { again: 2 } } },
    ];
    await people().message(id, 'What do I have?');
    const { project } = await ended(id, 'failed');
    expect(project.error).toMatchObject({ code: 'MAX_RETRIES', message: expect.stringContaining('Three attempts failed.') });
  });

  it('V9: makes an error of two answers that make no sense, and keeps the conversation', async () => {
    script = ['The model answered in prose.', { ...sure, says: 'x', call: { tool: 'rm', input: {} } }];
    const id = await create('Make Open late square');
    const { project } = await ended(id, 'failed');
    expect(project.error).toMatchObject({ code: 'LLM_RESPONSE', message: expect.stringContaining('made no sense twice') });
    script = [form];
    await people().retry(id);
    await shown(id, 'Which film?');
  });

  it('V7: goes on after a restart where the person was asked, without asking the model again', async () => {
    script = [list, form, render(), end];
    const id = await create('Make Open late square');
    const { surfaceId } = await shown(id, 'Which film?');
    await projects.shutdown();
    start();
    await projects.recover();
    await press(id, surfaceId, 'make', { film: [film.id] });
    await ended(id, 'done');
    expect(asked).toHaveLength(4);
    expect(started).toHaveLength(1);
  });

  it('V7: refuses a form that cannot be drawn, and lists the tools, what they take and what they return', async () => {
    script = [{ ...form, show: { ...form.show, parts: [{ component: 'Iframe', src: 'x' }] } }, form];
    await shown(await create('Make Open late square'), 'Which film?');
    expect(lastRequest()).toContain('show.parts.0');
    expect(asked[0]?.system).toContain('- list_films (only reads)');
    expect(asked[0]?.system).toContain('Input: { film: string, videos: ({ aspect?: "16:9"');
    expect(asked[0]?.system).not.toContain('- show_surface');
  });
});
