import type { ModelMessage } from '../llm/models/model.ts';

/** A tool call that has been answered. */
export interface CallRecord {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly output: Readonly<Record<string, unknown>>;
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/**
 * The answered calls after the last one that matches `start`, and succeeded or was interrupted by a restart, which may
 * have taken effect; all of them when there is none.
 */
export function callsSince(transcript: readonly ModelMessage[], start: (record: CallRecord) => boolean): CallRecord[] {
  const records = answeredCalls(transcript);
  return records.slice(records.findLastIndex((record) => (!record.isError || isInterrupted(record)) && start(record)) + 1);
}

const isInterrupted = (record: CallRecord): boolean => asObject(record.output.error).code === 'INTERRUPTED';

function answeredCalls(transcript: readonly ModelMessage[]): CallRecord[] {
  const calls = new Map<string, { name: string; input: Record<string, unknown> }>();
  const records: CallRecord[] = [];
  for (const block of transcript.flatMap((message) => message.content)) {
    if (block.type === 'tool_use') calls.set(block.id, { name: block.name, input: asObject(block.input) });
    if (block.type !== 'tool_result') continue;
    const call = calls.get(block.toolUseId);
    if (call !== undefined) records.push({ ...call, isError: block.isError, output: asObject(JSON.parse(block.content)) });
  }
  return records;
}

/** How often a tool was called, whatever came of it; interruptions by a restart do not count as attempts. */
export function attemptsOf(calls: readonly CallRecord[], name: string): number {
  return calls.filter((record) => record.name === name && !isInterrupted(record)).length;
}

/** What the last call of a tool said went wrong, in one sentence or a few lines. */
export function lastFailure(calls: readonly CallRecord[], name: string): string {
  const last = calls.findLast((record) => record.name === name);
  if (last === undefined) return '';
  const { message } = asObject(last.output.error);
  if (typeof message === 'string') return message;
  if (Array.isArray(last.output.problems)) return last.output.problems.join(' ');
  const output = [last.output.stdout, last.output.stderr].filter((text) => typeof text === 'string' && text !== '').join('\n');
  return output.slice(0, 2000);
}
