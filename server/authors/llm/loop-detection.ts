import type { ContentBlock, ModelMessage } from './models/model.ts';

export interface PlannedCall {
  readonly name: string;
  readonly input: unknown;
}

export interface AnsweredCall extends PlannedCall {
  readonly isError: boolean;
  readonly content: string;
}

/** Calls that were made over and over, one after the other, with the same results. */
export interface Loop {
  /** Their names in order; one for a call that is repeated by itself. */
  readonly names: readonly string[];
  /** How often they were gone through. */
  readonly rounds: number;
}

/** Longest loop that is looked for: write, check, look. */
const maxPeriod = 3;
/** Further back nothing is compared. */
const maxLookBack = 120;
/** Calls that only send a message: a loop stays one when the model talks in between. */
const messageCalls: ReadonlySet<string> = new Set(['set_thinking', 'add_message']);

/** What a result was read as; results are large, stay as they are, and are asked for before each call. */
const answered = new WeakMap<ContentBlock, AnsweredCall | null>();
const signatures = new WeakMap<AnsweredCall, Signed>();

/** The calls of a transcript that have a result; those that a restart interrupted do not count. Pure. */
export function answeredCalls(messages: readonly ModelMessage[]): AnsweredCall[] {
  const blocks = messages.flatMap((message) => message.content);
  const results = new Map(blocks.filter((block) => block.type === 'tool_result').map((block) => [block.toolUseId, block]));
  return blocks
    .filter((block): block is Extract<ContentBlock, { type: 'tool_use' }> => block.type === 'tool_use')
    .flatMap(({ id, name, input }) => {
      const result = results.get(id);
      if (result === undefined) return [];
      let call = answered.get(result);
      if (call === undefined) {
        const { isError, content } = result;
        call = isInterrupted(content) ? null : { name, input, isError, content };
        answered.set(result, call);
      }
      return call === null ? [] : [call];
    });
}

/** The loop that a call would go on with; null when it is in none. Pure. */
export function loopBefore(calls: readonly AnsweredCall[], next: PlannedCall): Loop | null {
  const recent = calls.slice(-maxLookBack).map(signed);
  const signedNext = { exact: exactCall(next), loose: looseCall(next) };
  const loops = longest(recent, signedNext);
  // A message is judged among all calls only.
  if (!messageCalls.has(next.name))
    loops.push(
      ...longest(
        recent.filter(({ name }) => !messageCalls.has(name)),
        signedNext,
      ),
    );
  return loops.reduce<Loop | null>((best, loop) => (best === null || loop.rounds > best.rounds ? loop : best), null);
}

/** How often this very call was made last, one after the other, whatever came of it. Pure. */
export function timesInARow(calls: readonly AnsweredCall[], next: PlannedCall): number {
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

/** The loops of each length at the end of the calls that `next` would go on with. */
function longest(calls: readonly Signed[], next: Pick<Signed, 'exact' | 'loose'>): Loop[] {
  const loops: Loop[] = [];
  for (let period = 1; period <= maxPeriod; period++) {
    const due = calls.at(-period);
    if (due === undefined || calls.length < period || !isSameCall(due, next)) continue;
    let index = calls.length - 1;
    while (index - period >= 0 && isSame(calls[index], calls[index - period])) index -= 1;
    const length = calls.length - 1 - index + period;
    const names = calls.slice(-period).map(({ name }) => name);
    loops.push({ names, rounds: Math.floor(length / period) });
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

/** A call that failed and is made again with a space or a capital more is the same call. */
function isSameCall(made: Signed, other: Pick<Signed, 'exact' | 'loose'>): boolean {
  return made.isError ? made.loose === other.loose : made.exact === other.exact;
}

function signed(call: AnsweredCall): Signed {
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

/** What came of a call, without what differs each time: how long it took, and numbers in the words of an error. */
function resultOf({ isError, content }: AnsweredCall): string {
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
