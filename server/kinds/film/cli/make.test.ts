import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { type Route, routes, routeUrl } from '#contract/routes.ts';
import { filmRoutes } from '#kinds/film/contract/routes.ts';
import { sampleSettings } from '../../../../test/fixtures/renders.ts';
import type { StudioClient } from '../../../cli/client.ts';
import { renderAndSave } from '../../../cli/render.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { type MakeOptions, make } from './make.ts';

const options: MakeOptions = {
  prompt: 'a red ball bounces',
  words: { show: [], leaveOut: [], follow: [], as: [] },
  yes: true,
  final: true,
  json: false,
  out: null,
  style: null,
  aspect: null,
  durationSeconds: null,
  render: { kind: 'final' },
};

const noReading = { spans: [], film: null, drawing: null };
const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 };

/** Answers requests of a reading with an empty one, and all others with `answer`. */
const answering =
  (answer: (route: Route, given: { body?: unknown }) => unknown) =>
  async (route: Route, given: { body?: unknown }): Promise<unknown> =>
    route === filmRoutes.read ? noReading : answer(route, given);

/** Creates a studio that responds to every request. The user presses Ctrl+C during the first one. */
function setUp() {
  const requests: string[] = [];
  const interrupt = new AbortController();
  const answer = async (line: string) => {
    requests.push(line);
    if (line === 'POST /api/readings') return noReading;
    if (line.startsWith('POST')) interrupt.abort();
    return { id: 'the_id', seq: 0, settings: sampleSettings(), usage: noUsage };
  };
  const client = {
    address: 'http://studio',
    call: (route: Route, input: object) => answer(`${route.method.toUpperCase()} ${routeUrl(route, input)}`),
    // biome-ignore lint/correctness/useYield: no events yet
    events: async function* () {
      interrupt.signal.throwIfAborted();
    },
  } as unknown as StudioClient;
  const terminal = { note: () => undefined, result: () => undefined, progress: () => undefined } as unknown as Terminal;
  return { requests, context: { client, terminal, signal: interrupt.signal } };
}

it('46.4: tells the studio the frame rate and size of the video that is ordered', async () => {
  const { context } = setUp();
  const bodies: unknown[] = [];
  const client = {
    ...context.client,
    call: answering((route, given) => {
      if (route === routes.createProject) bodies.push(given.body);
      return { id: 'prj_x', usage: noUsage };
    }),
    events: async function* () {
      yield { type: 'error', code: 'LLM_CONNECTION', message: 'The end.', canRetry: true };
    },
  } as unknown as StudioClient;
  for (const render of [{ kind: 'final', fps: 30, resolution: '720p' }, { kind: 'final' }] as const)
    await expect(make({ ...options, render }, { ...context, client })).rejects.toThrow('The end.');
  const look = { style: null, aspect: null, durationSeconds: null };
  expect(bodies).toEqual([
    { prompt: options.prompt, hints: { ...look, video: { fps: 30, resolution: '720p' } } },
    { prompt: options.prompt, hints: look },
  ]);
});

describe('Ctrl+C', () => {
  it('A10: stops the project that is being created', async () => {
    const { requests, context } = setUp();
    await expect(make(options, context)).rejects.toThrow();
    expect(requests).toContain('POST /api/projects/the_id/stop');
  });

  it('A18: cancels the render that is being queued', async () => {
    const { requests, context } = setUp();
    await expect(renderAndSave('prj_x', { kind: 'final' }, null, context)).rejects.toThrow();
    expect(requests).toContain('DELETE /api/renders/the_id');
  });
});

describe('koda make', () => {
  it('T17: prints the model usage at the end, even after a failure', async () => {
    const { context } = setUp();
    const notes: string[] = [];
    const client = {
      ...context.client,
      call: answering(() => ({ id: 'prj_x', usage: { ...noUsage, inputTokens: 900, outputTokens: 100, costUsd: 1.5 } })),
      events: async function* () {
        yield { type: 'error', code: 'LLM_CONNECTION', message: 'The model is not responding.', canRetry: true };
      },
    } as unknown as StudioClient;
    const terminal = { ...context.terminal, note: (line: string) => notes.push(line) } as unknown as Terminal;
    await expect(make(options, { ...context, client, terminal })).rejects.toMatchObject({ code: 'LLM_CONNECTION' });
    expect(notes.at(-1)).toBe('Model: 1,000 tokens (900 in; 100 out), $1.50');
  });

  it('T17: an unreachable studio does not hide the cause of a failure', async () => {
    const { context } = setUp();
    const client = {
      ...context.client,
      call: answering((route) => {
        if (route.method === 'get') throw new KodaError('SERVICE_UNAVAILABLE', 'gone');
        return { id: 'prj_x' };
      }),
      events: async function* () {
        yield { type: 'error', code: 'LLM_CONNECTION', message: 'The model is not responding.', canRetry: true };
      },
    } as unknown as StudioClient;
    await expect(make(options, { ...context, client })).rejects.toMatchObject({ code: 'LLM_CONNECTION' });
  });

  it.each([
    ['', 'refuse'],
    ['yes', 'refuse'],
    ['allow', 'allow'],
    ['always', 'always'],
  ])('M2: shows all that a call sends, and takes the answer %j for %s', async (typed, optionId) => {
    const { context } = setUp();
    const notes: string[] = [];
    const answers: unknown[] = [];
    const input = JSON.stringify({ text: `logo${' '.repeat(1_600)}sk-secret\u202e` });
    const approval = {
      ...{ id: newId('apr'), type: 'permission', content: 'May Koda use the tool echo of the server brand?', planId: null },
      options: ['allow', 'always', 'refuse'].map((id) => ({ id, label: id })),
      permission: { server: 'brand', tool: 'echo', digest: 'd', input, sizeBytes: input.length, reason: 'first' },
    };
    const client = {
      ...context.client,
      call: answering((route, given) => {
        if (route === routes.answerQuestion) answers.push(given.body);
        return { id: 'prj_x', usage: noUsage };
      }),
      events: async function* () {
        yield { type: 'approval.requested', approval };
        yield { type: 'error', code: 'LLM_CONNECTION', message: 'The end.', canRetry: true };
      },
    } as unknown as StudioClient;
    const terminal = {
      ...context.terminal,
      note: (line: string) => notes.push(line),
      // The first question is about the reading.
      ask: async (question: string) => (question.startsWith('Press Enter') ? '' : typed),
    } as unknown as Terminal;
    await expect(make({ ...options, yes: false }, { ...context, client, terminal })).rejects.toThrow('The end.');
    expect(notes.join('\n')).toContain('"text": "logo⟨␣×1,600⟩sk-secret⟨U+202E⟩"');
    expect(answers).toEqual([{ approvalId: approval.id, optionId }]);
  });

  it('preserves the error code of a failure, so that the exit code is right', async () => {
    const { context } = setUp();
    const client = {
      ...context.client,
      call: answering(() => ({ id: 'prj_x', usage: noUsage })),
      events: async function* () {
        yield { type: 'error', code: 'LLM_CONNECTION', message: 'The model is not responding.', canRetry: true };
      },
    } as unknown as StudioClient;
    const failure = make(options, { ...context, client });
    await expect(failure).rejects.toBeInstanceOf(KodaError);
    await expect(failure).rejects.toMatchObject({ code: 'LLM_CONNECTION', message: expect.stringContaining('prj_x') });
  });
});
