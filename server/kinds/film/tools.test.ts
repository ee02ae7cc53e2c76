import { expect, it } from 'vitest';
import type { Plan } from '#contract/project.ts';
import { toolContextOver } from '../../../test/fixtures/tool-context.ts';
import { requestApproval } from '../../tools/communication.ts';
import { planOf } from './document.ts';
import { planFilm } from './plan-film.ts';
import { filmTools } from './tools.ts';

const toolNamed = (name: string) => {
  const tool = filmTools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
};
const listFormats = toolNamed('list_formats');
const setScenes = toolNamed('set_scenes');
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
    output: { formats: expect.arrayContaining([expect.objectContaining({ id: 'quote' })]) },
  });
  expect(JSON.stringify(all)).not.toContain('"schema"');
  expect(await listFormats.call({ id: 'quote' }, context)).toMatchObject({ output: { id: 'quote', schema: { type: 'object' } } });
  expect(await listFormats.call({ id: 'gantt' }, context)).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('bar-chart'),
  });
});

it('A4: invalid scenes change nothing, and every problem is named', async () => {
  const project = async () => ({ phase: 'plan' as const, plan: null, assets: [] });
  const scenes = [
    { format: 'quote', props: { text: 5 } },
    { format: 'gantt', props: {} },
  ];
  const answer = await setScenes.call({ ...input, scenes }, toolContextOver({}, { project }));
  expect(answer).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringMatching(/Scene 1, text: .* Scene 2, format: there is no "gantt"/s),
  });
});

it('A4: allows a plan approval without an outline only after set_scenes', async () => {
  const { film } = planFilm({ ...{ prompt: 'Good morning', answers: [], assets: [], seed: 1 }, hints });
  const stored: Plan = { ...planOf(film), id: 'plan_1', revision: 1, accepted: false };
  const ask = (plan: Plan | null) => {
    const parts = {
      project: async () => ({ phase: 'plan' as const, plan, assets: [] }),
      requestApproval: async (request: { plan: { title: string } | null }) => ({
        ...{ outcome: 'changes' as const, text: request.plan?.title ?? '' },
      }),
    };
    return requestApproval.call({ type: 'plan', content: 'A plan.' }, toolContextOver({}, parts));
  };
  expect(await ask(null)).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('plan') });
  expect(await ask(stored)).toMatchObject({ status: 'completed', output: { text: stored.title } });
});
