import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { type Route, routeUrl } from '#contract/routes.ts';
import { sampleSettings } from '../../test/fixtures/renders.ts';
import type { StudioClient } from './client.ts';
import { type MakeOptions, make } from './make.ts';
import { renderAndSave } from './render.ts';
import type { Terminal } from './terminal.ts';

const options: MakeOptions = {
  prompt: 'a red ball bounces',
  yes: true,
  out: null,
  style: null,
  aspect: null,
  durationSeconds: null,
  render: { kind: 'final' },
};

const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 };

/** Creates a studio that responds to every request. The user presses Ctrl+C during the first one. */
function setUp() {
  const requests: string[] = [];
  const interrupt = new AbortController();
  const answer = async (line: string) => {
    requests.push(line);
    if (line.startsWith('POST')) interrupt.abort();
    return { id: 'the_id', seq: 0, settings: sampleSettings(), usage: noUsage };
  };
  const client = {
    url: 'http://studio',
    call: (route: Route, input: object) => answer(`${route.method.toUpperCase()} ${routeUrl(route, input)}`),
    // biome-ignore lint/correctness/useYield: no events yet
    events: async function* () {
      interrupt.signal.throwIfAborted();
    },
  } as unknown as StudioClient;
  const terminal = { note: () => undefined, result: () => undefined, progress: () => undefined } as unknown as Terminal;
  return { requests, context: { client, terminal, signal: interrupt.signal } };
}

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
      call: async () => ({ id: 'prj_x', usage: { ...noUsage, inputTokens: 900, outputTokens: 100, costUsd: 1.5 } }),
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
      call: async (route: Route) => {
        if (route.method === 'get') throw new KodaError('SERVICE_UNAVAILABLE', 'gone');
        return { id: 'prj_x' };
      },
      events: async function* () {
        yield { type: 'error', code: 'LLM_CONNECTION', message: 'The model is not responding.', canRetry: true };
      },
    } as unknown as StudioClient;
    await expect(make(options, { ...context, client })).rejects.toMatchObject({ code: 'LLM_CONNECTION' });
  });

  it('preserves the error code of a failure, so that the exit code is right', async () => {
    const { context } = setUp();
    const client = {
      ...context.client,
      call: async () => ({ id: 'prj_x', usage: noUsage }),
      events: async function* () {
        yield { type: 'error', code: 'LLM_CONNECTION', message: 'The model is not responding.', canRetry: true };
      },
    } as unknown as StudioClient;
    const failure = make(options, { ...context, client });
    await expect(failure).rejects.toBeInstanceOf(KodaError);
    await expect(failure).rejects.toMatchObject({ code: 'LLM_CONNECTION', message: expect.stringContaining('prj_x') });
  });
});
