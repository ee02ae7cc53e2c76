import { z } from 'zod';
import { newId } from '#contract/ids.ts';
import { jsonTool } from '../../../llm/one-repair.ts';
import type { OwnTool, Tool } from '../../../tools/tool.ts';
import { videosToMakeSchema } from '../render-videos.ts';
import { formSchema, type ModelForm, surfaceIn } from './form.ts';
import { unknownFields } from './unknown-fields.ts';

/** What a language model answers: its reading of the request, and the next step. */

const reasoning = {
  intent: z.string().max(500).describe('what the person wants, in one sentence'),
  missing: z.array(z.string().max(200)).max(20).default([]).describe('what must be asked before anything can run'),
  confidence: z.number().min(0).max(1).describe('how sure you are of the intent, from 0 to 1'),
  says: z.string().min(1).max(2_000).describe('one or two sentences to the person'),
};
const answerSchema = z.object({
  ...reasoning,
  show: formSchema.nullish().describe('an interface: to ask, to confirm, or with the end, the result'),
  call: z
    .object({ tool: z.string().max(100), input: z.record(z.string(), z.unknown()).default({}) })
    .nullish()
    .describe('a tool to call now'),
  end: z.boolean().default(false).describe('true if nothing is left to do'),
});

/** The parts of an interface are described in the rules. */
const shownForm = z.object({
  title: z.string(),
  parts: z.array(z.looseObject({ component: z.string() })),
  buttons: z.array(z.looseObject({ id: z.string(), label: z.string() })).optional(),
});
export const stepTool = jsonTool(
  'next_step',
  'Takes the next step: shows an interface, calls a tool, or ends.',
  answerSchema.extend({ show: shownForm.nullish() }),
);

export const stepSchema = z.object({
  ...reasoning,
  next: z.discriminatedUnion('type', [
    z.object({ type: z.literal('show'), form: formSchema }),
    z.object({ type: z.literal('call'), tool: z.string(), input: z.record(z.string(), z.unknown()) }),
    z.object({ type: z.literal('end'), form: formSchema.nullable() }),
  ]),
});
export type Step = z.output<typeof stepSchema>;

const answerJsonSchema = z.toJSONSchema(answerSchema, { io: 'input' });

export interface Rejected {
  readonly problems: readonly { readonly text: string }[];
  /** The refused answer. Missing if it is not JSON. */
  readonly answer?: unknown;
}
export const rejected = (...texts: readonly string[]): Rejected => ({ problems: texts.map((text) => ({ text })) });

export interface Allowed {
  readonly tools: readonly Tool[];
  /** Names of the tools that the person has turned off. */
  readonly off: ReadonlySet<string>;
  /** Why calls of a tool are refused for the rest of the turn, by name. */
  readonly refused: ReadonlyMap<string, string>;
  /** Why a call with this input is refused, by `callKey`. */
  readonly failed: ReadonlyMap<string, string>;
  /** Time zone of a new schedule whose call names none. `null` if the person's is not known. */
  readonly timeZone: string | null;
}

/** Identifies a call, also without the ids and defaults that `repeatable` adds. */
export function callKey(tool: string, input: unknown): string {
  const made = tool === 'render_videos' ? videosToMakeSchema.safeParse(input).data : undefined;
  const known = made === undefined ? input : { ...made, videos: made.videos.map((video) => ({ ...video, id: undefined })) };
  const id = ids.get(tool)?.field;
  return `${tool} ${JSON.stringify(known, (name, value: unknown) => (name === id ? undefined : value))}`;
}

/** Fields for the ids of what a call makes. */
const ids: ReadonlyMap<string, { readonly field: string; readonly prefix: 'prj' | 'sch' | 'msg' }> = new Map([
  ['make_project', { field: 'id', prefix: 'prj' }],
  ['make_schedule', { field: 'id', prefix: 'sch' }],
  ['tell_project', { field: 'message_id', prefix: 'msg' }],
]);

/** Tools that need a time zone. */
const inTimeZone: ReadonlySet<string> = new Set(['check_schedule', 'make_schedule']);

