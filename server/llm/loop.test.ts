import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { noFacts } from '../../test/fixtures/facts.ts';
import type { ToolContext } from '../tools/context.ts';
import { completed, defineKindTool, defineTool, ToolRegistry } from '../tools/tool.ts';
import type { AgentProject } from './agent-run.ts';
import { runAgent } from './loop.ts';
import type { ContentBlock, Model, ModelChunk, ModelMessage, ModelRequest } from './models/model.ts';

const nothing = () => Promise.resolve();
type Turn = (string | { id: string; name: string; input: unknown })[];
const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: 0 };

function scripted(turns: Turn[]): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    kind: 'scripted',
    name: 'scripted',
    contextTokens: null,
    responseTokens: 8_000,
    supportsImages: false,
    requests,
    async *stream(request): AsyncGenerator<ModelChunk> {
      requests.push({ ...request, messages: [...request.messages] });
      const turn = turns.shift() ?? [];
      for (const part of turn) {
        if (typeof part === 'string') yield { type: 'text', text: part };
        else {
          yield { type: 'tool_start', id: part.id, name: part.name };
          yield { type: 'tool_input', id: part.id, json: JSON.stringify(part.input) };
          yield { type: 'tool_end', id: part.id };
        }
      }
      yield { type: 'end', stopReason: turn.some((part) => typeof part !== 'string') ? 'tool_use' : 'end_turn', usage };
    },
  };
}

const thinking = (id: string, message = 'x') => ({ id, name: 'set_thinking', input: { message } });
const approvalCall = (id: string) => ({ id, name: 'request_approval', input: { type: 'preview', content: 'Right?' } });

function setUp(
  turns: Turn[],
  state: {
    answered?: boolean;
    queued?: string[];
    transcript?: ModelMessage[];
    maxSteps?: number;
    maxIdenticalCalls?: number;
  } = {},
) {
  const ran: string[] = [];
  const kept: ModelMessage[] = [...(state.transcript ?? [])];
  const queued = state.queued ?? [];
  let stepsTaken = 0;
  const options = { category: 'communication', risk: 'low', timeoutMs: 0, phases: ['complete'], label: () => 'x' } as const;
  const tools = new ToolRegistry([
    defineTool('set_thinking', {
      ...options,
      run: async (input, context) => {
        ran.push(`${context.projectId}:${input.message}`);
        return completed({ success: true }, 'ok');
      },
    }),
    defineKindTool(
      'request_approval',
      { input: z.looseObject({}), description: '' },
      {
        ...options,
        run: async () => {
          ran.push('gate');
          return state.answered ? completed({ outcome: 'accepted' }, 'ok') : { status: 'suspended' };
        },
      },
    ),
  ]);
  const project: AgentProject = {
    isWaiting: async () => false,
    context: async () => ({ ...noFacts, phase: 'complete' }),
    takeQueuedMessages: async () => queued.splice(0),
    append: async (message) => {
      if (message.role !== 'summary') kept.push(message);
    },
    addUsage: async ({ steps }) => {
      stepsTaken += steps;
    },
    usage: () => ({ steps: stepsTaken, tokens: 0, costUsd: 0, workedMs: 0 }),
    showText: nothing,
    endCall: nothing,
    callTool: async ({ id, name, input }, refusal) => {
      // Each call has a project of its own, so that the tool can tell them apart.
      const context = { projectId: id, signal: new AbortController().signal, waitsForSandbox: () => false } as ToolContext;
      return { result: refusal ?? (await tools.call(name, input, (await project.context()).phase, context)), durationMs: 1 };
    },
  };
  const model = scripted(turns);
  const limits = {
    maxSteps: state.maxSteps ?? 50,
    maxIdenticalCalls: state.maxIdenticalCalls ?? 3,
    maxRunMinutes: 1,
    maxTokens: 1_000,
    maxCostUsd: 1,
  };
  const run = (signal = new AbortController().signal) =>
    runAgent(
      {
        agent: { system: 'system', limits, tools },
        model,
        project,
        transcript: state.transcript ?? [],
        note: null,
        isOver: () => false,
      },
      { signal },
    );
  return { run, ran, kept, model };
}

const results = (messages: readonly ModelMessage[]): ContentBlock[] =>
  messages.flatMap((message) => message.content.filter((block) => block.type === 'tool_result'));

