import { createHash } from 'node:crypto';
import { KodaError } from '../contract/errors.ts';
import type { ModelUsage, Phase } from '../contract/project.ts';
import type { ToolContext } from '../tools/context.ts';
import { errorContent, type ToolAnswer } from '../tools/define.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { Budget, type Limits, type Spent } from './budget.ts';
import { answeredCalls } from './circles.ts';
import { type Entry, lastStateText, messagesIn, messagesOf, type Room, roomIn, stateMessage, summaryFor } from './context.ts';
import type { ContentBlock, Model, ModelMessage, ModelRequest, SessionFacts } from './models/model.ts';
import { observe } from './observation.ts';
import { readTurn, type Turn } from './turn.ts';
import { isOpeningText, openingText, stateText, unfinishedText } from './words.ts';

type ToolCall = Extract<ContentBlock, { type: 'tool_use' }>;
type Answered = Exclude<ToolAnswer, { status: 'suspended' }>;

/** What the loop needs of the session that it works for. */
export interface AgentSession {
  facts(): Promise<SessionFacts>;
  /** User messages that wait for a tool boundary; they count as delivered when this returns. */
  takeQueuedMessages(): Promise<string[]>;
  /** Keeps an entry of the transcript, durably, before anything that follows from it happens. */
  keep(entry: Entry): Promise<void>;
  addUsage(usage: ModelUsage & { steps: number }): Promise<void>;
  /** What the run has used so far, the code generator's part included; a restart does not reset it. */
  spent(): Spent;
  /** Shows what the model says: beside its calls, or as the end of its turn. */
  said(text: string, options: { isEnd: boolean }): Promise<void>;
  toolStarted(call: { id: string; name: string; input: unknown; label: string }): Promise<void>;
  toolFinished(call: { id: string; name: string; input: unknown; durationMs: number; answer: ToolAnswer }): Promise<void>;
  contextFor(callId: string): ToolContext;
}

/** An agent: what it is told to be, its tools and its limits. The loop knows nothing else of it. */
export interface Agent {
  readonly system: string;
  readonly tools: ToolRegistry;
  readonly limits: Limits;
}

export interface AgentRun {
  readonly agent: Agent;
  readonly model: Model;
  readonly session: AgentSession;
  /** The transcript so far: empty for a new run, what was kept for one that is resumed. */
  readonly transcript: readonly Entry[];
}

/** How a run came to rest: the model ended its turn, or a gate waits for the user. */
export type AgentOutcome = 'completed' | 'waiting';

/** Reading calls of one turn that are at work at a time. */
const maxSideBySide = 8;
/** The director reads results as they are, and generated code is the largest of them; a hostile sandbox could send more. */
const maxKeptCharacters = 8 * 1024 * 1024;
/** How often in a row a model that ends its turn too early, or is cut off, is asked to go on. */
const maxReminders = 2;

const interrupted: Answered = {
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
  const entries = [...run.transcript];
  const keep = async (entry: Entry) => {
    await run.session.keep(entry);
    entries.push(entry);
  };
  const budget = new Budget(run.agent.limits, () => run.session.spent());
  const tools = toolDefinitions(run.agent);
  const room = roomOf(run, tools);
  let reminders = 0;

  // Before anything else is said: what a run begins with is what all of it is about.
  if (entries.length === 0 && !run.model.readsFacts) await keep(userMessage(openingText(await run.session.facts())));
  for (const call of openCalls(entries)) {
    if (call.name === 'request_approval') continue;
    await run.session.toolFinished({ id: call.id, name: call.name, input: call.input, durationMs: 0, answer: interrupted });
    await keep(resultMessage({ call, answer: interrupted, durationMs: null, warning: null }));
  }
  for (;;) {
    const outcome = await answerCalls(run, entries, { budget, keep, ...options });
    if (outcome === 'suspended') return 'waiting';
    const queued = await run.session.takeQueuedMessages();
    if (queued.length > 0) await keep(userMessage(...queued.map((text) => `The user says: ${text}`)));
    // Nothing changes it until the model has answered.
    const facts = await run.session.facts();
    if (!run.model.readsFacts) await tellWhereItStands(run, { entries, facts, room, keep });

    options.signal.throwIfAborted();
    // What was tried often enough is not tried for ever: the session tells the user (A8).
    if (facts.todos.some(({ status }) => status === 'failed')) return 'completed';
    budget.step();
    const onBroken = (usage: ModelUsage) => run.session.addUsage({ steps: 0, ...usage });
    const turn = await readTurn(run.model.stream(requestFor(run.agent, tools, entries, facts), { ...options, onBroken }));
    await run.session.addUsage({ steps: 1, ...turn.usage });
    if (turn.stopReason === 'refusal') throw refused();
    await keep({ role: 'assistant', content: turn.content });
    const calls = openCalls(entries);
    await tellWords(run, turn, calls.length > 0);
    if (calls.length > 0) {
      reminders = 0;
      continue;
    }
    const reminder = reminderFor(turn, run.model.readsFacts ? null : unfinishedText(await run.session.facts()));
    if (reminder === null) return 'completed';
    reminders += 1;
    if (reminders > maxReminders) throw stuck(turn);
    await keep(userMessage(reminder));
  }
}

