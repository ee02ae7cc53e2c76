import type { ProjectSnapshot } from '#contract/api.ts';
import type { ProjectEvent } from '#contract/events.ts';
import type { RenderSummary, State } from '#contract/mcp-results.ts';
import { type Render, renderFiles } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import type { ToolCall } from './tool.ts';
import { videoUri } from './uris.ts';

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
      not_shown: plan.notShown ?? [],
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

/** Returns whether the next step is Koda's, not the client's. */
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
