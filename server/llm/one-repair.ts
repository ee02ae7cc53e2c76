import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { AskForJson, AuthorRun, JsonRequest } from '../projects/author.ts';

/** Asks a language model for one JSON value that a kind turns into its document, and once more if it cannot. */

export type Fields = Readonly<Record<string, unknown>>;
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

export function jsonTool(name: string, description: string, fields: z.ZodType): JsonRequest['tool'] {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(fields, { io: 'input' });
  return { name, description, inputSchema };
}

/** Parses a text that is JSON. Returns other values as they are. */
export function jsonOr(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/u.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    // A text that only looks like JSON stays a text, which the caller refuses.
    return value;
  }
}

/** An answer that cannot be used yet. */
interface Rejection {
  readonly problems: readonly { readonly text: string }[];
}

interface Task<Used, Rejected extends Rejection> extends JsonRequest {
  /** Noun for messages: “film”. */
  readonly noun: string;
  /** `before`: the answer that this one corrects. `null` for the first answer. */
  settle(value: unknown, before: Rejected | null): Used | Rejected | Promise<Used | Rejected>;
  /** Returns an answer that contains nothing but this problem. */
  unusable(text: string): Rejected;
  /** Describes what is wrong with an answer, and what to answer instead. */
  repairText(rejected: Rejected): string;
}

const maxReasonCharacters = 200;

/** Asks once, and a second time with what is wrong with the first answer. `why`: why neither answer can be used. */
export async function withOneRepair<Used extends object, Rejected extends Rejection>(
  ask: AskForJson,
  run: AuthorRun,
  { noun, system, tool, message, settle, unusable, repairText }: Task<Used, Rejected>,
): Promise<Used | { readonly why: string }> {
  const isRejected = (settled: Used | Rejected): settled is Rejected => 'problems' in settled;
  const first = await ask({ system, message, tool }, run);
  if ('problem' in first && first.isDeclined) return { why: first.problem };
  const settled = 'problem' in first ? unusable(first.problem) : await settle(first.value, null);
  if (!isRejected(settled)) return settled;
  const second = await repaired(ask, run, { system, message: `${message}\n\n${repairText(settled)}`, tool });
  const last = 'problem' in second ? unusable(second.problem) : await settle(second.value, settled);
  if (!isRejected(last)) return last;
  const reason = last.problems[0]?.text.slice(0, maxReasonCharacters) ?? `it is no ${noun}.`;
  return { why: `The model’s answer could not be used: ${reason}` };
}

/** Asks for the corrected answer. If the model's context has no room for the longer request, that is the answer's problem. */
async function repaired(ask: AskForJson, run: AuthorRun, request: JsonRequest): ReturnType<AskForJson> {
  try {
    return await ask(request, run);
  } catch (error) {
    const isTooSmall = error instanceof KodaError && error.code === 'LIMIT_EXCEEDED' && error.recovery === 'use_larger_model';
    if (!isTooSmall) throw error;
    return { problem: 'The model’s context is too small to correct it.', isDeclined: true };
  }
}
