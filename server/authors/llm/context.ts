import { KodaError } from '#contract/errors.ts';
import { minContextTokens } from '#contract/settings.ts';
import type { ContentBlock, ModelMessage } from './models/model.ts';
import { tokensOf, tokensOfText } from './tokens.ts';

/** How much of the entries before a summary is still sent. */
interface Cut {
  /** Calls that the summary names, the newest ones. */
  readonly callLines: number;
  /** Characters of each result, and of each text in the input of a call; null = whole. */
  readonly detailCharacters: number | null;
  /** The same for the turn that was made last, which the model has not answered yet. */
  readonly latestCharacters: number | null;
}

/** What stands for the beginning of a transcript once it is too long; made once, and kept with it. */
export interface Summary {
  readonly role: 'summary';
  readonly text: string;
  /** The project's state, when its last message is in the part that the summary replaces; null = it comes after it. */
  readonly state: string | null;
  /** Of the entries before this one only the text is sent. */
  readonly upTo: number;
  readonly cut: Cut;
}

export type Entry = ModelMessage | Summary;

/** Messages that stay whole whatever happens (A11). */
const wholeMessages = 10;
/** In a smaller budget than this no request fits. */
const minBudgetTokens = 1_000;
/** The part of the budget that a summary may fill, so that the next one is not due at once. */
const fillAfterSummary = 0.6;
/** From what costs least to what costs most; the first one that fits is taken. */
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
 * What a model is sent of a transcript. Only ever grows at the end until a summary takes the place of the beginning; the
 * thinking from before a summary goes, since it is bound to what stood there. Pure.
 */
export function messagesOf(entries: readonly Entry[]): ModelMessage[] {
  const last = entries.findLastIndex(isSummary);
  const summary = entries[last];
  if (summary === undefined || !isSummary(summary)) return messagesIn(entries);
  const texts = summary.state === null ? [summary.text] : [summary.text, summary.state];
  const beginning: ModelMessage = { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
  const kept = messagesIn(entries.slice(summary.upTo, last));
  const latest = kept.findLastIndex(({ role }) => role === 'assistant');
  const { detailCharacters, latestCharacters } = summary.cut;
  const light = kept.map((message, index) => lightened(message, index < latest ? detailCharacters : latestCharacters));
  const after = messagesIn(entries.slice(last + 1));
  return [beginning, ...light, ...after];
}

/** What prompt, tools and answer leave of a context window for messages, in tokens. */
export interface TokenBudget {
  readonly tokens: number;
}

/**
 * The summary that makes a transcript fit, or null when it fits as it is. The user's words and the last ten messages stay
 * as they were said; of older calls a line each is kept, of older results nothing. Throws LIMIT_EXCEEDED when what has to
 * stay exceeds the budget. Pure.
 */
export function summaryFor(entries: readonly Entry[], { tokens }: TokenBudget): Summary | null {
  if (tokensOf(messagesOf(entries)) <= tokens) return null;
  const upTo = boundary(entries, entries.findLast(isSummary)?.upTo ?? 0);
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
      ? `The context of the model is too small for Koda's prompt. Give its server a context of ${minContextTokens} tokens or more, or use another model.`
      : `What the model has to know takes more than the ${tokens} tokens that its context has room for. Use a model with a larger context (in the settings, or KODA_MODEL_CONTEXT_TOKENS), or start a new project with a shorter request.`,
    { recovery: 'use_larger_model' },
  );
}

/** The first entry to keep: a turn of the model, so that calls stay with their results, with ten messages from it on. */
function boundary(entries: readonly Entry[], from: number): number {
  let messages = 0;
  let index = entries.length;
  while (index > from && (messages < wholeMessages || entries[index]?.role !== 'assistant')) {
    index -= 1;
    if (!isSummary(entries[index])) messages += 1;
  }
  return index;
}

/** The beginning in few words: all that the user said, and what the newest calls came to. */
function summaryText(entries: readonly Entry[], callLines: number): string {
  const messages = messagesIn(entries);
  const failed = new Set(messages.flatMap(({ content }) => content.flatMap(failedCall)));
  const lines = messages.flatMap(({ role, content }) => content.flatMap((block) => lineFor(role, block, failed)));
  const firstCall = lines.filter(({ isOwn }) => isOwn).at(-callLines);
  const isKept = (line: Line, index: number) =>
    !line.isOwn || (callLines > 0 && firstCall !== undefined && index >= lines.indexOf(firstCall));
  return [
    'The beginning of the work, in short; files are as the tools show them now.',
    ...lines.filter(isKept).map(({ text }) => text),
  ].join('\n');
}

interface Line {
  readonly text: string;
  /** Of the model, not of the user. */
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

/** A message from before a summary: without thinking, and with results, inputs and pictures cut. */
function lightened(message: ModelMessage, characters: number | null): ModelMessage {
  const content = message.content.flatMap((block): ContentBlock[] => {
    if (block.type === 'thinking' || block.type === 'redacted_thinking') return [];
    if (characters === null) return [block];
    if (block.type === 'tool_use') return [{ ...block, input: clippedTexts(block.input, characters) }];
    if (block.type !== 'tool_result') return [block];
    const { images: _, shown, ...rest } = block;
    return [{ ...rest, content: clippedResult(shown ?? block.content, characters) }];
  });
  return { ...message, content };
}

/** A result that is cut keeps the line that ends its data: without it what follows would count as data, too. */
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
  // Never half of a pair of surrogates.
  const end = /[\uD800-\uDBFF]/.test(text[characters - 1] ?? '') ? characters - 1 : characters;
  return `${text.slice(0, end)}… (${text.length - end} characters left out)`;
}

export function isSummary(entry: Entry | undefined): entry is Summary {
  return entry?.role === 'summary';
}

const stateMark = '<state>';

/** The project's state as a message of its own. */
export function stateMessage(text: string): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text: `${stateMark}\n${text}\n</state>` }] };
}

function isState(text: string): boolean {
  return text.startsWith(stateMark);
}

/** The last state that was sent; null when none was. */
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

/** The messages among entries, as they were kept. */
export function messagesIn(entries: readonly Entry[]): ModelMessage[] {
  return entries.filter((entry) => !isSummary(entry));
}

/** The token budget of a context window. */
export function tokenBudget(window: { contextTokens: number; answerTokens: number; fixedText: string }): TokenBudget {
  return { tokens: window.contextTokens - window.answerTokens - tokensOfText(window.fixedText) };
}
