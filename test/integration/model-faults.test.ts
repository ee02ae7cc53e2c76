import { describe, expect, it } from 'vitest';
import { errorMessage, KodaError } from '#contract/errors.ts';
import type { Phase, Todo } from '#contract/project.ts';
import { retryPolicies } from '#contract/retry.ts';
import { CircuitBreaker } from '../../server/lib/circuit-breaker.ts';
import { outboundFetch } from '../../server/lib/outbound-fetch.ts';
import type { AgentProject } from '../../server/llm/agent-run.ts';
import { type Entry, isSummary } from '../../server/llm/context.ts';
import { runAgent } from '../../server/llm/loop.ts';
import { messagesApi } from '../../server/llm/models/anthropic/messages.ts';
import { resilientModel } from '../../server/llm/models/resilient-model.ts';
import type { ResponseLimits } from '../../server/llm/models/response-timeouts.ts';
import { serviceModel } from '../../server/llm/models/service/service-model.ts';
import type { ToolContext } from '../../server/tools/context.ts';
import { completed, defineTool, ToolRegistry } from '../../server/tools/tool.ts';
import { noFacts } from '../fixtures/facts.ts';
import { type Answer, startModelServer } from '../fixtures/model-server.ts';

/** Timeouts are much shorter than in the product, so that hangs end within the test, but long enough for a busy machine. */
const limits: ResponseLimits = { idleTimeoutMs: 5_000, chunkTimeoutMs: 5_000, totalTimeoutMs: 15_000 };
/** Far more than the total delay between attempts under the policies, plus the limits of the attempts. */
const longestMs = 600_000;
const writes = 3;

interface Outcome {
  readonly result: string;
  readonly message: string;
  readonly requests: number;
  readonly written: readonly string[];
  readonly complaints: readonly string[];
}

/** An in-memory project. Its transcript outlives runs, like the database's. */
function project() {
  const entries: Entry[] = [];
  const written: string[] = [];
  let todos: Todo[] = [{ id: 'tdo_1', title: 'Scene', key: 'scene:1', status: 'active', attempts: 1 }];
  let phase: Phase = 'executing';
  const options = { category: 'file', risk: 'low', timeoutMs: 0, phases: ['executing'], label: () => 'x' } as const;
  const tools = new ToolRegistry([
    defineTool('sandbox_write_file', {
      ...options,
      run: async ({ path }) => {
        written.push(path);
        return completed({ path }, 'ok');
      },
    }),
    defineTool('update_todo', {
      ...options,
      run: async ({ status }) => {
        todos = todos.map((todo) => ({ ...todo, status }));
        phase = 'complete';
        return completed({ success: true }, 'ok');
      },
    }),
  ]);
  const draft = { title: 'Film', summary: '1 scene', sections: [], caveat: null, document: {} };
  const plan = { ...draft, id: 'pln_1', revision: 1, accepted: true };
  const spent = { steps: 0, tokens: 0, costUsd: 0, workedMs: 0 };
  const project: AgentProject = {
    isWaiting: async () => false,
    context: async () => ({ ...noFacts, phase, prompt: 'p', plan, todos }),
    takeQueuedMessages: async () => [],
    // Values that are not JSON are lost here, as they would be in a database row.
    append: async (entry) => {
      entries.push(JSON.parse(JSON.stringify(entry)));
    },
    addUsage: async ({ steps, inputTokens, outputTokens, costUsd }) => {
      spent.steps += steps;
      spent.tokens += inputTokens + outputTokens;
      spent.costUsd += costUsd;
    },
    usage: () => spent,
    showText: async () => undefined,
    endCall: async () => undefined,
    callTool: async ({ name, input }, refusal) => {
      const context = {
        signal: new AbortController().signal,
        saveWork: async () => undefined,
        waitsForSandbox: () => false,
      } as unknown as ToolContext;
      return { result: refusal ?? (await tools.call(name, input, phase, context)), durationMs: 1 };
    },
  };
  const run = async (url: string): Promise<string> => {
    const service = {
      baseUrl: url,
      apiKey: 'k',
      authToken: null,
      recordingFolder: null,
      fetch: outboundFetch({ privateAddresses: 'allow' }),
    };
    const settings = {
      model: 'claude-sonnet-5-5',
      effort: null,
      maxOutputTokens: 8_000,
      contextTokens: null,
      supportsImages: null,
    };
    const model = resilientModel(serviceModel(messagesApi, service, settings), {
      breaker: new CircuitBreaker({ name: 'model', label: 'The model' }),
      limits,
      onWait: async () => undefined,
      onResume: async () => undefined,
      onWarning: async () => undefined,
      random: () => 0,
    });
    const agent = {
      system: 's',
      tools,
      limits: { maxSteps: 50, maxIdenticalCalls: 5, maxRunMinutes: 9, maxTokens: 1e9, maxCostUsd: 99 },
    };
    const scope = { agent, model, project, transcript: [...entries], note: null, isOver: () => false };
    return runAgent(scope, { signal: AbortSignal.timeout(longestMs) });
  };
  return { run, entries, written, spent };
}

