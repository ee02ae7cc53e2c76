import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Phase } from '#contract/project.ts';
import type { AuthorContext } from '../projects/assignment.ts';
import { type Decision, decideAfter } from '../tools/decision.ts';
import { refusalOf } from '../tools/refusal.ts';
import { errorContent, failed, type ToolRegistry, type ToolResult } from '../tools/tool.ts';
import { type AgentRun, toolsFor } from './agent-run.ts';
import type { Budget } from './budget.ts';
import { type Entry, messagesIn } from './context.ts';
import { queuedMessage } from './context-text.ts';
import { consecutiveRepeats, type ExecutedCall, executedCalls, type PlannedCall } from './loop-detection.ts';
import type { ContentBlock, ModelMessage } from './models/model.ts';
import { observe } from './observation.ts';

type ToolCall = Extract<ContentBlock, { type: 'tool_use' }>;
type FinishedResult = Exclude<ToolResult, { status: 'suspended' }>;

const maxParallelCalls = 8;
/** Generated code is the largest legitimate result. A malicious sandbox could send more. */
const maxStoredCharacters = 8 * 1024 * 1024;

const interrupted: FinishedResult = {
  status: 'error',
  code: 'INTERRUPTED',
  message: 'The run was interrupted during this call, so its effect is unknown. Check the result, and call again only if needed.',
  details: null,
};
const notStarted: FinishedResult = {
  status: 'error',
  code: 'INTERRUPTED',
  message:
    'This call was not started, because a user message arrived or the phase changed before it. Call again if it is still needed.',
  details: null,
};

const waiting: ReadonlySet<string> = new Set(['request_approval', 'show_surface']);

