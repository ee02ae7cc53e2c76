import { expect, it } from 'vitest';
import { toolContextOver } from '../../test/fixtures/tool-context.ts';
import { formatInfos } from '../kinds/film/set-scenes.ts';
import { requestApproval } from './communication.ts';
import { listFormats, setScenes } from './formats.ts';

const formats = async () => formatInfos();
const input = {
  ...{ title: 'Film', style: 'smooth', theme: 'studio', aspect: '16:9', fps: 60 },
  scenes: [{ format: 'quote', props: {} }],
};

it('A4: lists formats by purpose, and one format with its fields', async () => {
  const context = toolContextOver({}, { formats });
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
  const problems = ['Scene 1, text: too long.', 'Scene 2, format: unknown.'];
  const answer = await setScenes.call(input, toolContextOver({}, { setScenes: async () => ({ problems }) }));
  expect(answer).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining(problems.join(' ')),
    details: { problems },
  });
});

it('A4: allows a plan approval without an outline only after set_scenes', async () => {
  const ask = (draft: null | 'film') => {
    const parts = {
      draftPlan: async () => draft as never,
      requestApproval: async ({ plan }: { plan: unknown }) => ({ outcome: 'changes' as const, text: String(plan) }),
    };
    return requestApproval.call({ type: 'plan', content: 'A plan.' }, toolContextOver({}, parts));
  };
  expect(await ask(null)).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('set_scenes') });
  expect(await ask('film')).toMatchObject({ status: 'completed', output: { text: 'film' } });
});