/** Simulates a model: depending on the number of results without an error in the request, writes the next of its files or updates the todo. */
function good(results: number): Answer {
  if (results < writes)
    return {
      thinking: 'next',
      calls: [{ name: 'sandbox_write_file', input: { path: `src/${results}.ts`, content: 'x' } }],
      fragment: 5,
    };
  if (results === writes) return { calls: [{ name: 'update_todo', input: { todo_id: 'tdo_1', status: 'done' } }] };
  return { text: 'done' };
}

/** Plays a run whose second turn encounters a fault `times` times. If it fails, it is retried without the fault. */
async function play(fault: Answer, times: number): Promise<{ first: Outcome; afterRetry: Outcome }> {
  let left = times;
  await using server = await startModelServer(({ messages }) => {
    const blocks = messages.flatMap(({ content }) => content);
    const results = blocks.filter((block) => block.type === 'tool_result' && block['is_error'] !== true).length;
    if (results === 0 || left === 0) return good(results);
    left -= 1;
    return fault;
  });
  const { run, entries, written } = project();
  const outcome = async (): Promise<Outcome> => {
    const before = server.requests.length;
    let [result, message] = ['', ''];
    try {
      result = await run(server.url);
    } catch (error) {
      result = error instanceof KodaError ? error.code : 'not a KodaError';
      message = errorMessage(error);
    }
    return {
      result,
      message,
      requests: server.requests.length - before,
      written: [...written],
      complaints: [...server.complaints],
    };
  };
  const first = await outcome();
  left = 0;
  const afterRetry = first.result === 'completed' ? first : await outcome();
  expect(entries.filter((entry) => !isSummary(entry)).length).toBeGreaterThan(writes);
  return { first, afterRetry };
}

const call = [{ name: 'sandbox_write_file', input: { path: 'src/never.ts', content: 'x'.repeat(400) } }];
const status = (code: number, type: string, retryAfter?: string): Answer => ({
  status: { code, type, message: `${type}!`, ...(retryAfter === undefined ? {} : { retryAfter }) },
});

