import { KodaError } from '#contract/errors.ts';
import type { ModelUsage } from '#contract/project.ts';
import type { ProjectFacts } from '../assignment.ts';
import type { Agent, AgentOutcome, AgentRun } from './agent-run.ts';
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
} from './context.ts';
import { isWindowTooSmall, type ModelMessage, type ModelRequest } from './models/model.ts';
import { answerCalls, type CallScope, closeOpenCalls, openCalls } from './tool-calls.ts';
import { readTurn, type Turn } from './turn.ts';
import { heardMessage, isOpeningText, openingText, stateText, unfinishedText, userMessage } from './words.ts';

/** How often in a row a model that ends its turn too early, or is cut off, is asked to go on. */
const maxReminders = 2;

/**
 * Model and tools in turn, until what the model was asked for is over or an approval waits. Everything is kept as it
 * happens, so that a run which was cut off anywhere goes on from its transcript. Throws KodaError: CANCELLED
 * when the signal fires, LIMIT_EXCEEDED when a budget is used up, the model's own errors.
 */
export async function runAgent(run: AgentRun, options: { signal: AbortSignal }): Promise<AgentOutcome> {
  const entries = [...run.transcript];
  const keep = async (entry: Entry) => {
    await run.project.keep(entry);
    entries.push(entry);
  };
  const budget = new Budget(run.agent.limits, () => run.project.spent());
  const tools = toolDefinitions(run.agent);
  let { note } = run;
  let reminders = 0;

  // Before anything else is said: what a run begins with is what all of it is about.
  if (entries.length === 0) await keep(userMessage(openingText(await run.project.facts())));
  await closeOpenCalls(run, entries, { keep });
  for (;;) {
    const outcome = await answerCalls(run, entries, { budget, keep, ...options });
    if (outcome === 'suspended') return 'waiting';
    const queued = await run.project.takeQueuedMessages();
    if (queued.length > 0) await keep(heardMessage(queued));
    // Nothing changes it until the model has answered.
    const facts = await run.project.facts();
    options.signal.throwIfAborted();
    if (run.isOver(facts)) return 'completed';
    if (note !== null) await keep(userMessage(note));
    note = null;
    await tellWhereItStands(run, { entries, facts, tokens: budgetOf(run, tools), keep });
    budget.step();
    const turn = await askedWithin(run, requestFor(run.agent, tools, entries, facts), options);
    // The model's context is smaller than expected: the same request again, shorter.
    if (turn === null) continue;
    await run.project.addUsage({ steps: 1, ...turn.usage });
    if (turn.stopReason === 'refusal') throw refused();
    await keep({ role: 'assistant', content: turn.content });
    const calls = openCalls(entries);
    await tellWords(run, turn, calls.length > 0);
    if (calls.length > 0) {
      reminders = 0;
      continue;
    }
    const reminder = reminderFor(turn, unfinishedText(await run.project.facts()));
    if (reminder === null) return 'completed';
    reminders += 1;
    if (reminders > maxReminders) throw stuck(turn);
    await keep(userMessage(reminder));
  }
}

/** What the model answers; null when the request was too long for it. */
async function askedWithin(run: AgentRun, request: ModelRequest, options: { signal: AbortSignal }): Promise<Turn | null> {
  const onBroken = (usage: ModelUsage) => run.project.addUsage({ steps: 0, ...usage });
  try {
    return await readTurn(run.model.stream(request, { ...options, onBroken }));
  } catch (error) {
    if (!isWindowTooSmall(error)) throw error;
    return null;
  }
}

/** Whether a language model can go on with a transcript: one that begins with the words which it needs. Pure. */
export function canGoOn(transcript: readonly Entry[]): boolean {
  const [first] = messagesIn(transcript);
  if (first === undefined) return true;
  const [block] = first.content;
  return first.role === 'user' && block?.type === 'text' && isOpeningText(block.text);
}

/** The words that a language model needs between its turns: where the work stands, and a summary when it gets long. */
async function tellWhereItStands(
  run: AgentRun,
  {
    entries,
    facts,
    tokens,
    keep,
  }: { entries: readonly Entry[]; facts: ProjectFacts; tokens: TokenBudget | null } & Pick<CallScope, 'keep'>,
): Promise<void> {
  const offered = run.agent.tools.offeredIn(facts.phase).map(({ name }) => name);
  const state = stateMessage(stateText(facts, offered));
  if (textOf(state) !== lastStateText(entries)) await keep(state);
  // A server that ended right after the model's last words: a conversation goes on with the user's side.
  else if (messagesIn(entries).at(-1)?.role === 'assistant') await keep(userMessage('Go on.'));
  const summary = tokens === null ? null : summaryFor(entries, tokens);
  if (summary !== null) await keep(summary);
}

/**
 * All tools, whatever the phase: what a request begins with stays the same byte by byte, for the service's cache and for
 * thinking that is bound to it. The state names those that are offered now; the others refuse a call.
 */
function toolDefinitions({ tools }: Agent): ModelRequest['tools'] {
  return tools.all().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}

/** What the transcript may take; null where nothing limits it. */
function budgetOf({ agent, model }: AgentRun, tools: ModelRequest['tools']): TokenBudget | null {
  const { contextTokens, answerTokens } = model;
  return contextTokens === null
    ? null
    : tokenBudget({ contextTokens, answerTokens, fixedText: `${agent.system}${JSON.stringify(tools)}` });
}

function requestFor(
  { system }: Agent,
  tools: ModelRequest['tools'],
  entries: readonly Entry[],
  { projectId }: ProjectFacts,
): ModelRequest {
  return { role: 'orchestrator', projectId, system, messages: messagesOf(entries), tools, forcedTool: null };
}

function textOf({ content }: ModelMessage): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

async function tellWords(run: AgentRun, turn: Turn, hasCalls: boolean): Promise<void> {
  const text = textOf({ role: 'assistant', content: turn.content }).trim();
  if (text !== '') await run.project.said(text, { isEnd: !hasCalls });
}

function reminderFor(turn: Turn, unfinished: string | null): string | null {
  if (turn.stopReason === 'max_tokens')
    return 'Your answer was cut off because it was too long, and nothing of an unfinished call was done. Go on in smaller steps.';
  return unfinished;
}

function stuck(turn: Turn): KodaError {
  const why =
    turn.stopReason === 'max_tokens'
      ? 'ran out of room in the middle of its answers'
      : 'ended its turn again and again before the work was done';
  return new KodaError(
    'LLM_RESPONSE',
    `The model ${why}. Retry, ask for less at a time, or choose another model in the settings.`,
    {
      recovery: 'retry',
    },
  );
}

function refused(): KodaError {
  return new KodaError('LLM_RESPONSE', 'The model declined this request. Say in other words what you want, then retry.', {
    details: { refusal: true },
    recovery: 'send_message',
  });
}