/**
 * Whether a model can go on with a transcript: a language model with one that begins with the words which it needs, one that
 * reads facts with one that does not. Pure.
 */
export function canGoOn(model: Pick<Model, 'readsFacts'>, transcript: readonly Entry[]): boolean {
  const [first] = messagesIn(transcript);
  return first === undefined || isOpening(first) !== model.readsFacts;
}

function isOpening({ role, content }: ModelMessage): boolean {
  const [block] = content;
  return role === 'user' && block?.type === 'text' && isOpeningText(block.text);
}

interface CallScope {
  readonly budget: Budget;
  readonly keep: (entry: Entry) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Answers what the model called and has no result yet: reading calls side by side, all others one after the other. */
async function answerCalls(
  run: AgentRun,
  entries: readonly Entry[],
  { budget, keep, signal }: CallScope,
): Promise<'answered' | 'suspended'> {
  for (let calls = openCalls(entries); calls.length > 0; calls = openCalls(entries)) {
    signal.throwIfAborted();
    budget.time();
    const { phase } = await run.session.facts();
    const batch = sideBySide(calls, run.agent.tools);
    const before = answeredCalls(messagesIn(entries));
    const warnings = batch.map((call) => budget.call(call, before));
    const answers = await Promise.all(batch.map((call) => answerCall(run, call, { phase })));
    signal.throwIfAborted();
    for (const [index, call] of batch.entries()) {
      const result = answers[index];
      if (result === undefined || result.answer.status === 'suspended') return 'suspended';
      const { answer, durationMs } = result;
      await keep(resultMessage({ call, answer, durationMs, warning: warnings[index] ?? null }));
    }
  }
  return 'answered';
}

/** The first call, and the ones after it as long as all of them only read. */
function sideBySide(calls: readonly ToolCall[], tools: ToolRegistry): ToolCall[] {
  const end = calls.findIndex((call) => !tools.isReadOnly(call.name));
  return calls.slice(0, Math.min(maxSideBySide, Math.max(1, end === -1 ? calls.length : end)));
}

/** The words that a language model needs between its turns: where the work stands, and a summary when it gets long. */
async function tellWhereItStands(
  run: AgentRun,
  { entries, facts, room, keep }: { entries: readonly Entry[]; facts: SessionFacts; room: Room | null } & Pick<CallScope, 'keep'>,
): Promise<void> {
  const offered = run.agent.tools.offeredIn(facts.phase).map(({ name }) => name);
  const state = stateMessage(stateText(facts, offered));
  if (textOf(state) !== lastStateText(entries)) await keep(state);
  // A server that ended right after the model's last words: a conversation goes on with the user's side.
  else if (messagesIn(entries).at(-1)?.role === 'assistant') await keep(userMessage('Go on.'));
  const summary = room === null ? null : summaryFor(entries, room);
  if (summary !== null) await keep(summary);
}

/**
 * All tools, whatever the phase: what a request begins with stays the same byte by byte, for the service's cache and for
 * thinking that is bound to it. Which of them are offered now is told with the state; others answer that they are not.
 */
function toolDefinitions({ tools }: Agent): ModelRequest['tools'] {
  return tools.all().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}

/** What the transcript may take; null where nothing limits it. */
function roomOf({ agent, model }: AgentRun, tools: ModelRequest['tools']): Room | null {
  const { contextTokens, answerTokens } = model;
  return contextTokens === null
    ? null
    : roomIn({ contextTokens, answerTokens, fixedText: `${agent.system}${JSON.stringify(tools)}` });
}

function requestFor(
  { system }: Agent,
  tools: ModelRequest['tools'],
  entries: readonly Entry[],
  facts: SessionFacts,
): ModelRequest {
  return { role: 'orchestrator', system, messages: messagesOf(entries), tools, forcedTool: null, task: null, facts };
}

/** The calls of the model's last message that have no result yet. */
function openCalls(entries: readonly Entry[]): ToolCall[] {
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

async function answerCall(
  run: AgentRun,
  call: ToolCall,
  { phase }: { phase: Phase },
): Promise<{ answer: ToolAnswer; durationMs: number }> {
  const started = performance.now();
  const { id, name, input } = call;
  const { tools } = run.agent;
  await run.session.toolStarted({ id, name, input, label: tools.label(name, input) });
  const answer =
    call.unreadable === undefined ? await tools.call(name, input, phase, run.session.contextFor(id)) : unreadableInput(call);
  const durationMs = Math.round(performance.now() - started);
  if (answer.status !== 'suspended') await run.session.toolFinished({ id, name, input, durationMs, answer });
  return { answer, durationMs };
}

function unreadableInput({ name, unreadable = '' }: ToolCall): Answered {
  return {
    status: 'error',
    code: 'VALIDATION_ERROR',
    message: `The input of ${name} was not JSON, so nothing was done. Call it again with valid JSON; it began with: ${unreadable.slice(0, 200)}`,
    details: null,
  };
}

interface Result {
  readonly call: ToolCall;
  readonly answer: Answered;
  readonly durationMs: number | null;
  /** What the model has to be told beside the answer. */
  readonly warning: string | null;
}

/** An answer as the transcript keeps it: whole unless it is very large, and in the words that a language model gets. */
function resultMessage({ call, answer, durationMs, warning }: Result): ModelMessage {
  const whole = JSON.stringify(answer.status === 'completed' ? answer.output : { error: errorContent(answer) }) ?? 'null';
  const isError = answer.status === 'error';
  const images = answer.status === 'completed' ? answer.images : undefined;
  const result: ContentBlock = {
    type: 'tool_result',
    toolUseId: call.id,
    content: whole.length <= maxKeptCharacters ? whole : digestOf(whole),
    shown: observe({ tool: call.name, content: whole, isError, durationMs, note: warning }),
    isError,
    ...(images === undefined ? {} : { images }),
  };
  return { role: 'user', content: [result] };
}

/** What tells two large results apart, in their place. */
function digestOf(whole: string): string {
  const sha256 = createHash('sha256').update(whole).digest('hex');
  return JSON.stringify({ leftOut: `${whole.length} characters`, sha256 });
}

function userMessage(...texts: readonly string[]): ModelMessage {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
}

function textOf({ content }: ModelMessage): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

async function tellWords(run: AgentRun, turn: Turn, hasCalls: boolean): Promise<void> {
  const text = textOf({ role: 'assistant', content: turn.content }).trim();
  if (text !== '') await run.session.said(text, { isEnd: !hasCalls });
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
  return new KodaError('LLM_RESPONSE', `The model ${why}. Retry, ask for less at a time, or use another model (KODA_MODEL).`, {
    recovery: 'retry',
  });
}

function refused(): KodaError {
  return new KodaError('LLM_RESPONSE', 'The model declined this request. Say in other words what you want, then retry.', {
    details: { refusal: true },
    recovery: 'send_message',
  });
}
