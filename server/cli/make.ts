import { errorCodeSchema, KodaError } from '#contract/errors.ts';
import type { ProjectEvent } from '#contract/events.ts';
import type { Aspect, Style } from '#contract/film.ts';
import { formatSpan } from '#contract/format.ts';
import type { Approval, Plan } from '#contract/project.ts';
import type { RenderRequest } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import { refusingOption } from '../tools/outside/permission.ts';
import type { CommandContext } from './client.ts';
import { formatUsage } from './output-text.ts';
import { renderAndSave } from './render.ts';
import type { Terminal } from './terminal.ts';

export interface MakeOptions {
  readonly prompt: string;
  readonly yes: boolean;
  readonly out: string | null;
  readonly style: Style | null;
  readonly aspect: Aspect | null;
  readonly durationSeconds: number | null;
  readonly render: RenderRequest;
}

/** Turns a prompt into a video file: creates the project, handles its approvals, renders the final video and saves it. */
export async function make(options: MakeOptions, context: CommandContext): Promise<void> {
  const { client, terminal, signal } = context;
  const { prompt, style, aspect, durationSeconds } = options;
  const hints = { ...(style && { style }), ...(aspect && { aspect }), ...(durationSeconds && { durationSeconds }) };
  const project = await client.call(routes.createProject, { body: { prompt, ...hints } });
  terminal.note(`Project ${project.id}: ${client.url}/p/${project.id}`);
  const onAbort = () => void client.call(routes.stop, { id: project.id }).catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  // Ctrl+C may have been pressed before the listener was added.
  if (signal.aborted) onAbort();
  try {
    await untilComplete(project.id, options, context).finally(() => signal.removeEventListener('abort', onAbort));
    await renderAndSave(project.id, options.render, options.out, context);
  } finally {
    await showUsage(project.id, context);
  }
}

/** Also shown for failed and stopped work, because that costs money too. */
async function showUsage(projectId: string, { client, terminal }: CommandContext): Promise<void> {
  // An unreachable studio must neither turn a finished video into a failure nor hide the cause of an earlier one.
  const snapshot = await client.call(routes.project, { id: projectId }).catch(() => null);
  const used = snapshot === null ? null : formatUsage(snapshot.usage);
  if (used !== null) terminal.note(used);
}

async function untilComplete(projectId: string, options: MakeOptions, context: CommandContext): Promise<void> {
  const { client, terminal, signal } = context;
  let plan: Plan | null = null;
  for await (const event of client.events(projectId, { afterSeq: 0, signal })) {
    if (event.type === 'plan.proposed') plan = event.plan;
    if (event.type === 'approval.requested') await settleApproval(projectId, event.approval, plan, options, context);
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

/** Responds to an approval: automatically with --yes, otherwise by asking the user. */
async function settleApproval(
  projectId: string,
  approval: Approval,
  plan: Plan | null,
  options: MakeOptions,
  context: CommandContext,
): Promise<void> {
  context.terminal.note(approval.content);
  switch (approval.type) {
    case 'question':
      return await answerQuestion(projectId, approval, options, context);
    case 'permission':
      return await decidePermission(projectId, approval, options, context);
    case 'plan':
      return await decidePlan(projectId, plan, options, context);
    case 'preview':
      return await decidePreview(projectId, options, context);
  }
}

async function answerQuestion(id: string, approval: Approval, options: MakeOptions, context: CommandContext): Promise<void> {
  const { client, terminal, signal } = context;
  for (const option of approval.options)
    terminal.note(`  ${option.id}: ${option.label}${option.description ? ` – ${option.description}` : ''}`);
  const answer = options.yes ? '' : await terminal.ask('Your choice, or your own answer:', { signal });
  if (answer === null) throw needsYes();
  const chosen = answer === '' ? approval.options[0] : approval.options.find((option) => option.id === answer);
  if (chosen !== undefined && answer !== chosen.id) terminal.note(`  Chosen: ${chosen.label} (first option)`);
  const body = chosen === undefined ? { text: answer || options.prompt } : { optionId: chosen.id };
  await client.call(routes.answerQuestion, { id, body });
}

/** With --yes nobody has seen the call, so it is refused. */
async function decidePermission(id: string, approval: Approval, options: MakeOptions, context: CommandContext): Promise<void> {
  const { client } = context;
  if (!options.yes) return await answerQuestion(id, approval, options, context);
  context.terminal.note('  Refused, because --yes allows no calls outside Koda');
  await client.call(routes.answerQuestion, { id, body: { optionId: refusingOption } });
}

async function decidePlan(id: string, plan: Plan | null, options: MakeOptions, context: CommandContext): Promise<void> {
  for (const [index, { title, startSeconds, durationSeconds, description }] of (plan?.sections ?? []).entries()) {
    const isTimed = startSeconds !== undefined && durationSeconds !== undefined;
    const span = isTimed ? ` (${formatSpan(startSeconds, startSeconds + durationSeconds)})` : '';
    context.terminal.note(`  ${index + 1}. ${title}${span}: ${description}`);
  }
  for (const text of plan?.notShown ?? []) context.terminal.note(`  Not shown as text: “${text}”`);
  const feedback = await askForChanges('Press Enter to accept the plan, or describe your changes:', options, context);
  const body = feedback === '' ? { action: 'accept' as const } : { action: 'changes' as const, feedback };
  await context.client.call(routes.decidePlan, { id, body });
}

async function decidePreview(id: string, options: MakeOptions, context: CommandContext): Promise<void> {
  const { client, terminal } = context;
  if (!options.yes) terminal.note(`Watch it: ${client.url}/p/${id}`);
  const feedback = await askForChanges('Press Enter to accept the preview, or describe your changes:', options, context);
  // `make` renders with its own settings once the project is complete.
  const body = feedback === '' ? { action: 'accept' as const, renderFinal: false } : { action: 'feedback' as const, feedback };
  await client.call(routes.decidePreview, { id, body });
}

async function askForChanges(question: string, { yes }: MakeOptions, { terminal, signal }: CommandContext): Promise<string> {
  const answer = yes ? '' : await terminal.ask(question, { signal });
  if (answer === null) throw needsYes();
  return answer;
}

function needsYes(): KodaError {
  return new KodaError(
    'BAD_REQUEST',
    'Plan and preview need your approval, but there is no terminal to ask in. Use --yes to accept both without asking.',
  );
}
