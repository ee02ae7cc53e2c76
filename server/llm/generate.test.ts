import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import type { ModelUsage } from '#contract/project.ts';
import { noFacts } from '../../test/fixtures/facts.ts';
import { askGenerator, type GeneratorJob } from './generate.ts';
import type { Model, ModelRequest } from './models/model.ts';

const used: ModelUsage = { inputTokens: 5_000, cachedInputTokens: 0, outputTokens: 700, costUsd: 0.02 };

describe('the code generator', () => {
  it('T17: counts the usage of an interrupted response', async () => {
    const counted: ModelUsage[] = [];
    const model = {
      async *stream(_request, { onBroken }) {
        await onBroken?.(used);
        yield { type: 'restart', reason: 'x' };
        throw new KodaError('LLM_CONNECTION', 'away');
      },
    } satisfies Pick<Model, 'stream'> as unknown as Model;
    const job = {
      model,
      rules: { prompt: '', files: { always: [], described: [] } },
      task: {},
      context: noFacts,
      files: [],
      corrections: [],
      signal: new AbortController().signal,
    };
    const asked = askGenerator({
      ...job,
      addUsage: async (usage: ModelUsage) => void counted.push(usage),
    } as unknown as GeneratorJob);
    const reading = (async () => {
      for await (const chunk of asked) expect(chunk).toEqual({ type: 'restart' });
    })();
    await expect(reading).rejects.toMatchObject({ code: 'LLM_CONNECTION' });
    expect(counted).toEqual([used]);
  });

  it('A11 X2: includes fewer files if the context is smaller than expected', async () => {
    const files = [
      { path: 'src/film.ts', content: 'film' },
      { path: 'src/scenes/scene-1.tsx', content: 'x'.repeat(9_000) },
    ];
    const asked: string[] = [];
    let contextTokens = 9_000;
    const model = {
      responseTokens: 1_000,
      get contextTokens() {
        return contextTokens;
      },
      async *stream({ messages }) {
        asked.push(JSON.stringify(messages));
        if (contextTokens === 9_000) {
          contextTokens = 4_000;
          throw new KodaError('LIMIT_EXCEEDED', 'Too long.', { details: { contextTokens } });
        }
        yield { type: 'tool_start', id: 'a', name: 'write_files' };
        yield { type: 'tool_input', id: 'a', json: '{}' };
        yield { type: 'tool_end', id: 'a' };
        yield { type: 'end', stopReason: 'tool_use', usage: used };
      },
    } satisfies Pick<Model, 'responseTokens' | 'contextTokens' | 'stream'> as unknown as Model;
    const rules = { prompt: 'You write.', files: { always: ['src/film.ts'], described: [] } };
    const job = {
      model,
      rules,
      task: {},
      context: noFacts,
      files,
      corrections: [],
      signal: new AbortController().signal,
      addUsage: async () => undefined,
    };
    const chunks: string[] = [];
    for await (const { type } of askGenerator(job as unknown as GeneratorJob)) chunks.push(type);
    expect(chunks).toEqual(['restart', 'input']);
    expect(asked.map((text) => [text.includes('xxx'), text.includes('not shown')])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('46.2: continues its request with the files that it wrote, their problems and the frames', async () => {
    const requests: ModelRequest[] = [];
    const model = {
      responseTokens: 1_000,
      contextTokens: null,
      supportsImages: true,
      async *stream(request) {
        requests.push(request);
        yield { type: 'tool_start', id: 'a', name: 'write_files' };
        yield { type: 'tool_input', id: 'a', json: '{}' };
        yield { type: 'tool_end', id: 'a' };
        yield { type: 'end', stopReason: 'tool_use', usage: used };
      },
    } satisfies Pick<Model, 'responseTokens' | 'contextTokens' | 'supportsImages' | 'stream'> as unknown as Model;
    const generated = { files: [{ path: 'src/a.ts', content: 'const a: string = 1;' }], deleted: [], summary: 'A.' };
    const correction = { generated, problems: ['src/a.ts(1,7): error TS2322: wrong.'], remarks: [], contactSheet: '/9j/AAAA' };
    const job = {
      ...{ model, rules: { prompt: '', files: { always: [], described: [] } }, task: {}, context: noFacts, files: [] },
      ...{ signal: new AbortController().signal, addUsage: async () => undefined },
    };
    for (const corrections of [[], [correction]])
      for await (const { type } of askGenerator({ ...job, corrections } as unknown as GeneratorJob)) expect(type).toBe('input');
    const [first = [], second = []] = requests.map(({ messages }) => messages);
    expect(second.slice(0, first.length)).toEqual(first);
    const [wrote, told] = second.slice(first.length);
    expect(wrote?.content[0]).toMatchObject({ type: 'tool_use', name: 'write_files', input: generated });
    expect(told?.content[0]).toMatchObject({ type: 'tool_result', images: [{ base64: '/9j/AAAA' }] });
    expect(JSON.stringify(told).match(/TS2322/g)).toHaveLength(2);
  });
});
