import { describe, expect, it } from 'vitest';
import { sampleSettings } from '../../test/fixtures/renders.ts';
import { KodaError } from '../contract/errors.ts';
import { type Route, routeUrl } from '../contract/routes.ts';
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

/** A studio that answers every request, during the first of which the user presses Ctrl+C. */
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
    // biome-ignore lint/correctness/useYield: nothing happened yet
    events: async function* () {
      interrupt.signal.throwIfAborted();
    },
  } as unknown as StudioClient;
  const terminal = { note: () => undefined, result: () => undefined, progress: () => undefined } as unknown as Terminal;
  return { requests, session: { client, terminal, signal: interrupt.signal } };
}

describe('Ctrl+C on the command line', () => {
  it('A10: stops the project that was being created', async () => {
    const { requests, session } = setUp();
    await expect(make(options, session)).rejects.toThrow();
    expect(requests).toContain('POST /api/projects/the_id/stop');
  });

  it('A18: cancels the render that was being queued', async () => {
    const { requests, session } = setUp();
    await expect(renderAndSave('prj_x', { kind: 'final' }, null, session)).rejects.toThrow();
    expect(requests).toContain('DELETE /api/renders/the_id');
  });
});

describe('koda make', () => {
  it('T17: ends with what the model used, also when the film came to nothing', async () => {
    const { session } = setUp();
    const notes: string[] = [];
    const client = {
      ...session.client,
      call: async () => ({ id: 'prj_x', usage: { ...noUsage, inputTokens: 900, outputTokens: 100, costUsd: 1.5 } }),
      events: async function* () {
        yield { type: 'error', code: 'LLM_CONNECTION', message: 'The model does not answer.', canRetry: true };
      },
    } as unknown as StudioClient;
    const terminal = { ...session.terminal, note: (line: string) => notes.push(line) } as unknown as Terminal;
    await expect(make(options, { ...session, client, terminal })).rejects.toMatchObject({ code: 'LLM_CONNECTION' });
    expect(notes.at(-1)).toBe('Model: 1,000 tokens (900 in; 100 out), $1.50');
  });

  it('T17: a studio that has gone does not hide the reason of a failure', async () => {
    const { session } = setUp();
    const client = {
      ...session.client,
      call: async (route: Route) => {
        if (route.method === 'get') throw new KodaError('SERVICE_UNAVAILABLE', 'gone');
        return { id: 'prj_x' };
      },
      events: async function* () {
        yield { type: 'error', code: 'LLM_CONNECTION', message: 'The model does not answer.', canRetry: true };
      },
    } as unknown as StudioClient;
    await expect(make(options, { ...session, client })).rejects.toMatchObject({ code: 'LLM_CONNECTION' });
  });

  it('tells a failure with the code it has, so that the exit code is right', async () => {
    const { session } = setUp();
    const client = {
      ...session.client,
      call: async () => ({ id: 'prj_x', usage: noUsage }),
      events: async function* () {
        yield { type: 'error', code: 'LLM_CONNECTION', message: 'The model does not answer.', canRetry: true };
      },
    } as unknown as StudioClient;
    const failure = make(options, { ...session, client });
    await expect(failure).rejects.toBeInstanceOf(KodaError);
    await expect(failure).rejects.toMatchObject({ code: 'LLM_CONNECTION', message: expect.stringContaining('prj_x') });
  });
});
