import { KodaError } from '#contract/errors.ts';
import { type Phase, phaseSchema } from '#contract/project.ts';
import { minCodeContextTokens } from '#contract/settings.ts';
import type { ContentBlock, ModelMessage } from './models/model.ts';
import { tokensOf, tokensOfText } from './tokens.ts';

/** Limits for the entries before a summary. */
interface Cut {
  readonly callLines: number;
  /** Maximum characters of each result, and of each string in a call's input. `null` for no limit. */
  readonly detailCharacters: number | null;
  /** The same limit for the latest turn, which the model has not responded to yet. */
  readonly latestCharacters: number | null;
}

/** Replaces the start of a transcript that has become too long. Created once and stored with it. */
export interface Summary {
  readonly role: 'summary';
  readonly text: string;
  /** Project state, if its last message is in the replaced part. `null` if it follows later. */
  readonly state: string | null;
  /** Index of the first entry that is still sent. */
  readonly upTo: number;
  readonly cut: Cut;
}

export type Entry = ModelMessage | Summary;

const wholeMessages = 10;
const minBudgetTokens = 1_000;
/** Fraction of the budget that a summary may fill, so that the next one is not due immediately. */
const fillAfterSummary = 0.6;
/** Limits, from the least to the most lossy. The first that makes the transcript fit is used. */
const cuts: readonly Cut[] = [
  { callLines: 200, detailCharacters: null, latestCharacters: null },
  { callLines: 200, detailCharacters: 4_000, latestCharacters: null },
  { callLines: 60, detailCharacters: 1_000, latestCharacters: null },
  { callLines: 20, detailCharacters: 400, latestCharacters: 8_000 },
  { callLines: 10, detailCharacters: 200, latestCharacters: 2_000 },
  { callLines: 0, detailCharacters: 80, latestCharacters: 500 },
];
const lineCharacters = 300;

/**
 * Returns the messages that a model receives for a transcript. They are only appended to until a summary replaces the start.
 * Thinking from before a summary is dropped, because it is bound to the replaced text.
 */
export function messagesOf(entries: readonly Entry[]): ModelMessage[] {
  return withoutOldImages(summarisedMessages(entries));
}

const maxSheets = 2;
const leftOut = '[Image left out: newer ones follow.]';

/**
 * Leaves out the images of frames except the newest two, because older ones show what has changed since. Images of files stay.
 * A request changes only from the image that it leaves out, so that the service's cache keeps everything before it. Thinking that
 * followed such an image, before the newest one, is bound to it and is dropped too.
 */
function withoutOldImages(messages: ModelMessage[]): ModelMessage[] {
  const blocks = messages.flatMap(({ content }) => content);
  const views = new Set(blocks.flatMap((block) => (block.type === 'tool_use' && block.name === 'file_view' ? [block.id] : [])));
  const sheets = blocks.filter(
    (block) => block.type === 'tool_result' && (block.images ?? []).length > 0 && !views.has(block.toolUseId),
  );
  const old = new Set(sheets.slice(0, -maxSheets));
  if (old.size === 0) return messages;
  const indexOf = (block: ContentBlock | undefined) => messages.findIndex(({ content }) => content.some((one) => one === block));
  const [from, to] = [indexOf(sheets[0]), indexOf(sheets.at(-1))];
  return messages.map((message, index) => {
    if (index < from || index > to) return message;
    const content = message.content
      .filter((block) => !isThinking(block))
      .map((block) => (old.has(block) ? imageless(block) : block));
    return { ...message, content };
  });
}

const isThinking = ({ type }: ContentBlock): boolean => type === 'thinking' || type === 'redacted_thinking';

function imageless(block: ContentBlock): ContentBlock {
  if (block.type !== 'tool_result') return block;
  const { images: _, ...rest } = block;
  return { ...rest, shown: `${block.shown ?? block.content}\n${leftOut}`, isImageless: true };
}

