import type { Render } from '#contract/render.ts';
import type { ProjectState } from '../storage/projects.ts';
import { kindOf, type ProjectCore } from './deps.ts';

/**
 * Returns the render that starts when the user accepts the finished work (A29), or `null` if there is none: the kind has none, the
 * operator has switched it off, or the user has already rendered this work, perhaps in another size.
 */
export async function renderOnAccept(core: ProjectCore, state: ProjectState): Promise<Render | null> {
  const { project, plan } = state;
  const kind = kindOf(core, project);
  const rendered = plan === null ? null : kind.rendered(plan);
  if (kind.finalRender === null || rendered === null || (await isRendered(core, state))) return null;
  return core.renders.prepare(project.id, kind.finalRender, rendered);
}

async function isRendered(core: ProjectCore, { project, plan, renders }: ProjectState): Promise<boolean> {
  // Edits that have not reached the files are in no render.
  if (plan?.edited) return false;
  const finals = renders.filter(isWholeFinal);
  if (finals.length === 0) return false;
  const { at } = await core.checkpoints.find(project.id, null);
  return finals.some(({ createdAt }) => createdAt > at);
}

/** Returns whether a render shows the finished work from start to end, with its own values, or will when it ends. */
export function isWholeFinal({ settings, status }: Render): boolean {
  const { kind, range, parameters } = settings;
  return kind === 'final' && range === null && parameters === null && status !== 'failed' && status !== 'cancelled';
}
