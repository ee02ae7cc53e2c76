import { isDeepStrictEqual } from 'node:util';
import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import type { Principal } from '#contract/principal.ts';
import { changeMessageId, type Message, type Phase } from '#contract/project.ts';
import type { Render, RenderRequest } from '#contract/render.ts';
import type { RenderSubject } from '../renders/settings.ts';
import type { ProjectState } from '../storage/projects.ts';
import { buildOf, kindOf, type ProjectCore } from './deps.ts';
import { phaseEvents } from './phases.ts';

/**
 * Returns the render that starts when the user accepts the finished work, or `null` if there is none: the kind has none, the
 * operator has switched it off, or the user has already rendered this work, perhaps in another size.
 */
export async function renderOnAccept(core: ProjectCore, state: ProjectState): Promise<Render | null> {
  const { project, plan } = state;
  const { output } = kindOf(core, project);
  if (plan === null || !output?.onAccept) return null;
  const rendered = output.rendered(plan);
  if (rendered === null || (await isRendered(core, state))) return null;
  return core.renders.prepare(project.id, output.onAccept, rendered);
}

async function isRendered(core: ProjectCore, { project, plan, renders }: ProjectState): Promise<boolean> {
  // Edits that are not yet in the files cannot be in any render.
  if (plan?.edited) return false;
  const finals = renders.filter(isWholeFinal);
  if (finals.length === 0) return false;
  const { at } = await core.checkpoints.find(project.id, null);
  return finals.some(({ createdAt }) => createdAt > at);
}

/** Returns whether a render shows the finished work from start to end, with its own values, or will when it ends. */
function isWholeFinal({ settings, status }: Render): boolean {
  const { kind, range, parameters } = settings;
  return kind === 'final' && range === null && parameters === null && status !== 'failed' && status !== 'cancelled';
}

/**
 * Queues the final that the user requested, without waiting for it; a run that resumes after a crash queues it once. Throws
 * LIMIT_EXCEEDED or VALIDATION_ERROR if the request does not fit the work.
 */
export async function startFinal(core: ProjectCore, projectId: string, request: RenderRequest, by: Principal): Promise<void> {
  await core.lock.run(projectId, async () => {
    const state = await core.store.state(projectId);
    const render = core.renders.prepare(projectId, request, renderedWork(core, state));
    if (isStarted(state, render)) return;
    await core.store.record(projectId, [{ type: 'render.queued', render }], { by });
    core.renders.enqueue(render);
  });
}

/** Throws INVALID_TRANSITION if there is nothing to render. */
export function renderedWork(core: ProjectCore, { project, plan }: ProjectState): RenderSubject {
  const rendered = plan === null ? null : kindOf(core, project).output?.rendered(plan);
  if (rendered) return rendered;
  throw new KodaError('INVALID_TRANSITION', 'There is nothing to render yet. Create and accept a plan first.');
}

/** Phases in which callers may render. After an error, the work is the last checkpoint's. */
const renderablePhases: readonly Phase[] = ['preview', 'complete', 'error'];

/** Returns whether an accepted work is still being made or changed, so that a render now would show neither state whole. */
export function isBeingMade({ project, plan, messages }: ProjectState): boolean {
  if (plan?.accepted !== true || project.error !== null) return false;
  if (project.phase === 'executing') return true;
  // A message that has been accepted but not yet delivered is about to change the work.
  return renderablePhases.includes(project.phase) && messages.some(({ queued }) => queued);
}

/** Returns what a caller's render shows. Throws INVALID_TRANSITION if there is nothing to render yet. */
export function renderableWork(core: Pick<ProjectCore, 'kinds'>, { project, plan }: ProjectState): RenderSubject {
  const { output } = kindOf(core, project);
  if (output === undefined)
    throw new KodaError(
      'INVALID_TRANSITION',
      'Projects of this kind have nothing to render. Export the project’s files instead.',
      { recovery: 'export_project' },
    );
  const { phase } = project;
  const work = plan?.accepted === true ? output.rendered(plan) : null;
  if (work === null)
    throw new KodaError('INVALID_TRANSITION', 'Nothing to render: the plan has not been accepted yet. Accept the plan first.', {
      details: { phase },
      recovery: 'accept_plan',
    });
  if (!renderablePhases.includes(phase))
    throw new KodaError('INVALID_TRANSITION', 'The film cannot be rendered while it is being built. Wait for its preview.', {
      details: { phase },
      recovery: 'wait',
    });
  return work;
}

/** Returns whether a run has already started this render before a crash, after which it resumes. */
function isStarted(state: ProjectState, { settings }: Render): boolean {
  const since = requestedAt(state);
  return since !== null && state.renders.some((known) => known.createdAt >= since && isDeepStrictEqual(known.settings, settings));
}

/**
 * Returns the events that end a run whose messages only requested a render, or `null` if there is other work. The work is unchanged
 * since those messages, so it needs neither a check nor a new preview: the project returns to the phase in which it received them.
 */
export async function renderOnlyEvents(
  core: ProjectCore,
  state: ProjectState,
  message: Message | null,
): Promise<EventBody[] | null> {
  const { project, todos, settled } = state;
  const workflow = buildOf(kindOf(core, project));
  const requests = todos.filter(({ key }) => !workflow.isFinalStep(key));
  const since = requestedAt(state);
  const isOpen = requests.some(({ key, status }) => changeMessageId(key) === null || status === 'pending' || status === 'failed');
  if (project.phase !== 'executing' || since === null || isOpen) return null;
  const { at } = await core.checkpoints.find(project.id, null);
  if (at >= since) return null;
  const shown = phaseEvents(state, 'preview_rendered');
  const wasAccepted = settled.findLast(({ approval }) => approval.type === 'preview')?.response.outcome === 'accepted';
  return [
    ...(message === null ? [] : [{ type: 'message.added' as const, message }]),
    { type: 'todo.updated', todos: requests.map((todo) => ({ ...todo, status: 'done' as const })) },
    ...shown,
    ...(wasAccepted ? phaseEvents({ ...state, project: { ...project, phase: 'preview' } }, 'accept_preview') : []),
  ];
}

/** Returns when the user sent the first message that the todos implement (ISO 8601), or `null` if they implement none. */
export function requestedAt({ todos, messages }: ProjectState): string | null {
  const ids = new Set(todos.map(({ key }) => changeMessageId(key)));
  return messages.find(({ id }) => ids.has(id))?.at ?? null;
}
