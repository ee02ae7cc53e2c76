import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { Phase, Todo } from '#contract/project.ts';
import type { AuthorContext } from '../projects/assignment.ts';
import type { ToolContext } from '../tools/context.ts';
import { completed, defineKindTool, defineTool, ToolRegistry } from '../tools/tool.ts';
import type { AgentProject } from './agent-run.ts';
import { type Entry, isSummary } from './context.ts';
import { runAgent } from './loop.ts';
import type { Model, ModelChunk, ModelRequest } from './models/model.ts';
import { tokensOf, tokensOfText } from './tokens.ts';

type End = Extract<ModelChunk, { type: 'end' }>['stopReason'];
interface Turn {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly json: string }[];
  readonly end?: End;
}

const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5, costUsd: 0.01 };
const nothing = async () => undefined;
const todo: Todo = { id: 'tdo_1', title: 'Scene 1', key: 'scene:1', status: 'active', attempts: 1 };

/** Language model stub that receives the project's state as text. */
function setUp(
  turns: Turn[],
  {
    contextTokens = null as number | null,
    phase = 'executing' as Phase,
    todos = [todo],
    resultCharacters = 3_000,
    changeRequests = new Map<number, string>(),
    msPerWrite = 0,
    /** Number of entries from which a request is rejected as too long, and the context window that the error reports. */
    refusedFrom = Number.POSITIVE_INFINITY,
    /** User message that arrives while the file is being written, by file name. */
    saidDuring = new Map<string, string>(),
    transcript = [] as Entry[],
  } = {},
) {
  const requests: ModelRequest[] = [];
  const window = { tokens: contextTokens };
  const model: Model = {
    kind: 'test',
    name: 'test',
    get contextTokens() {
      return window.tokens;
    },
    responseTokens: 1_000,
    supportsImages: false,
    async *stream(request): AsyncGenerator<ModelChunk> {
      requests.push(request);
      if (tokensOf(request.messages) > refusedFrom) {
        window.tokens = Math.floor((window.tokens ?? 0) * 0.8);
        throw new KodaError('LIMIT_EXCEEDED', 'Too long.', { details: { contextTokens: window.tokens } });
      }
      const turn = turns.shift() ?? {};
      if (turn.text !== undefined) yield { type: 'text', text: turn.text };
      for (const { id, name, json } of turn.calls ?? []) {
        yield { type: 'tool_start', id, name };
        yield { type: 'tool_input', id, json };
        // The token limit cuts off the last call.
        if (turn.end !== 'max_tokens' || id !== turn.calls?.at(-1)?.id) yield { type: 'tool_end', id };
      }
      yield { type: 'end', stopReason: turn.end ?? (turn.calls === undefined ? 'end_turn' : 'tool_use'), usage };
    },
  };
  const now: { phase: Phase; todos: Todo[] } = { phase, todos };
  const used = { steps: 0, tokens: 0, costUsd: 0, workedMs: 0 };
  const running = { most: 0, at: 0 };
  const order: string[] = [];
  const options = { category: 'file', risk: 'low', timeoutMs: 0, phases: ['executing'], label: () => 'x' } as const;
  const tools = new ToolRegistry([
    defineTool('sandbox_read_file', {
      ...options,
      readOnly: true,
      run: async ({ path }) => {
        running.at += 1;
        running.most = Math.max(running.most, running.at);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running.at -= 1;
        order.push(`read ${path}`);
        return completed({ content: 'x'.repeat(resultCharacters) }, 'ok');
      },
    }),
    defineTool('sandbox_write_file', {
      ...options,
      run: async ({ path }) => {
        running.at += 1;
        running.most = Math.max(running.most, running.at * 100);
        order.push(`write ${path}`);
        const words = saidDuring.get(path);
        if (words !== undefined) changeRequests.set(requests.length, words);
        used.workedMs += msPerWrite;
        running.at -= 1;
        return completed({}, 'ok');
      },
    }),
    defineTool('update_todo', {
      ...options,
      category: 'communication',
      run: async ({ status }) => {
        now.todos = [{ ...todo, status }];
        // As the subsequent preview would.
        now.phase = 'complete';
        return completed({ success: true }, 'ok');
      },
    }),
    defineKindTool(
      'request_approval',
      { input: z.looseObject({}), description: '' },
      { ...options, phases: ['preview'], run: async () => ({ status: 'suspended' }) },
    ),
  ]);
  const kept: Entry[] = [];
  const said: [string, boolean][] = [];
  const project: AgentProject = {
    isWaiting: async () => false,
    context: async () =>
      ({
        prompt: 'a red ball',
        hints: {},
        messages: [],
        assets: [],
        previewError: null,
        plan: { title: 'A red ball' },
        settled: [],
        ...now,
      }) as unknown as AuthorContext,
    takeQueuedMessages: async () => {
      const changeRequest = changeRequests.get(requests.length);
      changeRequests.delete(requests.length);
      return changeRequest === undefined ? [] : [changeRequest];
    },
    append: async (entry) => {
      kept.push(entry);
    },
    showText: async (text, { isEnd }) => {
      said.push([text, isEnd]);
    },
    addUsage: nothing,
    usage: () => used,
    endCall: nothing,
    callTool: async ({ name, input }, refusal) => {
      const context = { signal: new AbortController().signal, saveWork: nothing } as unknown as ToolContext;
      return { result: refusal ?? (await tools.call(name, input, (await project.context()).phase, context)), durationMs: 1 };
    },
  };
  const limits = { maxSteps: 400, maxIdenticalCalls: 50, maxRunMinutes: 1, maxTokens: 1_000, maxCostUsd: 1 };
  const run = () =>
    runAgent(
      { agent: { system: 'You lead.', tools, limits }, model, project, transcript, note: null, isOver: () => false },
      { signal: new AbortController().signal },
    );
  return { run, requests, kept, said, order, running };
}

