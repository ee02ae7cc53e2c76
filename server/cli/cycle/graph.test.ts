import { describe, expect, it } from 'vitest';
import { type Graph, runGraph } from './graph.ts';

interface State {
  readonly attempts: number;
}

function graph(passesAt: number, trace: string[], fail: string | null = null): Graph<'SETUP' | 'WORK', State> {
  const enter = (name: string) => {
    trace.push(name);
    if (name === fail) throw new Error(`${name} failed`);
  };
  return {
    start: 'SETUP',
    maxSteps: 5,
    steps: {
      SETUP: { run: async () => enter('SETUP'), next: () => 'WORK' },
      WORK: {
        async run({ attempts }, update) {
          update({ attempts: attempts + 1 });
          enter('WORK');
        },
        next: ({ attempts }) => (attempts < passesAt ? 'WORK' : 'end'),
      },
    },
    last: {
      name: 'TEARDOWN',
      run: async ({ attempts }, failure) => void trace.push(`TEARDOWN ${attempts} ${failure === null ? 'ok' : 'failed'}`),
    },
  };
}

const run = (passesAt: number, trace: string[], { fail = null, signal }: { fail?: string | null; signal?: AbortSignal } = {}) =>
  runGraph(
    graph(passesAt, trace, fail),
    { attempts: 0 },
    { signal: signal ?? new AbortController().signal, onStep: () => undefined },
  );

describe('graph of steps', () => {
  it('C2: runs the steps in order and repeats one as long as its edge leads back', async () => {
    const trace: string[] = [];
    expect(await run(3, trace)).toEqual({ attempts: 3 });
    expect(trace).toEqual(['SETUP', 'WORK', 'WORK', 'WORK', 'TEARDOWN 3 ok']);
  });

  it('C1 C2: runs the last step after an error of any step, with what the step had saved, and passes the error on', async () => {
    for (const [fail, attempts] of [
      ['SETUP', 0],
      ['WORK', 1],
    ] as const) {
      const trace: string[] = [];
      await expect(run(1, trace, { fail })).rejects.toThrow(`${fail} failed`);
      expect(trace.at(-1)).toBe(`TEARDOWN ${attempts} failed`);
    }
  });

  it('C2: ends an endless loop with LIMIT_EXCEEDED', async () => {
    const trace: string[] = [];
    await expect(run(Number.POSITIVE_INFINITY, trace)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(trace.at(-1)).toBe('TEARDOWN 4 failed');
  });

  it('C1: runs the last step after a cancellation', async () => {
    const trace: string[] = [];
    await expect(run(1, trace, { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
    expect(trace).toEqual(['TEARDOWN 0 failed']);
  });
});