/** Below it, the model has to ask before it changes anything. */
const minConfidence = 0.5;

/** Reads an answer. What is missing or unsure is asked first: a call that changes something is refused until then. */
export function stepIn(value: unknown, allowed: Allowed): Step | Rejected {
  const parsed = answerSchema.safeParse(value);
  // Unknown fields are reported only with other problems.
  if (!parsed.success) return rejected(...unknownFields(answerJsonSchema, value, 'answer'), ...issuesOf(parsed.error, value, []));
  const { show, call, end, ...reasoned } = parsed.data;
  if (call)
    return show || end ? rejected('Call a tool, or show an interface, or end: not both.') : callIn(call, reasoned, allowed);
  if (show) {
    const problem = problemOf(show, { isEnd: end });
    if (problem !== null) return rejected(problem);
  }
  if (end) return { ...reasoned, next: { type: 'end', form: show ?? null } };
  return show ? { ...reasoned, next: { type: 'show', form: show } } : rejected('Show an interface, call a tool, or set end.');
}

/** Returns one sentence for each issue, with the path of its field. */
function issuesOf({ issues }: z.ZodError, value: unknown, within: readonly string[]): string[] {
  return issues.map(({ path, message }) => {
    const isMissing = path.length > 0 && path.reduce<unknown>(fieldOf, value) === undefined;
    return `${[...within, ...path].map(String).join('.')}: ${isMissing ? 'is missing' : message}`;
  });
}

const fieldOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

function problemOf(form: ModelForm, { isEnd }: { readonly isEnd: boolean }): string | null {
  if (!isEnd && form.buttons.length === 0) return 'show.buttons: the person needs a button, or set end.';
  if (isEnd && form.buttons.length > 0) return 'show.buttons: with the end, an interface has no buttons.';
  const drawn = surfaceIn(form, { surfaceId: 'tried', entered: {} });
  return 'problem' in drawn ? drawn.problem : null;
}

function callIn(
  { tool: name, input: given }: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> },
  reasoned: Omit<Step, 'next'>,
  { tools, off, refused, failed, timeZone }: Allowed,
): Step | Rejected {
  const input = timeZone !== null && inTimeZone.has(name) ? { ...given, time_zone: given['time_zone'] ?? timeZone } : given;
  if (off.has(name)) return rejected(`The person has turned off ${name} for this conversation. Say so, or do it in another way.`);
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined)
    return rejected(`The tool “${name}” does not exist. Use one of: ${tools.map((one) => one.name).join(', ')}.`);
  const reason = refused.get(name) ?? failed.get(callKey(name, input));
  if (reason !== undefined) return rejected(`Do not call ${name} like that again: ${reason} Say so, or ask for another way.`);
  if (!tool.readOnly && reasoned.missing.length > 0)
    return rejected(`You say that this is missing: ${reasoned.missing.join(', ')}. Ask for it first.`);
  if (!tool.readOnly && reasoned.confidence < minConfidence)
    return rejected('You are not sure what the person wants. Ask before you change anything.');
  if (isOwn(tool)) {
    const parsed = tool.input.safeParse(input);
    const problems = unknownFields(tool.inputSchema, input, 'call.input');
    if (!parsed.success) problems.push(...issuesOf(parsed.error, input, ['call', 'input']));
    if (problems.length > 0) return rejected(...problems);
  }
  return { ...reasoned, next: { type: 'call', tool: name, input: repeatable(name, input) } };
}

const isOwn = (tool: Tool): tool is OwnTool => 'input' in tool;

/** Returns the input with the ids of what the call makes, so that a call repeated after a restart makes nothing twice. */
function repeatable(tool: string, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const id = ids.get(tool);
  if (id !== undefined) return { ...input, [id.field]: newId(id.prefix) };
  if (tool !== 'render_videos') return { ...input };
  const { videos } = videosToMakeSchema.parse(input);
  return { ...input, videos: videos.map((video) => ({ ...video, id: newId('rnd') })) };
}