const read = (id: string, path = id) => ({ id, name: 'sandbox_read_file', json: JSON.stringify({ path }) });
const write = (id: string) => ({ id, name: 'sandbox_write_file', json: JSON.stringify({ path: id, content: '' }) });
const done: Turn = { calls: [{ id: 'done', name: 'update_todo', json: '{"todo_id":"tdo_1","status":"done"}' }] };

describe('the loop with a language model', () => {
  it('A11: sends the request once and the state after each change', async () => {
    const { run, requests } = setUp([{ calls: [read('a')] }, done, { text: 'ready' }]);
    await run();
    const texts = requests.map(({ messages }) => JSON.stringify(messages));
    expect(texts[0]).toContain('a red ball');
    expect(texts[0]).toContain('active tdo_1 scene:1');
    expect(texts[1]?.match(/<state>/g)).toHaveLength(1);
    expect(texts[2]?.match(/<state>/g)).toHaveLength(2);
    expect(texts[2]).toContain('done tdo_1 scene:1');
    // Each request repeats everything sent before, unchanged.
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1];
      if (before !== undefined) expect(request.messages.slice(0, before.messages.length)).toEqual(before.messages);
      expect([request.system, request.tools]).toEqual([requests[0]?.system, requests[0]?.tools]);
    }
  });

  it('T1: runs read-only calls in parallel and all others in sequence', async () => {
    const { run, order, running, kept } = setUp([
      { calls: [read('a'), read('b'), read('c'), write('d'), read('e'), write('f')] },
      done,
      {},
    ]);
    await run();
    expect(order).toEqual(['read a', 'read b', 'read c', 'write d', 'read e', 'write f']);
    expect(running.most).toBe(100);
    const ids = kept.flatMap((entry) =>
      isSummary(entry) ? [] : entry.content.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])),
    );
    expect(ids.slice(0, 6)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('A8: reminds a model that only talks, and stops it if it continues', async () => {
    const mended = setUp([{ text: 'I will do it now.' }, done, { text: 'ready' }]);
    expect(await mended.run()).toBe('completed');
    expect(JSON.stringify(mended.requests[1]?.messages)).toContain('Not done yet: Scene 1');
    expect(mended.said).toEqual([
      ['I will do it now.', true],
      ['ready', true],
    ]);
    const stubborn = setUp(Array.from({ length: 9 }, () => ({ text: 'Sure!' })));
    await expect(stubborn.run()).rejects.toMatchObject({
      code: 'LLM_RESPONSE',
      message: expect.stringContaining('before the work was complete'),
    });
    expect(stubborn.requests).toHaveLength(3);
  });

  it('T1: reports invalid JSON input to the model without executing the call', async () => {
    const { run, order, requests } = setUp([
      { calls: [{ id: 'a', name: 'sandbox_write_file', json: '{"path": "x", content: "y"}' }] },
      done,
      {},
    ]);
    await run();
    expect(order).toEqual([]);
    expect(JSON.stringify(requests[1]?.messages)).toContain('was not valid JSON');
    expect(JSON.stringify(requests[1]?.messages)).toContain('"input":{}');
  });

  it.each(['tool_use', 'end_turn', 'max_tokens'] as const)(
    'T1: tells a model whose call was cut off to send it shorter, with the stop reason %s, and stops it if it continues',
    async (end) => {
      const list = { id: 'a', name: 'sandbox_read_file', json: '{"path": "x"}' };
      const cut = (id: string) => ({ id, name: 'sandbox_write_file', json: '{"path": "x", "content": "half {' });
      const { run, order, requests } = setUp([{ calls: [list, cut('b')], end }, done, {}]);
      expect(await run()).toBe('completed');
      expect(order).toEqual(['read x']);
      const answer =
        'Your call of sandbox_write_file was cut off after 32 characters, so nothing was done. Send it shorter, in parts.';
      expect(JSON.stringify(requests[1]?.messages)).toContain(answer);
      const stubborn = setUp(Array.from({ length: 9 }, (_, index) => ({ calls: [cut(`c${index}`)], end })));
      await expect(stubborn.run()).rejects.toMatchObject({
        code: 'LLM_RESPONSE',
        message: expect.stringContaining('output limit'),
      });
      expect(stubborn.requests).toHaveLength(3);
    },
  );

  it('requests smaller steps after a truncated response and ends the run if it repeats', async () => {
    const { run, requests } = setUp([{ text: 'long', end: 'max_tokens' }, done, {}]);
    expect(await run()).toBe('completed');
    expect(JSON.stringify(requests[1]?.messages)).toContain('smaller steps');
    const endless = setUp(Array.from({ length: 9 }, () => ({ end: 'max_tokens' as const })));
    await expect(endless.run()).rejects.toMatchObject({
      code: 'LLM_RESPONSE',
      message: expect.stringContaining('exceeded its output limit'),
    });
  });

  it('ends the run with advice if the model declines the request', async () => {
    const { run } = setUp([{ text: 'No.', end: 'refusal' }]);
    await expect(run()).rejects.toMatchObject({ code: 'LLM_RESPONSE', message: expect.stringContaining('Rephrase') });
  });

  it('A11: a run of 80 calls in a window of 32,000 tokens continues without losing a protected part', async () => {
    const turns = Array.from(
      { length: 80 },
      (_, index): Turn => ({ text: `Step ${index}.`, calls: [read(`call_${index}`, `src/${index}.ts`)] }),
    );
    const changeRequests = new Map([
      [5, 'never use yellow'],
      [40, 'the title is “Ärger & Söhne 🎬”'],
      [70, 'slower please'],
    ]);
    const { run, kept, requests } = setUp([...turns, done, { text: 'ready' }], {
      contextTokens: 32_000,
      resultCharacters: 12_000,
      changeRequests: new Map(changeRequests),
    });
    expect(await run()).toBe('completed');
    expect(kept.filter(isSummary).length).toBeGreaterThan(1);
    expect(requests).toHaveLength(82);
    for (const [index, { messages, system, tools }] of requests.entries()) {
      const sent = JSON.stringify(messages);
      expect(tokensOf(messages) + tokensOfText(system + JSON.stringify(tools))).toBeLessThanOrEqual(32_000 - 1_000);
      expect(sent).toContain('a red ball');
      for (const [since, changeRequest] of changeRequests) if (index > since) expect(sent).toContain(changeRequest);
      // The latest steps, and the project's state.
      for (let step = Math.max(0, index - 3); step < Math.min(index, 80); step++) expect(sent).toContain(`Step ${step}.`);
      expect(sent).toContain('tdo_1 scene:1');
    }
  });

  it('A11 X2: shortens and repeats a request that is too long for the service until it fits', async () => {
    const turns = Array.from({ length: 30 }, (_, index): Turn => ({ calls: [read(`call_${index}`, `src/${index}.ts`)] }));
    const { run, requests, kept } = setUp([...turns, done, { text: 'ready' }], {
      contextTokens: 200_000,
      resultCharacters: 12_000,
      refusedFrom: 30_000,
    });
    expect(await run()).toBe('completed');
    expect(kept.filter(isSummary).length).toBeGreaterThan(0);
    const refused = requests.filter(({ messages }) => tokensOf(messages) > 30_000);
    expect(refused.length).toBeGreaterThan(2);
    // Each turn had one response; rejected requests were not steps.
    expect(requests.length - refused.length).toBe(32);
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain('a red ball');
  });

  it('A11 X2: ends the run with advice if the context is too small for the prompt', async () => {
    const { run, requests } = setUp([done], { contextTokens: 32_000, refusedFrom: 0 });
    await expect(run()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', recovery: 'use_larger_model' });
    expect(requests.length).toBeLessThan(20);
  });

  it('A10: delivers a user message before the next call and skips the remaining calls', async () => {
    const { run, order, requests, kept } = setUp([{ calls: [write('a'), write('b'), write('c')] }, done, {}], {
      saidDuring: new Map([['a', 'no files, please']]),
    });
    await run();
    expect(order).toEqual(['write a']);
    const heard = JSON.stringify(requests[1]?.messages);
    expect(heard).toContain('The user says: no files, please');
    expect(heard.match(/was not started/g)).toHaveLength(2 * 2);
    const answered = kept.flatMap((entry) =>
      isSummary(entry) ? [] : entry.content.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])),
    );
    expect(answered).toEqual(['a', 'b', 'c', 'done']);
  });

  it('A5: reports calls after an approval as not started', async () => {
    const transcript: Entry[] = [
      { role: 'user', content: [{ type: 'text', text: '## request\na red ball' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'gate', name: 'request_approval', input: { type: 'preview', content: 'ok?' } },
          { type: 'tool_use', id: 'b', name: 'sandbox_write_file', input: { path: 'b', content: '' } },
        ],
      },
    ];
    const { run, order, kept } = setUp([], { transcript, phase: 'preview' });
    expect(await run()).toBe('waiting');
    expect(order).toEqual([]);
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept[0])).toContain('was not started');
  });

  it('A11: starts a run with the project’s initial context', async () => {
    const { run, requests } = setUp([done, {}], { changeRequests: new Map([[0, 'try again, but blue']]) });
    await run();
    const first = JSON.stringify(requests[0]?.messages);
    expect(first.indexOf('a red ball')).toBeGreaterThan(0);
    expect(first.indexOf('try again, but blue')).toBeGreaterThan(first.indexOf('a red ball'));
  });

  it('A8: reminds a model that has done all todos of the pending preview', async () => {
    const { run, requests } = setUp([{ text: 'ready' }, done, {}], { todos: [{ ...todo, status: 'done' }] });
    await run();
    expect(JSON.stringify(requests[1]?.messages)).toContain('render_preview');
  });

  it('T17: ends the run between the calls of one turn if its time is used up', async () => {
    const { run, order } = setUp([{ calls: [write('a'), write('b'), write('c')] }, done, {}], { msPerWrite: 2 * 60_000 });
    await expect(run()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(order).toEqual(['write a']);
  });
});
