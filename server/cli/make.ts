import { errorCodeSchema, KodaError } from '../contract/errors.ts';
import type { ProjectEvent } from '../contract/events.ts';
import type { Aspect, Style } from '../contract/film.ts';
import type { Approval, Plan } from '../contract/project.ts';
import type { RenderRequest } from '../contract/render.ts';
import { routes } from '../contract/routes.ts';
import type { Session } from './connection.ts';
import { renderAndSave } from './render.ts';
import type { Terminal } from './terminal.ts';
import { usageWords } from './usage-words.ts';

export interface MakeOptions {
  readonly prompt: string;
  readonly yes: boolean;
  readonly out: string | null;
  readonly style: Style | null;
  readonly aspect: Aspect | null;
  readonly durationSeconds: number | null;
  readonly render: RenderRequest;
}

/** From a sentence to a file: creates the project, passes its gates, renders the final video and saves it. */
export async function make(options: MakeOptions, session: Session): Promise<void> {
  const { client, terminal, signal } = session;
  const { prompt, style, aspect, durationSeconds } = options;
  const hints = { ...(style && { style }), ...(aspect && { aspect }), ...(durationSeconds && { durationSeconds }) };
  const project = await client.call(routes.createProject, { body: { prompt, ...hints } });
  terminal.note(`Project ${project.id}: ${client.url}/p/${project.id}`);
  const onAbort = () => void client.call(routes.stop, { id: project.id }).catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  // While the project was being created nobody listened.
  if (signal.aborted) onAbort();
  try {
    await untilComplete(project.id, options, session).finally(() => signal.removeEventListener('abort', onAbort));
    await renderAndSave(project.id, options.render, options.out, session);
  } finally {
    await tellUsage(project.id, session);
  }
}

/** What failed or was stopped has cost something, too. */
async function tellUsage(projectId: string, { client, terminal }: Session): Promise<void> {
  // A studio that has gone must not make a failure of a video that is there, or stand in for the reason of another one.
  const snapshot = await client.call(routes.project, { id: projectId }).catch(() => null);
  const used = snapshot === null ? null : usageWords(snapshot.usage);
  if (used !== null) terminal.note(used);
}

async function untilComplete(projectId: string, options: MakeOptions, session: Session): Promise<void> {
  const { client, terminal, signal } = session;
  let plan: Plan | null = null;
  for await (const event of client.events(projectId, { afterSeq: 0, signal })) {
    if (event.type === 'plan.proposed') plan = event.plan;
    if (event.type === 'approval.requested') await pass(projectId, event.approval, plan, options, session);
    if (event.type === 'error') {
      const code = errorCodeSchema.safeParse(event.code).data ?? 'GENERATION_FAILED';
      throw new KodaError(code, `${event.message} (project ${projectId})`, { recovery: 'retry' });
    }
    if (event.type === 'project.phase' && event.phase === 'complete') return;
    show(event, terminal);
  }
}

function show(event: ProjectEvent, terminal: Terminal): void {
  switch (event.type) {
    case 'thinking':
      if (event.text !== null) terminal.progress(`  ${event.text}`);
      break;
    case 'todo.updated': {
      const active = event.todos.find((todo) => todo.status === 'active');
      const done = event.todos.filter((todo) => todo.status === 'done').length;
      if (active) terminal.note(`[${done + 1}/${event.todos.length}] ${active.title}`);
      break;
    }
    case 'message.added':
      if (event.message.role === 'assistant') terminal.note(event.message.content);
      break;
    case 'tool.finished':
      if (event.error !== null) terminal.note(`  ${event.name}: ${event.error.message}`);
      break;
    case 'render.progress':
      terminal.progress(`  Rendering ${event.percent.toFixed(0)} % (${event.stage})`);
      break;
    default:
      break;
  }
}

/** Answers a gate: by itself with --yes, else by asking on the terminal. */
async function pass(
  projectId: string,
  approval: Approval,
  plan: Plan | null,
  options: MakeOptions,
  { client, terminal, signal }: Session,
): Promise<void> {
  const id = projectId;
  terminal.note(approval.content);
  switch (approval.type) {
    case 'question': {
      for (const option of approval.options)
        terminal.note(`  ${option.id}: ${option.label}${option.description ? ` – ${option.description}` : ''}`);
      const first = approval.options[0];
      const answer = options.yes ? null : await terminal.ask('Your choice, or your own words:', { signal });
      if (answer === null && !options.yes) throw needsYes();
      const chosen = answer === null || answer === '' ? first : approval.options.find((option) => option.id === answer);
      if (chosen !== undefined && answer !== chosen.id) terminal.note(`  Chosen: ${chosen.label}, the first`);
      const body = chosen === undefined ? { text: answer || options.prompt } : { optionId: chosen.id };
      await client.call(routes.answerQuestion, { id, body });
      return;
    }
    case 'plan': {
      for (const scene of plan?.scenes ?? []) {
        terminal.note(
          `  ${scene.number}. ${scene.title} (${scene.startSeconds}–${scene.startSeconds + scene.durationSeconds} s): ${scene.description}`,
        );
      }
      const answer = options.yes ? '' : await terminal.ask('Enter accepts the plan; or say what to change:', { signal });
      if (answer === null) throw needsYes();
      const body = answer === '' ? { action: 'accept' as const } : { action: 'changes' as const, feedback: answer };
      await client.call(routes.decidePlan, { id, body });
      return;
    }
    case 'preview': {
      if (!options.yes) terminal.note(`Watch it: ${client.url}/p/${projectId}`);
      const answer = options.yes ? '' : await terminal.ask('Enter accepts the preview; or say what to change:', { signal });
      if (answer === null) throw needsYes();
      const body = answer === '' ? { action: 'accept' as const } : { action: 'feedback' as const, feedback: answer };
      await client.call(routes.decidePreview, { id, body });
      return;
    }
  }
}

function needsYes(): KodaError {
  return new KodaError(
    'BAD_REQUEST',
    'There is no terminal to ask on. Give --yes to accept the plan and the preview without asking.',
  );
}
