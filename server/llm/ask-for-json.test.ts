import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import type { ModelUsage } from '#contract/project.ts';
import { noFacts } from '../../test/fixtures/facts.ts';
import type { AuthorRun } from '../projects/author.ts';
import { askForJson, jsonIn } from './ask-for-json.ts';
import type { Model, ModelChunk, ModelRequest } from './models/model.ts';

const used: ModelUsage = { inputTokens: 500, cachedInputTokens: 0, outputTokens: 70, costUsd: 0.01 };
const asked = { system: 'You count.', message: 'Count.', tool: { name: 'count', description: 'Counts.', inputSchema: {} } };

function setUp(stream: (request: ModelRequest, onBroken: (usage: ModelUsage) => Promise<void>) => AsyncGenerator<ModelChunk>) {
  const counted: ModelUsage[] = [];
  const requests: ModelRequest[] = [];
  const state = { contextTokens: 8_000 };
  const model = {
    ...{ kind: 'scripted', name: 'small', responseTokens: 2_000, supportsImages: false },
    get contextTokens() {
      return state.contextTokens;
    },
    stream(request, { onBroken }) {
      requests.push(request);
      return stream(request, onBroken ?? (async () => undefined));
    },
  } satisfies Model;
  const run = {
    kind: { limits: { maxSteps: 5, maxIdenticalCalls: 3, maxRunMinutes: 1, maxTokens: 9_000, maxCostUsd: 1 } },
    signal: new AbortController().signal,
    context: async () => noFacts,
    usage: () => ({ steps: 0, tokens: 0, costUsd: 0, workedMs: 0 }),
    addUsage: async (one: ModelUsage) => void counted.push(one),
  } as unknown as AuthorRun;
  return { ask: () => askForJson(model)(asked, run), counted, requests, state };
}

const end = (stopReason: 'tool_use' | 'end_turn' = 'tool_use') => ({ type: 'end', stopReason, usage: used }) as const;
const callOf = (id: string, json: string): ModelChunk[] => [
  { type: 'tool_start', id, name: 'count' },
  { type: 'tool_input', id, json },
  { type: 'tool_end', id },
];

describe('a request for JSON', () => {
  it('X2: takes the first call, from the start if the response was interrupted, and counts all usage', async () => {
    const { ask, counted, requests } = setUp(async function* (_request, onBroken) {
      yield { type: 'tool_start', id: 'a', name: 'count' };
      yield { type: 'tool_input', id: 'a', json: '{"n": 1' };
      await onBroken({ ...used, outputTokens: 5 });
      yield { type: 'restart', reason: 'x' };
      yield* callOf('b', '{"n": 2}');
      yield* callOf('c', '{"n": 3}');
      yield end();
    });
    expect(await ask()).toEqual({ value: { n: 2 } });
    expect(counted.map(({ outputTokens }) => outputTokens)).toEqual([5, 70]);
    expect(requests).toMatchObject([{ forcedTool: 'count', system: 'You count.', tools: [asked.tool] }]);
  });

  it('X2: shortens the answer if the context is smaller than expected, and says so if none is left', async () => {
    const { ask, requests, state } = setUp(async function* () {
      if (requests.length === 1) {
        state.contextTokens = 1_000;
        throw new KodaError('LIMIT_EXCEEDED', 'Too long.', { details: { contextTokens: 1_000 } });
      }
      yield* callOf('a', '{}');
      yield end();
    });
    expect(await ask()).toEqual({ value: {} });
    expect(requests.map(({ responseTokens = 0 }) => responseTokens > 1_000)).toEqual([true, false]);
    state.contextTokens = 300;
    await expect(ask()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', recovery: 'use_larger_model' });
  });

  it('X2: reports a broken response as the answer’s problem, and passes other errors on', async () => {
    const broken = setUp(async function* () {
      yield { type: 'text', text: 'x' };
      throw new KodaError('LLM_RESPONSE', 'The model ended its response early. Retry.');
    });
    expect(await broken.ask()).toMatchObject({ problem: expect.stringContaining('early'), isDeclined: false });
    const away = setUp(async function* () {
      yield { type: 'text', text: 'x' };
      throw new KodaError('LLM_CONNECTION', 'away');
    });
    await expect(away.ask()).rejects.toMatchObject({ code: 'LLM_CONNECTION' });
  });

  it('X2: reports an answer that was cut off with its length, whatever the stop reason', async () => {
    const { ask } = setUp(async function* () {
      yield* callOf('a', '{"n": 2, "rest": "and s');
      yield end('tool_use');
    });
    expect(await ask()).toMatchObject({ problem: expect.stringContaining('cut off after 23 characters') });
  });

  it('X2: stops to read a response that never ends', async () => {
    let chunks = 0;
    const { ask } = setUp(async function* () {
      for (; chunks < 1_000_000; chunks++) yield { type: 'text', text: 'The film shows a cat. ' };
      yield end('end_turn');
    });
    expect(await ask()).toMatchObject({ problem: expect.stringContaining('too long') });
    expect(chunks).toBeLessThan(10_000);
  });
});

describe('JSON in a text', () => {
  it.each([
    ['{"a": "}{"}', { a: '}{' }],
    ['Use {braces}: {"a": {"b": [1, 2,],},} and {"c": 3}', { a: { b: [1, 2] } }],
    ['"{\\"a\\": 1}"', { a: 1 }],
    ['[{"a": 1}]', [{ a: 1 }]],
  ])('X2: is found: %s', (text, value) => {
    expect(jsonIn(text)).toEqual({ value });
  });

  it.each(['', 'No JSON.', '{"a": {"b": 1}', '"text"', '3', 'null', '{'.repeat(100_000), '{x}'.repeat(30_000)])(
    'X2: is not guessed: %.20s',
    (text) => {
      expect(jsonIn(text)).toBeNull();
    },
  );
});
