import { type RouteAnswer, routes } from '../contract/routes.ts';
import type { StudioClient } from './client.ts';
import type { Terminal } from './terminal.ts';
import { usageWords } from './usage-words.ts';

interface Session {
  readonly client: StudioClient;
  readonly terminal: Terminal;
}

type Projects = RouteAnswer<typeof routes.projects>;

/** All projects, newest first, one a line: id, phase, name. */
export async function listProjects(search: string | null, { client, terminal }: Session): Promise<void> {
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
export async function showProject(projectId: string, { client, terminal }: Session): Promise<void> {
  const { project, plan, todos, renders, usage } = await client.call(routes.project, { id: projectId });
  terminal.result(
    `${project.name}\n  ${project.id}, ${project.phase}${project.running ? ', at work' : ''}, made ${project.createdAt}\n  ${client.url}/p/${project.id}`,
  );
  terminal.result(`  Prompt: ${project.prompt}`);
  if (project.error !== null) terminal.result(`  Error: ${project.error.message}`);
  if (plan !== null) {
    terminal.result(`Plan: ${plan.durationSeconds} s, ${plan.style}, ${plan.aspect}${plan.accepted ? '' : ' (not accepted)'}`);
    for (const scene of plan.scenes) terminal.result(`  ${scene.number}. ${scene.title}, ${scene.durationSeconds} s`);
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