function summarisedMessages(entries: readonly Entry[]): ModelMessage[] {
  const last = entries.findLastIndex(isSummary);
  const summary = entries[last];
  if (summary === undefined || !isSummary(summary)) return messagesIn(entries);
  const texts = summary.state === null ? [summary.text] : [summary.text, summary.state];
  const beginning: ModelMessage = { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
  const kept = messagesIn(entries.slice(summary.upTo, last));
  const latest = kept.findLastIndex(({ role }) => role === 'assistant');
  const { detailCharacters, latestCharacters } = summary.cut;
  const shortenedKept = kept.map((message, index) => shortened(message, index < latest ? detailCharacters : latestCharacters));
  const after = messagesIn(entries.slice(last + 1));
  return [beginning, ...shortenedKept, ...after];
}

export interface TokenBudget {
  readonly tokens: number;
}

/**
 * Returns the summary that makes a transcript fit, or `null` if it already fits. User messages and the last ten messages stay
 * complete; older calls keep one line each, older results nothing. Throws LIMIT_EXCEEDED if the protected part exceeds the
 * budget.
 */
export function summaryFor(entries: readonly Entry[], { tokens }: TokenBudget): Summary | null {
  if (tokensOf(messagesOf(entries)) <= tokens) return null;
  const upTo = firstKeptIndex(entries, entries.findLast(isSummary)?.upTo ?? 0);
  const stateAfter = stateIn(entries.slice(upTo));
  const state = stateAfter === null ? lastStateText(entries) : null;
  for (const target of [tokens * fillAfterSummary, tokens]) {
    for (const cut of cuts) {
      const summary: Summary = { role: 'summary', text: summaryText(entries.slice(0, upTo), cut.callLines), state, upTo, cut };
      if (tokensOf(messagesOf([...entries, summary])) <= target) return summary;
    }
  }
  throw new KodaError(
    'LIMIT_EXCEEDED',
    tokens < minBudgetTokens
      ? `The model's context is too small for Koda's prompt. Configure its server for a context of at least ${minCodeContextTokens} tokens, set KODA_MODEL_PATH=formats, or use another model.`
      : `The project does not fit into the ${tokens} tokens available in the model's context. Use a model with a larger context (in the settings, or KODA_MODEL_CONTEXT_TOKENS), or start a new project with a shorter request.`,
    { recovery: 'use_larger_model' },
  );
}

/**
 * Returns the index of the first entry to keep: a model turn, so that calls keep their results, with ten messages after it.
 */
function firstKeptIndex(entries: readonly Entry[], from: number): number {
  let messages = 0;
  let index = entries.length;
  while (index > from && (messages < wholeMessages || entries[index]?.role !== 'assistant')) {
    index -= 1;
    if (!isSummary(entries[index])) messages += 1;
  }
  return index;
}

/** Summarises the start of a transcript: all user messages and the outcomes of the newest calls. */
function summaryText(entries: readonly Entry[], callLines: number): string {
  const messages = messagesIn(entries);
  const failed = new Set(messages.flatMap(({ content }) => content.flatMap(failedCall)));
  const lines = messages.flatMap(({ role, content }) => content.flatMap((block) => lineFor(role, block, failed)));
  const firstCall = lines.filter(({ isOwn }) => isOwn).at(-callLines);
  const isKept = (line: Line, index: number) =>
    !line.isOwn || (callLines > 0 && firstCall !== undefined && index >= lines.indexOf(firstCall));
  return ['Summary of the work so far. For current files, use the tools.', ...lines.filter(isKept).map(({ text }) => text)].join(
    '\n',
  );
}

interface Line {
  readonly text: string;
  readonly isOwn: boolean;
}

function lineFor(role: ModelMessage['role'], block: ContentBlock, failed: ReadonlySet<string>): Line[] {
  // The state is sent again after every change.
  if (block.type === 'text' && role === 'user') return isState(block.text) ? [] : [{ text: block.text, isOwn: false }];
  if (block.type === 'text') return [{ text: `You said: ${clip(block.text)}`, isOwn: true }];
  if (block.type !== 'tool_use') return [];
  const outcome = failed.has(block.id) ? ' (failed)' : '';
  return [{ text: `You called ${block.name} ${clip(JSON.stringify(block.input ?? {}))}${outcome}`, isOwn: true }];
}

const failedCall = (block: ContentBlock): string[] => (block.type === 'tool_result' && block.isError ? [block.toolUseId] : []);

/** Shortens a message from before a summary: no thinking or images, and truncated results and inputs. */
function shortened(message: ModelMessage, characters: number | null): ModelMessage {
  const content = message.content.flatMap((block): ContentBlock[] => {
    if (isThinking(block)) return [];
    if (characters === null) return [block];
    if (block.type === 'tool_use') return [{ ...block, input: clippedTexts(block.input, characters) }];
    if (block.type !== 'tool_result') return [block];
    const { images: _, shown, ...rest } = block;
    return [{ ...rest, content: clippedResult(shown ?? block.content, characters) }];
  });
  return { ...message, content };
}

/** Keeps the line that ends a result's data. Without it, the text after it would count as data. */
function clippedResult(text: string, characters: number): string {
  const end = /\n(\S+-end)$/.exec(text)?.[1];
  const short = clip(text, characters);
  return end === undefined || short === text ? short : `${short}\n${end}`;
}

function clippedTexts(value: unknown, characters: number): unknown {
  if (typeof value === 'string') return clip(value, characters);
  if (Array.isArray(value)) return value.map((item) => clippedTexts(item, characters));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clippedTexts(item, characters)]));
}

