import type { ContentBlock, ModelMessage } from './models/model.ts';

export interface PlannedCall {
  readonly name: string;
  readonly input: unknown;
}

export interface ExecutedCall extends PlannedCall {
  readonly isError: boolean;
  readonly content: string;
}

/** Sequence of calls that was repeated with the same results. */
export interface Loop {
  /** Tool names in order. A single name for a call that repeats itself. */
  readonly names: readonly string[];
  readonly repetitions: number;
}

const maxPeriod = 3;
const maxComparedCalls = 120;
const messageCalls: ReadonlySet<string> = new Set(['set_thinking', 'add_message']);

/** Cached by result, because results are large, immutable and needed before each call. */
const executedByResult = new WeakMap<ContentBlock, ExecutedCall | null>();
const signatures = new WeakMap<ExecutedCall, Signed>();

/** Returns a transcript's calls that have a result, except those that a restart interrupted. */
export function executedCalls(messages: readonly ModelMessage[]): ExecutedCall[] {
  const blocks = messages.flatMap((message) => message.content);
  const results = new Map(blocks.filter((block) => block.type === 'tool_result').map((block) => [block.toolUseId, block]));
  return blocks
    .filter((block): block is Extract<ContentBlock, { type: 'tool_use' }> => block.type === 'tool_use')
    .flatMap(({ id, name, input }) => {
      const result = results.get(id);
      if (result === undefined) return [];
      let call = executedByResult.get(result);
      if (call === undefined) {
        const { isError, content } = result;
        call = isInterrupted(content) ? null : { name, input, isError, content };
        executedByResult.set(result, call);
      }
      return call === null ? [] : [call];
    });
}

export function detectLoop(calls: readonly ExecutedCall[], next: PlannedCall): Loop | null {
  const recent = calls.slice(-maxComparedCalls).map(signed);
  const signedNext = { exact: exactCall(next), loose: looseCall(next) };
  const loops = loopsAtEnd(recent, signedNext);
  if (!messageCalls.has(next.name))
    loops.push(
      ...loopsAtEnd(
        recent.filter(({ name }) => !messageCalls.has(name)),
        signedNext,
      ),
    );
  return loops.reduce<Loop | null>((best, loop) => (best === null || loop.repetitions > best.repetitions ? loop : best), null);
}

/** Counts the identical calls immediately before this one, whatever their results. */
export function consecutiveRepeats(calls: readonly ExecutedCall[], next: PlannedCall): number {
  const exact = exactCall(next);
  const others = messageCalls.has(next.name) ? calls : calls.filter(({ name }) => !messageCalls.has(name));
  const last = others.findLastIndex((call) => signed(call).exact !== exact);
  return others.length - 1 - last;
}

interface Signed {
  readonly name: string;
  readonly isError: boolean;
  readonly exact: string;
  readonly loose: string;
  readonly result: string;
}

/** Returns the loops at the end of `calls` that `next` would continue, one per length. */
function loopsAtEnd(calls: readonly Signed[], next: Pick<Signed, 'exact' | 'loose'>): Loop[] {
  const loops: Loop[] = [];
  for (let period = 1; period <= maxPeriod; period++) {
    const due = calls.at(-period);
    if (due === undefined || calls.length < period || !isSameCall(due, next)) continue;
    let index = calls.length - 1;
    while (index - period >= 0 && isSame(calls[index], calls[index - period])) index -= 1;
    const length = calls.length - 1 - index + period;
    const names = calls.slice(-period).map(({ name }) => name);
    loops.push({ names, repetitions: Math.floor(length / period) });
  }
  return loops;
}

function isSame(one: Signed | undefined, other: Signed | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.isError === other.isError &&
    one.result === other.result &&
    isSameCall(one, other)
  );
}

/** A failed call that is repeated with different spacing or capitalisation counts as the same call. */
function isSameCall(made: Signed, other: Pick<Signed, 'exact' | 'loose'>): boolean {
  return made.isError ? made.loose === other.loose : made.exact === other.exact;
}

function signed(call: ExecutedCall): Signed {
  let known = signatures.get(call);
  if (known === undefined) {
    const { name, isError } = call;
    known = { name, isError, exact: exactCall(call), loose: looseCall(call), result: resultOf(call) };
    signatures.set(call, known);
  }
  return known;
}

function exactCall({ name, input }: PlannedCall): string {
  return `${name} ${JSON.stringify(sorted(input)) ?? ''}`;
}

function looseCall(call: PlannedCall): string {
  return exactCall(call)
    .toLowerCase()
    .replace(/\\[nrt]|\s+/g, ' ')
    .replace(/\\?["'`]/g, '')
    .replace(/ +/g, ' ')
    .replace(/ ?([:,;{}[\]()]) ?/g, '$1');
}

/** Returns a result without its volatile parts: durations, and numbers in error messages. */
function resultOf({ isError, content }: ExecutedCall): string {
  const value = parsed(content);
  if (value === undefined) return isError ? content.replace(/\d+/g, '#') : content;
  const text = JSON.stringify(sorted(value, isVolatile)) ?? '';
  return isError ? text.replace(/\d+/g, '#') : text;
}

const isVolatile = (key: string): boolean => /(duration|time|elapsed)(_?ms|seconds)?$/i.test(key);

function sorted(value: unknown, isLeftOut: (key: string) => boolean = () => false): unknown {
  if (Array.isArray(value)) return value.map((item) => sorted(item, isLeftOut));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !isLeftOut(key));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item, isLeftOut)]));
}

function isInterrupted(content: string): boolean {
  const value = parsed(content);
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const { error } = value;
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'INTERRUPTED';
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
