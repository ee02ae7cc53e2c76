import { formatExactSeconds } from '#contract/display.ts';
import { KodaError } from '#contract/errors.ts';
import { type RouteResponse, routes } from '#contract/routes.ts';
import type { CommandContext, StudioClient } from './client.ts';
import { formatUsage } from './output-text.ts';

type Output = Pick<CommandContext, 'client' | 'terminal'>;

type Projects = RouteResponse<typeof routes.projects>;

export async function listProjects(search: string | null, json: boolean, { client, terminal }: Output): Promise<void> {
  let cursor: string | null = null;
  const all: Projects['items'] = [];
  do {
    const query: { limit: number; search?: string; cursor?: string } = {
      limit: 100,
      ...(search && { search }),
      ...(cursor && { cursor }),
    };
    const { items, nextCursor }: Projects = await client.call(routes.projects, { query });
    if (!json) for (const { id, phase, name } of items) terminal.result(`${id}  ${phase.padEnd(9)}  ${name}`);
    all.push(...items);
    cursor = nextCursor;
  } while (cursor !== null);
  if (json) terminal.result(JSON.stringify(all));
  else if (all.length === 0) terminal.note('No projects yet. Create one: koda make "a red ball bounces three times, playful"');
}

export async function showProject(projectId: string, { client, terminal }: Output): Promise<void> {
  const { project, plan, todos, renders, usage } = await client.call(routes.project, { id: projectId });
  terminal.result(
    `${project.name}\n  ${project.id}, ${project.phase}${project.running ? ', running' : ''}, created ${project.createdAt}\n  ${client.address}/p/${project.id}`,
  );
  terminal.result(`  Prompt: ${project.prompt}`);
  if (project.error !== null) terminal.result(`  Error: ${project.error.message}`);
  if (plan !== null) {
    terminal.result(`Plan: ${plan.summary}${plan.accepted ? '' : ' (not accepted)'}`);
    for (const [index, { title, durationSeconds }] of plan.sections.entries()) {
      const length = durationSeconds === undefined ? '' : `, ${formatExactSeconds(durationSeconds)}`;
      terminal.result(`  ${index + 1}. ${title}${length}`);
    }
    if (plan.caveat !== null) terminal.result(`  ${plan.caveat}`);
    for (const text of plan.notShown ?? []) terminal.result(`  Not shown as text: “${text}”`);
  }
  for (const todo of todos)
    terminal.result(`  [${{ pending: ' ', active: '>', done: 'x', failed: '!' }[todo.status]}] ${todo.title}`);
  const used = formatUsage(usage);
  if (used !== null) terminal.result(used);
  const disk = await client.call(routes.projectUsage, { id: projectId });
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  terminal.result(
    `On disk: history ${megabytes(disk.historyBytes)} MB, uploads ${megabytes(disk.assetBytes)} MB, videos ${megabytes(disk.renderBytes)} MB`,
  );
  for (const render of renders) {
    const { width, height, fps } = render.settings;
    terminal.result(
      `Video ${render.id}: ${render.status}, ${width}×${height} at ${fps} fps${render.videoUrl === null ? '' : `, ${client.address}${render.videoUrl}`}`,
    );
  }
}

/**
 * Cancels a render or stops a project. Throws INVALID_TRANSITION for a render that has ended, because the API would delete
 * it.
 */
export async function cancel(id: string, client: StudioClient): Promise<void> {
  if (id.startsWith('prj_')) {
    await client.call(routes.stop, { id });
    return;
  }
  if (!id.startsWith('rnd_'))
    throw new KodaError(
      'BAD_REQUEST',
      `"${id}" is neither a render id (rnd_…) nor a project id (prj_…). Find ids with "koda list" and "koda show".`,
    );
  const { status } = await client.call(routes.render, { id });
  if (status !== 'queued' && status !== 'running')
    throw new KodaError('INVALID_TRANSITION', `Nothing to cancel: ${id} has already ended (${status}).`);
  await client.call(routes.removeRender, { id });
}