describe('agent loop', () => {
  it('ends once the model makes no call, after running every earlier call', async () => {
    const { run, ran } = setUp([[thinking('a', 'one'), thinking('b', 'two')], ['done']]);
    expect(await run()).toBe('completed');
    expect(ran).toEqual(['a:one', 'b:two']);
  });

  it('A5: waits at an approval, and continues with its response without repeating earlier calls', async () => {
    const first = setUp([[thinking('a', 'one'), approvalCall('g')]]);
    expect(await first.run()).toBe('waiting');
    expect(first.ran).toEqual(['a:one', 'gate']);
    const second = setUp([['thank you']], { answered: true, transcript: first.kept });
    expect(await second.run()).toBe('completed');
    expect(second.ran).toEqual(['gate']);
    expect(results(second.kept)).toHaveLength(2);
  });

  it('A22, X7: reports a call that a restart interrupted to the model, and does not repeat it', async () => {
    const transcript: ModelMessage[] = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'set_thinking', input: { message: 'x' } }] },
    ];
    const { run, ran, kept } = setUp([['ok']], { transcript });
    await run();
    expect(ran).toEqual([]);
    expect(results(kept)[0]).toMatchObject({ toolUseId: 'a', isError: true, content: expect.stringContaining('INTERRUPTED') });
  });

  it('A10: adds a queued message to the transcript before the next turn', async () => {
    const { run, model } = setUp([[thinking('a')], ['ok']], { queued: ['make it blue'] });
    await run();
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('make it blue');
  });

  it('T17: stops a model that repeats the same call', async () => {
    const same = Array.from({ length: 10 }, (_, index): Turn => [thinking(`c${index}`, 'again')]);
    const { run, ran } = setUp(same);
    await expect(run()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(ran).toHaveLength(3);
  });

  it('T17: warns a looping model before stopping it', async () => {
    const same = Array.from({ length: 10 }, (_, index): Turn => [thinking(`c${index}`, 'again')]);
    const { run, kept } = setUp(same, { maxIdenticalCalls: 5 });
    await expect(run()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const notes = results(kept).map((block) =>
      block.type === 'tool_result' ? /^note: (.*)$/m.exec(block.shown ?? '')?.[1] : null,
    );
    expect(notes.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    expect(notes.slice(3)).toEqual([expect.stringContaining('3 times'), expect.stringContaining('4 times')]);
  });

  it('T12, T16: stores a result as JSON and as the text for a language model', async () => {
    const { run, kept } = setUp([[thinking('a')], [{ id: 'b', name: 'no_such_tool', input: {} }], ['ok']]);
    await run();
    const [done, refused] = results(kept);
    expect(done).toMatchObject({
      content: '{"success":true}',
      shown: expect.stringMatching(/^tool: set_thinking\nstatus: ok\n/),
    });
    expect(JSON.parse((refused?.type === 'tool_result' && refused.content) || '')).toMatchObject({
      error: { code: 'UNKNOWN_TOOL', category: 'validation', action: 'Call one of the tools that are offered.' },
    });
    expect(refused).toMatchObject({ shown: expect.stringContaining('error.action: Call one of the tools that are offered.') });
  });

  it('T17: stops at the step limit of the kind', async () => {
    const turns = Array.from({ length: 10 }, (_, index): Turn => [thinking(`c${index}`, `step ${index}`)]);
    const { run, ran } = setUp(turns, { maxSteps: 4 });
    await expect(run()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(ran).toHaveLength(4);
  });

  it('A10: ends before the next call on abort', async () => {
    const controller = new AbortController();
    controller.abort();
    const { run, ran } = setUp([[thinking('a')]]);
    await expect(run(controller.signal)).rejects.toThrow();
    expect(ran).toEqual([]);
  });

  it('T1: returns an invalid call to the model as an error and continues', async () => {
    const { run, kept } = setUp([[{ id: 'a', name: 'no_such_tool', input: {} }], ['sorry']]);
    expect(await run()).toBe('completed');
    expect(results(kept)[0]).toMatchObject({ isError: true, content: expect.stringContaining('UNKNOWN_TOOL') });
  });

  it('reports a stream that ends inside a call as a model error', async () => {
    const { run, model } = setUp([]);
    model.stream = async function* () {
      yield { type: 'tool_start', id: 'a', name: 'set_thinking' };
      yield { type: 'tool_input', id: 'a', json: '{"mess' };
    };
    await expect(run()).rejects.toBeInstanceOf(KodaError);
  });
});