/** Behaviour of the model server, and the error code and number of attempts expected if it does not recover. */
const faults: [name: string, fault: Answer, code: string, attempts: number][] = [
  ['takes the request and says nothing', { silence: 'hang' }, 'LLM_CONNECTION', retryPolicies.timeout.attempts],
  [
    'falls silent in the middle of a call',
    { calls: call, fragment: 20, breakAfter: { events: 9, by: 'hang' } },
    'LLM_CONNECTION',
    retryPolicies.timeout.attempts,
  ],
  ['drips for ever', { text: 'x', calls: call, fragment: 4, dripMs: 200 }, 'TIMEOUT', retryPolicies.timeout.attempts],
  ['closes the connection', { silence: 'drop' }, 'LLM_CONNECTION', retryPolicies.network.attempts],
  [
    'resets in the middle of a call',
    { calls: call, fragment: 20, breakAfter: { events: 9, by: 'reset' } },
    'LLM_CONNECTION',
    retryPolicies.network.attempts,
  ],
  [
    'ends in the middle of a call',
    { calls: call, fragment: 20, breakAfter: { events: 9, by: 'end' } },
    'LLM_RESPONSE',
    retryPolicies.transient.attempts,
  ],
  [
    'sends an event that is no JSON',
    { text: 'x', breakAfter: { events: 4, by: 'malformed' } },
    'LLM_RESPONSE',
    retryPolicies.transient.attempts,
  ],
  ['is overloaded', status(529, 'overloaded_error'), 'LLM_CONNECTION', 0],
  ['is overloaded in the middle', { text: 'x', breakAfter: { events: 4, by: 'overloaded' } }, 'LLM_CONNECTION', 0],
  ['fails', status(500, 'api_error'), 'LLM_CONNECTION', 0],
  ['is limited for a second', status(429, 'rate_limit_error', '1'), 'RATE_LIMITED', retryPolicies.rate_limit.attempts],
  ['is limited for an hour', status(429, 'rate_limit_error', '3600'), 'RATE_LIMITED', 1],
  ['does not accept the key', status(401, 'authentication_error'), 'UNAUTHORIZED', 1],
  ['does not allow the model', status(403, 'permission_error'), 'FORBIDDEN', 1],
  ['has no such model', status(404, 'not_found_error'), 'NOT_FOUND', 1],
  ['refuses the request', status(400, 'invalid_request_error'), 'BAD_REQUEST', 1],
  ['finds the request too large', status(413, 'request_too_large'), 'TOO_LARGE', 1],
  ['declines', { text: 'No.', stopReason: 'refusal' }, 'LLM_RESPONSE', 1],
  ['is cut off again and again', { text: 'long', calls: [], stopReason: 'max_tokens' }, 'LLM_RESPONSE', 3],
  ['is cut off while it thinks', { thinking: 'hm', stopReason: 'max_tokens' }, 'LLM_RESPONSE', 3],
  [
    'is cut off in the middle of a call',
    {
      calls: [{ name: 'sandbox_write_file', input: '{"path":"src/never.ts","content":"x' }],
      stopReason: 'max_tokens',
    },
    'LLM_RESPONSE',
    3,
  ],
  ['talks and does nothing', { text: 'Sure, I will!' }, 'LLM_RESPONSE', 3],
];

describe.concurrent('what the model’s server does wrong', () => {
  it.each(faults)(
    'T14 V6: a server that %s ends a run in a state that a retry goes on from',
    { timeout: longestMs },
    async (_name, fault, code, attempts) => {
      const { first, afterRetry } = await play(fault, Number.POSITIVE_INFINITY);
      expect(first.result).toBe(code);
      expect(first.message.length).toBeGreaterThan(20);
      // One request for the first turn, and all attempts at the second one.
      if (attempts > 0) expect(first.requests).toBe(1 + attempts);
      else expect(first.requests).toBeLessThanOrEqual(1 + retryPolicies.network.attempts);
      expect(first.written).toEqual(['src/0.ts']);
      expect(afterRetry.result).toBe('completed');
      expect(afterRetry.written).toEqual(['src/0.ts', 'src/1.ts', 'src/2.ts']);
      expect(afterRetry.complaints).toEqual([]);
    },
  );

  it('T17: answers that break off count towards the limits of the run', { timeout: longestMs }, async () => {
    const broken: Answer = {
      calls: call,
      fragment: 20,
      breakAfter: { events: 9, by: 'end' },
      usage: { input: 5_000, output: 1 },
    };
    await using server = await startModelServer(() => broken);
    const { run, spent } = project();
    await expect(run(server.url)).rejects.toMatchObject({ code: 'LLM_RESPONSE' });
    expect(server.requests).toHaveLength(retryPolicies.transient.attempts);
    expect(spent.steps).toBe(0);
    expect(spent.tokens).toBeGreaterThan(5_000 * retryPolicies.transient.attempts);
    expect(spent.costUsd).toBeGreaterThan(0.01 * retryPolicies.transient.attempts);
  });

  it.each(faults.filter(([, , , attempts]) => attempts !== 1))(
    'T14: a server that %s once is asked again, and nothing is done twice',
    { timeout: longestMs },
    async (_name, fault) => {
      const { first } = await play(fault, 1);
      expect(first.result).toBe('completed');
      expect(first.written).toEqual(['src/0.ts', 'src/1.ts', 'src/2.ts']);
      expect(first.complaints).toEqual([]);
    },
  );
});
