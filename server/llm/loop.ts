import { KodaError } from '#contract/errors.ts';
import type { ModelUsage, Phase } from '#contract/project.ts';
import type { AuthorContext } from '../projects/assignment.ts';
import { type Agent, type AgentOutcome, type AgentRun, toolsFor } from './agent-run.ts';
import { Budget } from './budget.ts';
import {
  type Entry,
  lastStateText,
  messagesIn,
  messagesOf,
  stateMessage,
  summaryFor,
  type TokenBudget,
  tokenBudget,
  withBoundThinking,
} from './context.ts';
import { initialContext, isInitialContext, queuedMessage, stateText, unfinishedText, userMessage } from './context-text.ts';
import { isWindowTooSmall, type ModelMessage, type ModelRequest } from './models/model.ts';
import { type CallScope, executeCalls, pendingCalls, resolvePendingCalls } from './tool-calls.ts';
import { readTurn, type Turn } from './turn.ts';

/** Consecutive reminders for a model that ends its turn early or is cut off. */
const maxReminders = 2;

/**
 * Alternates between model and tools until the requested work is complete or an approval is pending. Everything is stored as
 * it happens, so an interrupted run resumes from its transcript. Throws CANCELLED on abort and LIMIT_EXCEEDED if a budget is
 * exhausted. Errors from the model propagate.
 */
export async function runAgent(run: AgentRun, options: { signal: AbortSignal }): Promise<AgentOutcome> {
  const entries = [...run.transcript];
  const append = async (entry: Entry) => {
    await run.project.append(entry);
    entries.push(entry);
  };
  const budget = new Budget(run.agent.limits, () => run.project.usage());
  let { note } = run;
  let reminders = 0;

  // The transcript starts with the initial context, on which everything else builds.
  if (entries.length === 0) await append(userMessage(initialContext(await run.project.context())));
  await resolvePendingCalls(run, entries, { append });
  for (;;) {
    const outcome = await executeCalls(run, entries, { budget, append, ...options });
    if (outcome === 'suspended') return 'waiting';
    const queued = await run.project.takeQueuedMessages();
    if (queued.length > 0) await append(queuedMessage(queued));
    // The context does not change until the model has responded.
    const context = await run.project.context();
    options.signal.throwIfAborted();
    if (run.isOver(context)) return 'completed';
    if (note !== null) await append(userMessage(note));
    note = null;
    const tools = toolDefinitions(run.agent, context);
    await addState(run, { entries, context, tokens: budgetOf(run, tools), append });
    budget.step();
    const turn = await requestTurn(run, requestFor(run.agent, tools, entries, context), options);
    // The model's context is smaller than expected, so the request is shortened and repeated.
    if (turn === null) continue;
    await append({ role: 'assistant', content: turn.content });
    const calls = pendingCalls(entries);
    await showTurnText(run, turn, calls.length > 0);
    if (calls.some(({ cutAfter }) => cutAfter === undefined)) {
      reminders = 0;
      continue;
    }
    const reminder = reminderFor(turn, unfinishedText(await run.project.context()));
    if (reminder === null) return 'completed';
    reminders += 1;
    if (reminders > maxReminders) throw stuck(turn);
    // The results of calls that were cut off say so themselves.
    if (calls.length === 0) await append(userMessage(reminder));
  }
}

async function requestTurn(run: AgentRun, request: ModelRequest, options: { signal: AbortSignal }): Promise<Turn | null> {
  const onBroken = (usage: ModelUsage) => run.project.addUsage({ steps: 0, ...usage });
  try {
    const turn = await readTurn(run.model.stream(request, { ...options, onBroken }));
    await run.project.addUsage({ steps: 1, ...turn.usage });
    if (turn.stopReason === 'refusal') throw declined();
    return turn;
  } catch (error) {
    if (!isWindowTooSmall(error)) throw error;
    return null;
  }
}

/** Returns whether a language model can resume a transcript, which must start with its initial context. */
export function canResume(transcript: readonly Entry[]): boolean {
  const [first] = messagesIn(transcript);
  if (first === undefined) return true;
  const [block] = first.content;
  return first.role === 'user' && block?.type === 'text' && isInitialContext(block.text);
}

/** Adds what the model needs between turns: the current state, and a summary if the transcript has become too long. */
async function addState(
  run: AgentRun,
  {
    entries,
    context,
    tokens,
    append,
  }: { entries: readonly Entry[]; context: AuthorContext; tokens: TokenBudget | null } & Pick<CallScope, 'append'>,
): Promise<void> {
  // If the kind chooses its tools, the request offers exactly those, and listing them here would be redundant.
  const isListed = run.agent.offeredTools === undefined;
  const offered = isListed ? run.agent.tools.offeredIn(context.phase).map(({ name }) => name) : null;
  const state = stateMessage(stateText(context, offered));
  if (textOf(state) !== lastStateText(entries)) await append(state);
  // A request must end with a user message, but the server may have stopped right after the model's last text.
  else if (messagesIn(entries).at(-1)?.role === 'assistant') await append(userMessage('Continue.'));
  const summary = tokens === null ? null : summaryFor(entries, tokens);
  if (summary !== null) await append(summary);
}

/**
 * Lists the same tools in as many phases as possible, because the start of a request must stay byte-identical for the service's
 * cache. Those that a phase does not allow reject calls.
 */
function toolDefinitions(agent: Agent, context: AuthorContext): ModelRequest['tools'] {
  return toolsFor(agent, context).map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}

function budgetOf({ agent, model }: AgentRun, tools: ModelRequest['tools']): TokenBudget | null {
  const { contextTokens, responseTokens } = model;
  return contextTokens === null
    ? null
    : tokenBudget({ contextTokens, responseTokens, fixedText: `${agent.system}${JSON.stringify(tools)}` });
}

function requestFor(agent: Agent, tools: ModelRequest['tools'], entries: readonly Entry[], context: AuthorContext): ModelRequest {
  const namesIn = (phase: Phase) => toolsFor(agent, { ...context, phase }).map(({ name }) => name);
  const now = namesIn(context.phase).join();
  const messages = withBoundThinking(messagesOf(entries), (phase) => namesIn(phase).join() === now);
  return { role: 'orchestrator', projectId: context.projectId, system: agent.system, messages, tools, forcedTool: null };
}

function textOf({ content }: ModelMessage): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

async function showTurnText(run: AgentRun, turn: Turn, hasCalls: boolean): Promise<void> {
  const text = textOf({ role: 'assistant', content: turn.content }).trim();
  if (text !== '') await run.project.showText(text, { isEnd: !hasCalls });
}

function reminderFor(turn: Turn, unfinished: string | null): string | null {
  if (isCutOff(turn)) return 'Your response was cut off because it was too long. Continue in smaller steps.';
  return unfinished;
}

function isCutOff({ stopReason, content }: Turn): boolean {
  return stopReason === 'max_tokens' || content.some((block) => block.type === 'tool_use' && block.cutAfter !== undefined);
}

function stuck(turn: Turn): KodaError {
  const why = isCutOff(turn) ? 'exceeded its output limit repeatedly' : 'repeatedly ended its turn before the work was complete';
  return new KodaError(
    'LLM_RESPONSE',
    `The model ${why}. Retry, request less at a time, or choose another model in the settings.`,
    {
      recovery: 'retry',
    },
  );
}

function declined(): KodaError {
  return new KodaError('LLM_RESPONSE', 'The model declined this request. Rephrase it, then retry.', {
    details: { refusal: true },
    recovery: 'send_message',
  });
}
