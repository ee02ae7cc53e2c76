import { expect, it } from 'vitest';
import type { Plan } from '#contract/project.ts';
import { toolContextOver } from '../../../test/fixtures/tool-context.ts';
import { planFilm } from './author/plan-film.ts';
import { planOf } from './document/document.ts';
import { filmTools } from './tools.ts';

const toolNamed = (name: string) => {
  const tool = filmTools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
};
const listFormats = toolNamed('list_formats');
const setScenes = toolNamed('set_scenes');
const requestApproval = toolNamed('request_approval');
const hints = { style: null, aspect: null, durationSeconds: null };
const input = {
  ...{ title: 'Film', style: 'smooth', theme: 'studio', aspect: '16:9', fps: 60 },
  scenes: [{ format: 'quote', props: {} }],
};

it('A4: lists formats by purpose, and one format with its fields', async () => {
  const context = toolContextOver({});
  const all = await listFormats.call({}, context);
  expect(all).toMatchObject({
    status: 'completed',
    output: { formats: expect.stringMatching(/^quote: .*stars\?:int 1-5/m) },
  });
  expect(await listFormats.call({ id: 'quote' }, context)).toMatchObject({
    output: {
      id: 'quote',
      fields: expect.stringContaining('emphasis?:60 (phrase of the text'),
      example: { author: 'Inés Okafor' },
    },
  });
  expect(await listFormats.call({ id: 'gantt' }, context)).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('bar-chart'),
  });
});

it('A4: invalid scenes change nothing, and every problem is named', async () => {
  const project = async () => ({ plan: null, todos: [], assets: [] });
  const scenes = [
    { format: 'quote', props: { text: '' } },
    { format: 'gantt', props: {} },
  ];
  const answer = await setScenes.call({ ...input, scenes }, toolContextOver({}, { project }));
  expect(answer).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringMatching(/Scene 1, text: .* Scene 2, format: there is no "gantt"/s),
  });
});

it('A4: corrects the slips of a model, and says what it left out', async () => {
  const project = async () => ({ plan: null, todos: [], assets: [] });
  const updatePlan = async () => undefined;
  const slips = { ...input, fps: '60', scenes: [{ type: 'Lower Third', fields: { name: 'Ada Lovelace', mood: 'calm' } }] };
  expect(await setScenes.call(JSON.stringify(slips), toolContextOver({}, { project, updatePlan }))).toMatchObject({
    status: 'completed',
    output: { scenes: [{ format: 'lower-third' }], notes: ['Scene 1, mood: there is no such field, so it was left out.'] },
  });
});

it('A4: says what a film needs, in sentences', async () => {
  const scenes = [{ title: 'A dance' }, { code: true, title: 'A dance', description: 'Two dance.' }];
  const answer = await setScenes.call({ ...input, fps: 24, theme: 'beige', scenes }, toolContextOver({}));
  expect(answer).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: {
      problems: [
        expect.stringMatching(/^theme must be one of paper, studio, .*\.$/),
        'fps must be 30 or 60.',
        'scene 1 needs `format` or `code`.',
        'scene 2 is not valid: seconds is missing.',
      ],
    },
  });
});

it('A4: allows a plan approval without an outline only after set_scenes', async () => {
  const { film } = planFilm({ ...{ prompt: 'Good morning', answers: [], assets: [], seed: 1 }, hints });
  const stored: Plan = { ...planOf(film), id: 'plan_1', revision: 1, accepted: false };
  const ask = (plan: Plan | null) => {
    const parts = {
      project: async () => ({ plan, todos: [], assets: [] }),
      requestApproval: async (request: { plan: { title: string } | null }) => ({
        ...{ outcome: 'changes' as const, text: request.plan?.title ?? '' },
      }),
    };
    return requestApproval.call({ type: 'plan', content: 'A plan.' }, toolContextOver({}, parts));
  };
  expect(await ask(null)).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('plan') });
  expect(await ask(stored)).toMatchObject({ status: 'completed', output: { text: stored.title } });
});

it('46.3: checks the film without returning the parameters that its code declares', async () => {
  const info = {
    durationSeconds: 4,
    width: 1920,
    height: 1080,
    fps: 60,
    scenes: [],
    audio: [],
    parameters: [{ name: 'secret' }],
  };
  const context = toolContextOver(
    {},
    {
      checkAll: async () => ({ problems: [], warnings: [], differences: [], info, contactSheet: null, failure: null }),
    },
  );
  const result = await toolNamed('check_animation').call({}, context);
  expect(result).toMatchObject({ status: 'completed', output: { ok: true, info: { durationSeconds: 4, fps: 60 } } });
  expect(JSON.stringify(result)).not.toContain('secret');
});