function clip(text: string, characters = lineCharacters): string {
  if (text.length <= characters) return text;
  const end = /[\uD800-\uDBFF]/.test(text[characters - 1] ?? '') ? characters - 1 : characters;
  return `${text.slice(0, end)}… (${text.length - end} characters left out)`;
}

/**
 * Returns messages without the thinking from phases that `isBound` excludes. Thinking is bound to the start of its request, which
 * includes the tools, and the service rejects it under others.
 */
export function withBoundThinking(messages: readonly ModelMessage[], isBound: (phase: Phase) => boolean): ModelMessage[] {
  let isKept = true;
  return messages.map((message) => {
    for (const block of message.content) {
      const phase = block.type === 'text' && message.role === 'user' ? statedPhase(block.text) : null;
      if (phase !== null) isKept = isBound(phase);
    }
    const isUnchanged = isKept || !message.content.some(isThinking);
    return isUnchanged ? message : { ...message, content: message.content.filter((block) => !isThinking(block)) };
  });
}

function statedPhase(text: string): Phase | null {
  return isState(text) ? (phaseSchema.safeParse(/^phase: (\w+)$/m.exec(text)?.[1]).data ?? null) : null;
}

export function isSummary(entry: Entry | undefined): entry is Summary {
  return entry?.role === 'summary';
}

const stateTag = '<state>';

export function stateMessage(text: string): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text: `${stateTag}\n${text}\n</state>` }] };
}

function isState(text: string): boolean {
  return text.startsWith(stateTag);
}

export function lastStateText(entries: readonly Entry[]): string | null {
  const summary = entries.findLast(isSummary);
  return summary === undefined ? stateIn(entries) : (stateIn(entries.slice(summary.upTo)) ?? summary.state);
}

function stateIn(entries: readonly Entry[]): string | null {
  for (const { content } of messagesIn(entries).toReversed()) {
    const found = content.findLast((block) => block.type === 'text' && isState(block.text));
    if (found?.type === 'text') return found.text;
  }
  return null;
}

export function messagesIn(entries: readonly Entry[]): ModelMessage[] {
  return entries.filter((entry) => !isSummary(entry));
}

export function tokenBudget(window: { contextTokens: number; responseTokens: number; fixedText: string }): TokenBudget {
  return { tokens: window.contextTokens - window.responseTokens - tokensOfText(window.fixedText) };
}
