import { KodaError } from '../contract/errors.ts';
import { formatExactSeconds } from '../contract/format.ts';
import { type RouteAnswer, routes } from '../contract/routes.ts';
import type { CommandContext, StudioClient } from './client.ts';
import { usageWords } from './words.ts';

type Output = Pick<CommandContext, 'client' | 'terminal'>;

type Projects = RouteAnswer<typeof routes.projects>;

/** All projects, newest first, one a line: id, phase, name. */
export async function listProjects(search: string | null, { client, terminal }: Output): Promise<void> {
  let cursor: string | null = null;
  let count = 0;
  do {
    const query: { limit: number; search?: string; cursor?: string } = {
      limit: 100,
      ...(search && { search }),
      ...(cursor && { cursor }),
    };
    const { items, nextCursor }: Projects = await client.call(routes.projects, { query });
    for (const project of items) terminal.result(`${project.id}  ${project.phase.padEnd(9)}  ${project.name}`);
    count += items.length;
    cursor = nextCursor;
  } while (cursor !== null);
  if (count === 0) terminal.note('No projects yet. Make one: koda make "a red ball bounces three times, playful"');
}

/** One project: state, plan, todos, what the model used, disk, videos. */
export async function showProject(projectId: string, { client, terminal }: Output): Promise<void> {
  const { project, plan, todos, renders, usage } = await client.call(routes.project, { id: projectId });
  terminal.result(
    `${project.name}\n  ${project.id}, ${project.phase}${project.running ? ', at work' : ''}, made ${project.createdAt}\n  ${client.url}/p/${project.id}`,
  );
  terminal.result(`  Prompt: ${project.prompt}`);
  if (project.error !== null) terminal.result(`  Error: ${project.error.message}`);
  if (plan !== null) {
    terminal.result(
      `Plan: ${formatExactSeconds(plan.durationSeconds)}, ${plan.style}, ${plan.aspect}${plan.accepted ? '' : ' (not accepted)'}`,
    );
    for (const scene of plan.scenes)
      terminal.result(`  ${scene.number}. ${scene.title}, ${formatExactSeconds(scene.durationSeconds)}`);
  }
  for (const todo of todos)
    terminal.result(`  [${{ pending: ' ', active: '>', done: 'x', failed: '!' }[todo.status]}] ${todo.title}`);
  const used = usageWords(usage);
  if (used !== null) terminal.result(used);
  const disk = await client.call(routes.projectUsage, { id: projectId });
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  terminal.result(
    `On disk: history ${megabytes(disk.historyBytes)} MB, uploads ${megabytes(disk.assetBytes)} MB, videos ${megabytes(disk.renderBytes)} MB`,
  );
  for (const render of renders) {
    const { width, height, fps } = render.settings;
    terminal.result(
      `Video ${render.id}: ${render.status}, ${width}×${height} at ${fps} fps${render.videoUrl === null ? '' : `, ${client.url}${render.videoUrl}`}`,
    );
  }
}

/**
 * Cancels a render that is under way (`rnd_…`), or stops the work on a project (`prj_…`). A render that has ended is
 * refused: for the API, the same request would delete its video.
 */
export async function cancel(id: string, client: StudioClient): Promise<void> {
  if (id.startsWith('prj_')) {
    await client.call(routes.stop, { id });
    return;
  }
  if (!id.startsWith('rnd_'))
    throw new KodaError(
      'BAD_REQUEST',
      `"${id}" is neither the id of a render (rnd_…) nor of a project (prj_…). "koda list" and "koda show" print them.`,
    );
  const { status } = await client.call(routes.render, { id });
  if (status !== 'queued' && status !== 'running')
    throw new KodaError('INVALID_TRANSITION', `${id} has ended already (${status}), so there is nothing to cancel.`);
  await client.call(routes.removeRender, { id });
}
