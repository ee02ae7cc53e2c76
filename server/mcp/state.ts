import { z } from 'zod';
import type { ProjectSnapshot } from '#contract/api.ts';
import type { ProjectEvent } from '#contract/events.ts';
import { phaseSchema } from '#contract/project.ts';
import { type Render, renderFiles, renderStatusSchema } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import type { ToolCall } from './tool.ts';
import { videoUri } from './uris.ts';

export const renderSummarySchema = z.object({
  render_id: z.string(),
  kind: z.enum(['preview', 'final']),
  status: renderStatusSchema,
  percent: z.number(),
  /** Where to download the file. `null` until the render is complete. */
  url: z.string().nullable(),
  /** The same file as a resource. */
  resource: z.string().nullable(),
  media_type: z.string(),
  width: z.int(),
  height: z.int(),
  duration_seconds: z.number().nullable(),
  size_bytes: z.int().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type RenderSummary = z.infer<typeof renderSummarySchema>;

export function renderSummary(render: Render, origin: string): RenderSummary {
  const { id, projectId, settings, status, percent, videoUrl, probe, error } = render;
  return {
    ...{ render_id: id, kind: settings.kind, status, percent, error },
    url: videoUrl === null ? null : new URL(videoUrl, origin).href,
    resource: videoUrl === null ? null : videoUri(projectId, id),
    media_type: renderFiles[settings.format].contentType,
    ...{ width: settings.width, height: settings.height },
    duration_seconds: probe?.durationSeconds ?? null,
    size_bytes: probe?.sizeBytes ?? null,
  };
}

export const stateSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  phase: phaseSchema,
  running: z.boolean().describe('whether Koda is working on it'),
  waiting_for: z
    .enum(['question', 'plan', 'preview', 'permission'])
    .nullable()
    .describe(
      'what it waits for: answer_question, accept_plan or change_plan, accept_preview or send_feedback; a permission only the user gives, in the studio',
    ),
  question: z
    .object({
      content: z.string(),
      options: z.array(z.object({ id: z.string(), label: z.string(), description: z.string().nullable() })),
    })
    .nullable(),
  plan: z
    .object({
      title: z.string(),
      summary: z.string(),
      accepted: z.boolean(),
      caveat: z.string().nullable().describe('what is missing from the request'),
      sections: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          description: z.string(),
          start_seconds: z.number().nullable(),
          duration_seconds: z.number().nullable(),
        }),
      ),
    })
    .nullable(),
  todos: z.array(z.object({ title: z.string(), status: z.string() })),
  renders: z.array(renderSummarySchema),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  url: z.string().describe('its page in the studio'),
  sandbox_id: z.string().nullable().describe('its running sandbox'),
});
export type State = z.infer<typeof stateSchema>;

export async function stateOf(call: ToolCall, projectId: string): Promise<State> {
  const { studio, signal, origin } = call;
  const snapshot = await studio.call(routes.project, { id: projectId }, { signal });
  const { project, plan, todos, approval, renders } = snapshot;
  return {
    ...{ project_id: project.id, name: project.name, phase: project.phase, running: project.running },
    waiting_for: approval?.type ?? null,
    question:
      approval?.type === 'question'
        ? {
            content: approval.content,
            options: approval.options.map(({ id, label, description = null }) => ({ id, label, description })),
          }
        : null,
    plan: plan && {
      ...{ title: plan.title, summary: plan.summary, accepted: plan.accepted, caveat: plan.caveat },
      sections: plan.sections.map(({ id, title, description, startSeconds = null, durationSeconds = null }) => ({
        ...{ id, title, description },
        ...{ start_seconds: startSeconds, duration_seconds: durationSeconds },
      })),
    },
    todos: todos.map(({ title, status }) => ({ title, status })),
    renders: renders.map((render) => renderSummary(render, origin)),
    error: project.error && { code: project.error.code, message: project.error.message },
    url: new URL(`/p/${project.id}`, origin).href,
    sandbox_id: await studio.sandboxOf(projectId, { signal }),
  };
}

/** Waits until the project needs the client or has ended, and puts its question to the user. Returns the project then. */
export async function settledState(call: ToolCall, projectId: string): Promise<State> {
  for (;;) {
    await settled(call, projectId);
    const state = await stateOf(call, projectId);
    if (state.question === null) return state;
    const answer = await call.ask(state.question);
    if (answer === null) return state;
    await call.studio.call(routes.answerQuestion, { id: projectId, body: answer }, { signal: call.signal });
  }
}

async function settled({ studio, signal, progress }: ToolCall, projectId: string): Promise<void> {
  const snapshot = await studio.call(routes.project, { id: projectId }, { signal });
  if (!isWorking(snapshot)) return;
  let done = 0;
  for await (const event of studio.bus.follow(projectId, { afterSeq: snapshot.seq, signal })) {
    const text = progressText(event);
    if (text !== null) {
      done += 1;
      await progress(done, null, text);
    }
    if (mayHaveSettled(event) && !isWorking(await studio.call(routes.project, { id: projectId }, { signal }))) return;
  }
  signal.throwIfAborted();
}

/** Returns whether Koda has something to do before the client has. */
function isWorking({ project, approval, messages }: ProjectSnapshot): boolean {
  if (approval !== null || project.error !== null) return false;
  if (project.running) return true;
  if (project.phase === 'complete') return messages.some(({ queued }) => queued);
  return project.phase !== 'idle' || messages.some(({ role }) => role === 'user');
}

function mayHaveSettled({ type }: ProjectEvent): boolean {
  return ['approval.requested', 'project.phase', 'run.finished', 'error'].includes(type);
}

function progressText(event: ProjectEvent): string | null {
  switch (event.type) {
    case 'thinking':
      return event.text;
    case 'tool.started':
      return event.summary;
    case 'render.progress':
      return `Rendering the preview: ${Math.round(event.percent)} %`;
    default:
      return null;
  }
}
