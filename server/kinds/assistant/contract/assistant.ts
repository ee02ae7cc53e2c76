import { z } from 'zod';
import type { ProjectSnapshot } from '#contract/api.ts';
import { approvalIdSchema, messageIdSchema, projectIdSchema } from '#contract/ids.ts';
import { wasStoppedByUser } from '#contract/project.ts';
import type { Route } from '#contract/routes.ts';
import { textIn } from '#contract/surface/drawing.ts';
import { type Surface, surfaceMessagesSchema } from '#contract/surface/surface.ts';
import type { ToolCall } from '#contract/tool-calls.ts';

export const assistantKindId = 'assistant';

const jobSchema = z.object({
  id: z.enum(['clean-up', 'schedule', 'sizes', 'variants']),
  /** Also the prompt of a conversation, or a message in it, that starts the job. */
  title: z.string(),
  sentence: z.string(),
});
type Job = Readonly<z.infer<typeof jobSchema>>;
export type JobId = Job['id'];

/** Jobs that need no language model. */
export const readyJobs: readonly Job[] = [
  {
    id: 'variants',
    title: 'Variants from a table',
    sentence: 'One film, one row per version. Koda fills in the fields and renders them all.',
  },
  { id: 'sizes', title: 'Another size', sentence: 'Render a finished film again: upright, square or wide.' },
  { id: 'clean-up', title: 'Clean up storage', sentence: 'See what takes space, choose what to delete. Films stay, copies go.' },
  {
    id: 'schedule',
    title: 'A schedule',
    sentence: 'Fetch fresh numbers, fill in the film, render it and put it where it is shown.',
  },
];

/** Returns the job that a text names, or `null`. */
export const jobNamed = (text: string): Job | null => readyJobs.find(({ title }) => title === text.trim()) ?? null;

/** What the top bar shows: each state follows from the project, so none is stored. */
const stateSchema = z.enum(['thinking', 'waiting', 'running', 'done', 'failed', 'stopped']);
export type AssistantState = z.infer<typeof stateSchema>;

type Shown = Pick<ProjectSnapshot, 'project' | 'approval' | 'tools'>;

export function stateOf({ project, approval, tools }: Shown): AssistantState {
  if (approval !== null) return 'waiting';
  if (project.error !== null) return wasStoppedByUser(project.error) ? 'stopped' : 'failed';
  if (project.phase !== 'executing') return 'done';
  return tools.some((call) => call.durationMs === null && isStep(call)) ? 'running' : 'thinking';
}

const stepSchema = z.object({
  callId: z.string(),
  tool: z.string(),
  /** “Measured storage”, or what is being done while it runs. */
  verb: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  startedAt: z.iso.datetime(),
  /** `null` while it runs or waits for the person. */
  durationMs: z.int().nullable(),
  /** Result or failure, in one sentence. */
  sentence: z.string().nullable(),
});
export type Step = z.infer<typeof stepSchema>;

/** A form or question that the person has answered. */
const answerSchema = z.object({
  approvalId: approvalIdSchema,
  /** The message that says the answer in words. */
  messageId: messageIdSchema,
  title: z.string(),
  at: z.iso.datetime(),
});
export type Answer = z.infer<typeof answerSchema>;

/** Returns a surface's heading. Empty if it has none. */
export function headingOf({ components, data }: Surface): string {
  for (const one of components.values())
    if (one.component === 'Text' && one.variant === 'h1') return textIn(one.text, { data, row: '' });
  return '';
}

/** What a finished step has done. Other tools say what they do. */
const pastVerbs: Readonly<Record<string, string>> = {
  list_films: 'Looked for films',
  describe_film: 'Read the film’s parameters',
  list_projects: 'Looked for projects',
  show_project: 'Looked at a project',
  make_project: 'Started a project',
  tell_project: 'Asked for a change',
  fetch_table: 'Fetched a table',
  measure_storage: 'Measured storage',
  delete_videos: 'Deleted videos',
  check_rows: 'Checked the rows',
  render_videos: 'Made videos',
  list_schedules: 'Looked for schedules',
  check_schedule: 'Checked the schedule',
  make_schedule: 'Made a schedule',
  adjust: 'Adjusted',
};

/** Tools whose result the person sees anyway. */
const silentTools: ReadonlySet<string> = new Set(['show_surface', 'set_thinking', 'add_message', 'request_approval']);
const isStep = ({ name }: ToolCall): boolean => !silentTools.has(name);

export const stepsOf = ({ tools }: Pick<Shown, 'tools'>): Step[] => tools.filter(isStep).map(stepOf);

function stepOf({ callId, name, label, summary, startedAt, durationMs, error }: ToolCall): Step {
  const common = { callId, tool: name, startedAt, durationMs };
  if (error !== null) return { ...common, verb: label, state: 'failed', sentence: error.message };
  if (durationMs === null) return { ...common, verb: label, state: 'running', sentence: null };
  return { ...common, verb: pastVerbs[name] ?? label, state: 'done', sentence: summary === label ? null : summary };
}

/** Endpoints of the HTTP API that only the assistant has. */
export const assistantRoutes = {
  readyJobs: { method: 'get', path: '/api/assistant/jobs', response: z.object({ jobs: z.array(jobSchema) }) },
  assistant: {
    method: 'get',
    path: '/api/projects/{id}/assistant',
    params: z.object({ id: projectIdSchema }),
    response: z.object({ state: stateSchema, steps: z.array(stepSchema), answers: z.array(answerSchema) }),
  },
  answeredForm: {
    method: 'get',
    path: '/api/projects/{id}/assistant/forms/{approvalId}',
    params: z.object({ id: projectIdSchema, approvalId: approvalIdSchema }),
    response: z.object({
      surface: surfaceMessagesSchema,
      /** The pressed button. `null` if an option was chosen. */
      button: z.string().nullable(),
      /** What the button sent, by the names in its action. */
      values: z.record(z.string(), z.unknown()),
    }),
  },
} as const satisfies Record<string, Route>;
