import { expect, it } from 'vitest';
import { newId } from '#contract/ids.ts';
import { stoppedByUser } from '#contract/project.ts';
import { jobNamed, stateOf, stepsOf } from './assistant.ts';

type Shown = Parameters<typeof stateOf>[0];
const call = (name: string, durationMs: number | null) => ({
  ...{ callId: name, name, label: 'Making 2 videos', summary: 'Making 2 videos', durationMs, error: null },
  startedAt: '2026-01-01T00:00:00.000Z',
});
const shown = (project: object, more: object = {}) =>
  ({ project: { phase: 'executing', error: null, ...project }, approval: null, tools: [], ...more }) as unknown as Shown;

it.each([
  ['thinking', shown({})],
  ['thinking', shown({}, { tools: [call('show_surface', null), call('render_videos', 5)] })],
  ['running', shown({}, { tools: [call('render_videos', null)] })],
  ['waiting', shown({}, { approval: {}, tools: [call('delete_videos', null)] })],
  ['done', shown({ phase: 'conversation' })],
  ['failed', shown({ phase: 'error', error: { code: 'EXECUTION_ERROR', message: 'x', canRetry: true } })],
  ['stopped', shown({ phase: 'error', error: stoppedByUser })],
] as const)('V7: is %s', (state, snapshot) => {
  expect(stateOf(snapshot)).toBe(state);
});

it('V7: lists steps with a verb, the time taken and one sentence', () => {
  const failure = { code: 'TIMEOUT', message: 'No answer after 60 s.' };
  const tools = [
    { ...call('render_videos', 231), summary: '9 of 10 videos' },
    call('show_surface', 1),
    { ...call('check_rows', 9), error: failure },
    call('render_videos', null),
  ];
  expect(stepsOf({ tools })).toMatchObject([
    { verb: 'Made videos', state: 'done', durationMs: 231, sentence: '9 of 10 videos' },
    { verb: 'Making 2 videos', state: 'failed', sentence: failure.message },
    { verb: 'Making 2 videos', state: 'running', durationMs: null, sentence: null },
  ]);
});

it('V7: names the project that a step has started or changed', () => {
  const started = { projectId: newId('prj'), name: 'Autumn sale' };
  const steps = stepsOf({ tools: [{ ...call('make_project', 5), started }, call('show_project', 5)] });
  expect(steps.map(({ work }) => work)).toEqual([started, null]);
});

it('V7: knows a job by its title alone', () => {
  expect(jobNamed(' Another size\n')?.id).toBe('sizes');
  expect(jobNamed('Another size, please')).toBeNull();
});