export interface CallScope {
  readonly budget: Budget;
  readonly append: (entry: Entry) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Resolves calls that were pending when a run ended: those that were running, and those that were waiting for an approval. */
export async function resolvePendingCalls(
  run: AgentRun,
  entries: readonly Entry[],
  { append }: Pick<CallScope, 'append'>,
): Promise<void> {
  const calls = pendingCalls(entries);
  if (calls[0] !== undefined && (waiting.has(calls[0].name) || (await run.project.isWaiting(calls[0].id)))) {
    await postpone(calls.slice(1), append);
    return;
  }
  for (const call of calls) {
    await run.project.endCall(call, interrupted);
    await append(resultMessage({ call, result: interrupted, durationMs: null, warning: null }));
  }
}

/**
 * Executes the model's pending tool calls: consecutive read-only calls in parallel, all others in sequence. If a user message
 * arrives or the phase changes, it skips the remaining calls, so that the model sees the change first.
 */
export async function executeCalls(
  run: AgentRun,
  entries: readonly Entry[],
  { budget, append, signal }: CallScope,
): Promise<'answered' | 'suspended'> {
  let phaseBefore: Phase | null = null;
  for (let calls = pendingCalls(entries); calls.length > 0; calls = pendingCalls(entries)) {
    signal.throwIfAborted();
    budget.time();
    const queued = phaseBefore === null ? [] : await run.project.takeQueuedMessages();
    const context = await run.project.context();
    const { phase } = context;
    if (queued.length > 0 || (phaseBefore !== null && phase !== phaseBefore)) {
      await postpone(calls, append);
      if (queued.length > 0) await append(queuedMessage(queued));
      return 'answered';
    }
    phaseBefore = phase;
    const batch = parallelBatch(calls, run.agent.tools);
    const before = executedCalls(messagesIn(entries));
    const warnings = batch.map((call) => budget.call(call, before));
    const since = executedCalls(sinceLastUserText(messagesIn(entries)));
    const results = await Promise.all(batch.map((call) => executeCall(run, call, { decision: decide(call, since), context })));
    signal.throwIfAborted();
    for (const [index, call] of batch.entries()) {
      const finished = results[index];
      if (finished === undefined || finished.result.status === 'suspended') return 'suspended';
      const { result, durationMs } = finished;
      await append(resultMessage({ call, result, durationMs, warning: warnings[index] ?? null }));
    }
  }
  return 'answered';
}

async function postpone(calls: readonly ToolCall[], append: CallScope['append']): Promise<void> {
  for (const call of calls) await append(resultMessage({ call, result: notStarted, durationMs: null, warning: null }));
}

/** Returns the first call and the read-only calls that follow it. */
function parallelBatch(calls: readonly ToolCall[], tools: ToolRegistry): ToolCall[] {
  const end = calls.findIndex((call) => !tools.isReadOnly(call.name));
  return calls.slice(0, Math.min(maxParallelCalls, Math.max(1, end === -1 ? calls.length : end)));
}

/** Returns the calls in the model's last message that have no result. */
export function pendingCalls(entries: readonly Entry[]): ToolCall[] {
  const messages = messagesIn(entries);
  const lastTurn = messages.findLastIndex((message) => message.role === 'assistant');
  const answered = new Set(
    messages
      .slice(lastTurn + 1)
      .flatMap((message) => message.content.map((block) => (block.type === 'tool_result' ? block.toolUseId : null))),
  );
  return (messages[lastTurn]?.content ?? [])
    .filter((block) => block.type === 'tool_use')
    .filter((call) => !answered.has(call.id));
}

async function executeCall(
  run: AgentRun,
  call: ToolCall,
  { decision, context }: { decision: Decision; context: AuthorContext },
): Promise<{ result: ToolResult; durationMs: number }> {
  const invalid = (await notOffered(run, call, context)) ?? unreadableInput(call);
  const refusal = decision.kind === 'error' ? failed(decision.code, decision.message) : invalid;
  return await run.project.callTool({ id: call.id, name: call.name, input: call.input }, refusal);
}

/** Refuses a tool that the model is not offered. A call that waited for the user is repeated in whichever phase followed. */
async function notOffered({ agent, project }: AgentRun, call: ToolCall, context: AuthorContext): Promise<FinishedResult | null> {
  if (waiting.has(call.name) && agent.tools.find(call.name) !== null) return null;
  const refusal = refusalOf(call.name, { offered: toolsFor(agent, context), tools: agent.tools, phase: context.phase });
  return refusal !== null && (await project.isWaiting(call.id)) ? null : refusal;
}

/** Returns the messages after the last user text or state. Calls that failed before that point may now succeed. */
function sinceLastUserText(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const isUserText = ({ role, content }: ModelMessage) => role === 'user' && content.some(({ type }) => type === 'text');
  return messages.slice(messages.findLastIndex(isUserText) + 1);
}

/** Returns the error of a call without usable input, otherwise `null`. */
function unreadableInput({ name, unreadable, cutAfter }: ToolCall): FinishedResult | null {
  if (cutAfter !== undefined) {
    const message = `Your call of ${name} was cut off after ${cutAfter} characters, so nothing was done. Send it shorter, in parts.`;
    return { status: 'error', code: 'VALIDATION_ERROR', message, details: null };
  }
  if (unreadable === undefined) return null;
  return {
    status: 'error',
    code: 'VALIDATION_ERROR',
    message: `The input to ${name} was not valid JSON, so nothing was done. Call it again with valid JSON. The input started with: ${unreadable.slice(0, 200)}`,
    details: null,
  };
}

interface ExecutedCallResult {
  readonly call: ToolCall;
  readonly result: FinishedResult;
  readonly durationMs: number | null;
  readonly warning: string | null;
}

/** Creates a result's transcript message: complete unless very large, and formatted for a language model. */
export function resultMessage({ call, result, durationMs, warning }: ExecutedCallResult): ModelMessage {
  const whole = JSON.stringify(result.status === 'completed' ? result.output : { error: errorContent(result) }) ?? 'null';
  const isError = result.status === 'error';
  const { images } = result;
  const block: ContentBlock = {
    type: 'tool_result',
    toolUseId: call.id,
    content: whole.length <= maxStoredCharacters ? whole : digestOf(whole),
    shown: observe({ tool: call.name, content: shownContent(result, whole), isError, durationMs, note: warning }),
    isError,
    ...(images === undefined ? {} : { images }),
  };
  return { role: 'user', content: [block] };
}

/** Returns a result without the details of an error that its message repeats. */
function shownContent(result: FinishedResult, whole: string): string {
  if (result.status !== 'error') return whole;
  const { details, ...error } = errorContent(result);
  const { message } = result;
  const isRepeated = (value: unknown): boolean => {
    if (typeof value === 'string') return value !== '' && message.includes(value);
    return Array.isArray(value) && value.length > 0 && value.every(isRepeated);
  };
  const rest = Object.entries(details ?? {}).filter(([, value]) => !isRepeated(value) && !isSameError(value, result));
  return JSON.stringify({ error: { ...error, ...(rest.length > 0 ? { details: Object.fromEntries(rest) } : {}) } });
}

/** Returns whether a detail is the error itself, which the result of `apply_code` has in both places. */
function isSameError(value: unknown, { message }: Extract<FinishedResult, { status: 'error' }>): boolean {
  return typeof value === 'object' && value !== null && 'message' in value && value.message === message;
}

function digestOf(whole: string): string {
  const sha256 = createHash('sha256').update(whole).digest('hex');
  return JSON.stringify({ leftOut: `${whole.length} characters`, sha256 });
}

const failureSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/**
 * Decides about the next call based on the calls since the user or the project last changed something. The loop decides separately
 * whether the work is complete (`isOver`).
 */
export function decide(next: PlannedCall, executed: readonly ExecutedCall[]): Decision {
  const row = executed.slice(executed.length - consecutiveRepeats(executed, next));
  const failures = row.slice(row.findLastIndex(({ isError }) => !isError) + 1);
  const failure = failureSchema.safeParse(readJson(failures.at(-1)?.content ?? ''));
  if (!failure.success) return decideAfter({ failure: null, attempts: 1, isLast: false });
  return decideAfter({ failure: failure.data.error, attempts: failures.length, isLast: false, mayHaveChanged: true });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A very large result is stored as a digest.
    return null;
  }
}
