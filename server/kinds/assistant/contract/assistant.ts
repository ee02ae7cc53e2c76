import { z } from 'zod';
import type { ProjectSnapshot } from '#contract/api.ts';
import { approvalIdSchema, messageIdSchema, projectIdSchema } from '#contract/ids.ts';
import { wasStoppedByUser } from '#contract/project.ts';
import type { Route } from '#contract/routes.ts';
import { textIn } from '#contract/surface/drawing.ts';
import { type Surface, surfaceMessagesSchema } from '#contract/surface/surface.ts';
import { startedWorkSchema, type ToolCall } from '#contract/tool-calls.ts';

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
  /** `started`: the call has ended, and what it started or looked at goes on in its own project. */
  state: z.enum(['running', 'done', 'started', 'failed']),
  startedAt: z.iso.datetime(),
  /** `null` while it runs or waits for the person. */
  durationMs: z.int().nullable(),
  /** Result or failure, in one sentence. */
  sentence: z.string().nullable(),
  /** Film or app that the call created or asked to change, or `null`. */
  work: startedWorkSchema.nullable(),
});
export type Step = z.infer<typeof stepSchema>;

/** A form or question that the person has answered. */
const answerSchema = z.object({
  approvalId: approvalIdSchema,
  /** The message that says the answer in words. */
  messageId: messageIdSchema,
  /** What asked: a call, which went on with the answer, or a question of the conversation. */
  callId: z.string().nullable(),
  /** Whether the person wrote something instead of pressing a button. */
  isInWords: z.boolean(),
  title: z.string(),
  /** What was said with the form. Empty if that is the title. */
  says: z.string(),
  askedAt: z.iso.datetime(),
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
  make_project: 'Started',
  tell_project: 'Started',
  fetch_table: 'Fetched a table',
  measure_storage: 'Measured storage',
  delete_videos: 'Deleted videos',
  check_rows: 'Checked the rows',
  render_videos: 'Made videos',
  list_schedules: 'Looked for schedules',
  check_schedule: 'Checked the schedule',
  make_schedule: 'Made a schedule',
  change_schedule: 'Changed a schedule',
  pause_schedules: 'Paused schedules',
  resume_schedules: 'Resumed schedules',
  run_schedule: 'Started a run',
  delete_schedules: 'Deleted schedules',
  adjust: 'Adjusted',
};

const goesOn = 'Koda is ';

/** Says that work on a project has started and is not finished. Calls with this result are `started`. */
export const goesOnText = (verb: 'building' | 'changing' | 'drawing', name: string): string => `${goesOn}${verb} “${name}”`;

const toolsOnProjects: ReadonlySet<string> = new Set(['make_project', 'tell_project', 'show_project']);

/** Returns whether the last that these steps know of other projects is that one is still being made or changed. */
export const endWithStarted = (steps: readonly Step[]): boolean =>
  steps.findLast(({ tool, state }) => toolsOnProjects.has(tool) && state !== 'failed')?.state === 'started';

const listedToolSchema = z.object({
  name: z.string(),
  title: z.string(),
  sentence: z.string(),
  /** `leaves`: the call is sent to a server outside Koda. */
  effect: z.enum(['reads', 'makes', 'deletes', 'leaves']),
});
/** A tool that a conversation may use, described for people. */
export type ListedTool = z.infer<typeof listedToolSchema>;

/** Descriptions of Koda's own tools for people. Those in `tools.md` are for models. */
export const listedTitles: Readonly<Record<string, Pick<ListedTool, 'title' | 'sentence'>>> = {
  list_films: { title: 'Find films', sentence: 'Lists your films with their shape and length.' },
  describe_film: { title: 'Read a film’s parameters', sentence: 'Reads what can be filled in for each version of a film.' },
  list_projects: { title: 'Find projects', sentence: 'Lists your films and apps, with what each is doing.' },
  show_project: { title: 'Look at a project', sentence: 'Reads how far a film or app is, and what it asks.' },
  make_project: { title: 'Start a film or app', sentence: 'Starts a new project, whose plan you accept on its page.' },
  tell_project: { title: 'Ask for a change', sentence: 'Writes to a film or app, as you would on its page.' },
  measure_storage: { title: 'Measure storage', sentence: 'Adds up what projects, previews and videos take.' },
  delete_videos: { title: 'Delete videos', sentence: 'Deletes finished videos and previews, after you have seen their names.' },
  check_rows: { title: 'Check rows', sentence: 'Checks the rows of a table against a film’s parameters.' },
  render_videos: { title: 'Make videos', sentence: 'Renders a film in other sizes or with other values.' },
  list_schedules: { title: 'Find schedules', sentence: 'Lists the schedules, with their last and next runs.' },
  check_schedule: { title: 'Check a schedule', sentence: 'Reads its table, and says when it would run.' },
  make_schedule: { title: 'Make a schedule', sentence: 'Makes videos of a film at fixed times from now on.' },
  change_schedule: { title: 'Change a schedule', sentence: 'Changes its times, table, settings or folder.' },
  pause_schedules: { title: 'Pause schedules', sentence: 'Stops their runs until they are resumed.' },
  resume_schedules: { title: 'Resume schedules', sentence: 'Lets paused schedules run again.' },
  run_schedule: { title: 'Run a schedule now', sentence: 'Starts one run, besides those at its times.' },
  delete_schedules: { title: 'Delete schedules', sentence: 'Deletes schedules, after you have seen their names. Videos stay.' },
  fetch_table: { title: 'Fetch a table', sentence: 'Reads a table from an address that the operator allows.' },
  search: { title: 'Search the web', sentence: 'Sends a question to the search service.' },
};

/** Tools whose result the person sees anyway. */
const silentTools: ReadonlySet<string> = new Set(['show_surface', 'set_thinking', 'add_message', 'request_approval']);
const isStep = ({ name }: ToolCall): boolean => !silentTools.has(name);

export const stepsOf = ({ tools }: Pick<Shown, 'tools'>): Step[] => tools.filter(isStep).map(stepOf);

function stepOf({ callId, name, label, summary, startedAt, durationMs, error, started }: ToolCall): Step {
  const common = { callId, tool: name, startedAt, durationMs, work: started ?? null };
  if (error !== null) return { ...common, verb: label, state: 'failed', sentence: error.message };
  if (durationMs === null) return { ...common, verb: label, state: 'running', sentence: null };
  const state = toolsOnProjects.has(name) && summary.startsWith(goesOn) ? 'started' : 'done';
  return { ...common, verb: pastVerbs[name] ?? label, state, sentence: summary === label ? null : summary };
}

/** Endpoints of the HTTP API that only the assistant has. */
export const assistantRoutes = {
  readyJobs: { method: 'get', path: '/api/assistant/jobs', response: z.object({ jobs: z.array(jobSchema) }) },
  assistant: {
    method: 'get',
    path: '/api/projects/{id}/assistant',
    params: z.object({ id: projectIdSchema }),
    response: z.object({
      ...{ state: stateSchema, steps: z.array(stepSchema), answers: z.array(answerSchema) },
      /** Names of the tools that are turned off in this conversation. */
      toolsOff: z.array(z.string()),
    }),
  },
  assistantTools: {
    method: 'get',
    path: '/api/assistant/tools',
    response: z.object({ tools: z.array(listedToolSchema) }),
  },
  limitTools: {
    method: 'put',
    path: '/api/projects/{id}/assistant/tools',
    params: z.object({ id: projectIdSchema }),
    /** Names of all tools to turn off. */
    body: z.object({ off: z.array(z.string().max(100)).max(500) }),
    response: z.object({ off: z.array(z.string()) }),
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
