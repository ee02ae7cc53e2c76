import type { ProjectSnapshot } from '#contract/api.ts';
import type { ProjectEvent } from '#contract/events.ts';
import type { RenderSummary, State } from '#contract/mcp-results.ts';
import { permissionText } from '#contract/permission.ts';
import { type Render, renderFiles } from '#contract/render.ts';
import type { ToolCall } from './tool.ts';
import { videoUri } from './uris.ts';

export function renderSummary(render: Render, address: string): RenderSummary {
  const { id, projectId, settings, status, percent, videoUrl, probe, error } = render;
  return {
    ...{ render_id: id, kind: settings.kind, status, percent, error },
    url: videoUrl === null ? null : address + videoUrl,
    resource: videoUrl === null ? null : videoUri(projectId, id),
    media_type: renderFiles[settings.format].contentType,
    ...{ width: settings.width, height: settings.height },
    duration_seconds: probe?.durationSeconds ?? null,
    size_bytes: probe?.sizeBytes ?? null,
  };
}

export async function stateOf(call: ToolCall, projectId: string): Promise<State> {
  return await stateIn(call, await call.studio.store.snapshot(projectId));
}

async function stateIn({ studio, signal, address }: ToolCall, snapshot: ProjectSnapshot): Promise<State> {
  const { project, plan, todos, approval, renders } = snapshot;
  return {
    ...{ project_id: project.id, name: project.name, phase: project.phase, running: project.running },
    waiting_for: approval?.type ?? null,
    question:
      approval?.type === 'question'
        ? {
            approval_id: approval.id,
            content: approval.content,
            options: approval.options.map(({ id, label, description = null }) => ({ id, label, description })),
          }
        : null,
    permission: approval?.permission ? permissionText(approval.permission) : null,
    plan: plan && {
      ...{ title: plan.title, summary: plan.summary, accepted: plan.accepted, caveat: plan.caveat },
      not_shown: plan.notShown ?? [],
      sections: plan.sections.map(({ id, title, description, startSeconds = null, durationSeconds = null }) => ({
        ...{ id, title, description },
        ...{ start_seconds: startSeconds, duration_seconds: durationSeconds },
      })),
    },
    todos: todos.map(({ title, status }) => ({ title, status })),
    renders: renders.map((render) => renderSummary(render, address)),
    error: project.error && { code: project.error.code, message: project.error.message },
    url: `${address}/p/${project.id}`,
    sandbox_id: await studio.sandboxOf(project.id, { signal }),
  };
}

/** Waits until the project needs the client or has ended, and puts its question to the user. Returns the project then. */
export async function settledState(call: ToolCall, projectId: string): Promise<State> {
  for (;;) {
    // The state at that moment, because a run may start and end right after it.
    const state = await stateIn(call, await waitUntilSettled(call, projectId));
    if (state.question === null) return state;
    const answer = await call.ask(state.question);
    if (answer === null) return state;
    await call.studio.commands.answer(projectId, { approvalId: state.question.approval_id, ...answer });
  }
}

async function waitUntilSettled({ studio, signal, progress }: ToolCall, projectId: string): Promise<ProjectSnapshot> {
  let snapshot = await studio.store.snapshot(projectId);
  if (!isWorking(snapshot)) return snapshot;
  let done = 0;
  for await (const event of studio.bus.follow(projectId, { afterSeq: snapshot.seq, signal })) {
    const text = progressText(event);
    if (text !== null) {
      done += 1;
      await progress(done, null, text);
    }
    if (!mayHaveSettled(event)) continue;
    snapshot = await studio.store.snapshot(projectId);
    if (!isWorking(snapshot)) return snapshot;
  }
  signal.throwIfAborted();
  return await studio.store.snapshot(projectId);
}

/** Returns whether the next step is Koda's, not the client's. */
function isWorking({ project, approval, messages }: ProjectSnapshot): boolean {
  if (approval !== null || project.error !== null) return false;
  if (project.running) return true;
  if (project.phase === 'complete' || project.phase === 'conversation') return messages.some(({ queued }) => queued);
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
