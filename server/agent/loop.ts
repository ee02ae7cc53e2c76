import { KodaError } from '../contract/errors.ts';
import type { KindDefinition } from '../kinds/kind.ts';
import type { ToolContext } from '../tools/context.ts';
import type { ToolAnswer } from '../tools/define.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { Budget } from './budget.ts';
import type { ContentBlock, Model, ModelMessage, ModelRequest, ModelUsage, SessionFacts } from './models/model.ts';
import { readTurn } from './turn.ts';

type ToolCall = Extract<ContentBlock, { type: 'tool_use' }>;

/** What the loop needs of the session that it works for. */
export interface AgentSession {
  facts(): Promise<SessionFacts>;
  /** User messages that wait for a tool boundary; they count as delivered when this returns. */
  takeQueuedMessages(): Promise<string[]>;
  /** Keeps a message of the transcript, durably, before anything that follows from it happens. */
  keep(message: ModelMessage): Promise<void>;
  addUsage(usage: ModelUsage & { steps: number }): Promise<void>;
  toolStarted(call: { id: string; name: string; input: unknown; label: string }): Promise<void>;
  toolFinished(call: { id: string; name: string; input: unknown; durationMs: number; answer: ToolAnswer }): Promise<void>;
  contextFor(callId: string): ToolContext;
}

export interface AgentRun {
  readonly kind: KindDefinition;
  readonly model: Model;
  readonly tools: ToolRegistry;
  readonly session: AgentSession;
  /** The transcript so far: empty for a new run, what was kept for one that is resumed. */
  readonly transcript: readonly ModelMessage[];
  /** Steps that the run had taken before. */
  readonly stepsTaken: number;
}

/** How a run came to rest: the model ended its turn, or a gate waits for the user. */
export type AgentOutcome = 'completed' | 'waiting';

const interrupted: ToolAnswer & { status: 'error' } = {
  status: 'error',
  code: 'INTERRUPTED',
  message: 'The run was interrupted during this call, so its effect is unknown. Look, and call again if it is still needed.',
  details: null,
};

/**
 * Model and tools in turn, until the model has nothing more to do or a gate waits. Everything is kept as it
 * happens, so that a run which was cut off anywhere goes on from its transcript. Throws KodaError: CANCELLED
 * when the signal fires, LIMIT_EXCEEDED when a budget is used up, the model's own errors.
 */
export async function runAgent(run: AgentRun, options: { signal: AbortSignal }): Promise<AgentOutcome> {
  const transcript = [...run.transcript];
  const keep = async (message: ModelMessage) => {
    await run.session.keep(message);
    transcript.push(message);
  };
  const budget = new Budget(run.kind.limits, run.stepsTaken);

  for (const call of openCalls(transcript)) {
    if (call.name !== 'request_approval') await keep({ role: 'user', content: [resultOf(call, interrupted)] });
  }
  for (;;) {
    for (const call of openCalls(transcript)) {
      options.signal.throwIfAborted();
      const answer = await answerCall(run, call, budget);
      options.signal.throwIfAborted();
      if (answer.status === 'suspended') return 'waiting';
      await keep({ role: 'user', content: [resultOf(call, answer)] });
    }
    const queued = await run.session.takeQueuedMessages();
    if (queued.length > 0)
      await keep({ role: 'user', content: queued.map((text) => ({ type: 'text', text: `The user says: ${text}` })) });

    options.signal.throwIfAborted();
    // What was tried often enough is not tried for ever: the session tells the user (A8).
    if ((await run.session.facts()).todos.some(({ status }) => status === 'failed')) return 'completed';
    budget.step();
    const turn = await readTurn(run.model.stream(await requestFor(run, transcript), options));
    await keep({ role: 'assistant', content: turn.content });
    await run.session.addUsage({ steps: 1, ...turn.usage });
    if (turn.stopReason === 'max_tokens') {
      throw new KodaError(
        'LLM_RESPONSE',
        'The model ran out of room in the middle of its answer. Retry, or ask for less at a time.',
        { recovery: 'retry' },
      );
    }
    if (openCalls(transcript).length === 0) return 'completed';
  }
}

async function requestFor(run: AgentRun, transcript: readonly ModelMessage[]): Promise<ModelRequest> {
  const facts = await run.session.facts();
  const tools = run.tools
    .offeredIn(facts.phase)
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return {
    role: 'orchestrator',
    system: run.kind.prompts.orchestrator,
    messages: transcript,
    tools,
    forcedTool: null,
    task: null,
    facts,
  };
}

/** The calls of the model's last message that have no result yet. */
function openCalls(transcript: readonly ModelMessage[]): ToolCall[] {
  const lastTurn = transcript.findLastIndex((message) => message.role === 'assistant');
  const answered = new Set(
    transcript
      .slice(lastTurn + 1)
      .flatMap((message) => message.content.map((block) => (block.type === 'tool_result' ? block.toolUseId : null))),
  );
  return (transcript[lastTurn]?.content ?? [])
    .filter((block) => block.type === 'tool_use')
    .filter((call) => !answered.has(call.id));
}

async function answerCall(run: AgentRun, call: ToolCall, budget: Budget): Promise<ToolAnswer> {
  budget.call(call.name, call.input);
  const started = performance.now();
  await run.session.toolStarted({
    id: call.id,
    name: call.name,
    input: call.input,
    label: run.tools.label(call.name, call.input),
  });
  const { phase } = await run.session.facts();
  const answer = await run.tools.call(call.name, call.input, phase, run.session.contextFor(call.id));
  if (answer.status !== 'suspended') {
    await run.session.toolFinished({
      id: call.id,
      name: call.name,
      input: call.input,
      durationMs: Math.round(performance.now() - started),
      answer,
    });
  }
  return answer;
}

function resultOf(call: ToolCall, answer: Exclude<ToolAnswer, { status: 'suspended' }>): ContentBlock {
  const content =
    answer.status === 'completed'
      ? answer.output
      : { error: { code: answer.code, message: answer.message, ...(answer.details ? { details: answer.details } : {}) } };
  const images = answer.status === 'completed' ? answer.images : undefined;
  return {
    type: 'tool_result',
    toolUseId: call.id,
    content: JSON.stringify(content),
    isError: answer.status === 'error',
    ...(images === undefined ? {} : { images }),
  };
}
