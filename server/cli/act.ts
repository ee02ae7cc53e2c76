import type { Command } from 'commander';
import { formatSpan } from '#contract/display.ts';
import { errorCodeSchema, KodaError } from '#contract/errors.ts';
import type { ProjectEvent } from '#contract/events.ts';
import { permissionText } from '#contract/permission.ts';
import type { Approval, Plan } from '#contract/project.ts';
import { type RouteResponse, routes } from '#contract/routes.ts';
import type { CommandContext } from './client.ts';
import { formatUsage } from './output-text.ts';
import { renderAndSave } from './render.ts';
import type { Terminal } from './terminal.ts';

type Snapshot = RouteResponse<typeof routes.project>;

interface ActFlags {
  readonly json: boolean;
  /** Whether to return before the project's work has ended. */
  readonly wait: boolean;
}

/** Commands that do what the project's page does: write a message, answer a question, accept a plan or a preview. */
export function actCommands(program: Command, context: () => CommandContext): void {
  const command = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .argument('<project>', 'project id')
      .option('--no-wait', 'return at once, before the work has ended')
      .option('--json', 'print the project’s new state as JSON', false);

  command('message', 'say what to change, or reply to the open question, plan or preview in your own words')
    .argument('<text>', 'the message')
    .action((id: string, text: string, flags: ActFlags) => sendMessage(id, text, flags, context()));
  command('answer', 'answer the open question or permission; without an answer, list the options')
    .argument('[answer]', 'an option’s id or, for a question, your own words')
    .action((id: string, answer: string | undefined, flags: ActFlags) => answerQuestion(id, answer ?? null, flags, context()));
  command('accept', 'accept the open plan or preview; a preview’s final video is rendered and saved')
    .option('--no-final', 'do not render the final video')
    .option('-o, --out <file>', 'output file (default: <project>.mp4)')
    .action((id: string, flags: ActFlags & { final: boolean; out?: string }) => accept(id, flags, context()));
}

export async function sendMessage(id: string, text: string, flags: ActFlags, context: CommandContext): Promise<void> {
  const { client } = context;
  const { approval, seq } = await client.call(routes.project, { id });
  if (approval?.type === 'permission')
    throw new KodaError('BAD_REQUEST', `A permission is open. Give or refuse it first: koda answer ${id}`);
  if (approval === null) await client.call(routes.sendMessage, { id, body: { content: text } });
  else if (approval.type === 'question')
    await client.call(routes.answerQuestion, { id, body: { approvalId: approval.id, text } });
  else if (approval.type === 'plan') await client.call(routes.decidePlan, { id, body: { action: 'changes', feedback: text } });
  else await client.call(routes.decidePreview, { id, body: { action: 'feedback', feedback: text } });
  await report(id, seq, flags, context);
}

export async function answerQuestion(id: string, answer: string | null, flags: ActFlags, context: CommandContext): Promise<void> {
  const { client, terminal } = context;
  const { approval, seq } = await client.call(routes.project, { id });
  if (approval?.type !== 'question' && approval?.type !== 'permission')
    throw new KodaError('INVALID_TRANSITION', `Nothing to answer. ${waitsFor(id, approval) ?? 'The project asks nothing.'}`);
  if (answer === null) {
    if (flags.json) return terminal.result(JSON.stringify(approval));
    for (const line of approvalLines(approval)) terminal.result(line);
    return;
  }
  const chosen = approval.options.find((option) => option.id === answer);
  if (chosen === undefined && approval.type === 'permission')
    throw new KodaError('BAD_REQUEST', `"${answer}" is none of ${approval.options.map((option) => option.id).join(', ')}.`);
  const given = chosen === undefined ? { text: answer } : { optionId: chosen.id };
  await client.call(routes.answerQuestion, { id, body: { approvalId: approval.id, ...given } });
  await report(id, seq, flags, context);
}

export async function accept(
  id: string,
  flags: ActFlags & { readonly final: boolean; readonly out?: string },
  context: CommandContext,
): Promise<void> {
  const { client } = context;
  const { approval, seq } = await client.call(routes.project, { id });
  if (approval?.type === 'plan') {
    await client.call(routes.decidePlan, { id, body: { action: 'accept' } });
    return await report(id, seq, flags, context);
  }
  if (approval?.type !== 'preview')
    throw new KodaError('INVALID_TRANSITION', `Nothing to accept. ${waitsFor(id, approval) ?? 'No plan or preview is open.'}`);
  // Without waiting, the studio renders the video by itself.
  await client.call(routes.decidePreview, { id, body: { action: 'accept', renderFinal: flags.final && !flags.wait } });
  const video = flags.final && flags.wait ? await renderAndSave(id, { kind: 'final' }, flags.out ?? null, context) : null;
  await reportState(id, { json: flags.json, video }, context);
}

async function report(id: string, afterSeq: number, flags: ActFlags, context: CommandContext): Promise<void> {
  if (flags.wait) await untilWaiting(id, afterSeq, context);
  await reportState(id, { json: flags.json, video: null }, context);
}

/** Shows the work that follows the event `afterSeq` until it ends or the project waits for the user. Throws if it fails. */
async function untilWaiting(id: string, afterSeq: number, { client, terminal, signal }: CommandContext): Promise<void> {
  for await (const event of client.events(id, { afterSeq, signal })) {
    if (event.type === 'run.finished') return;
    if (event.type === 'project.phase' && event.phase === 'complete') return;
    showEvent(event, id, terminal);
  }
}

/** Shows an event of a project's work. Throws the error of an `error` event. */
export function showEvent(event: ProjectEvent, projectId: string, terminal: Terminal): void {
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
      if (event.error !== null) terminal.note(`  ${event.summary || event.name}: ${event.error.message}`);
      break;
    case 'render.progress':
      terminal.progress(`  Rendering ${event.percent.toFixed(0)} % (${event.stage})`);
      break;
    case 'error': {
      const code = errorCodeSchema.safeParse(event.code).data ?? 'GENERATION_FAILED';
      throw new KodaError(code, `${event.message} (project ${projectId})`, { recovery: 'retry' });
    }
    default:
      break;
  }
}

/** Prints what the project is and waits for. `video`: the path of the file that was saved. */
export async function reportState(
  id: string,
  { json, video }: { json: boolean; video: string | null },
  { client, terminal }: CommandContext,
): Promise<void> {
  const snapshot = await client.call(routes.project, { id });
  if (json) return terminal.result(JSON.stringify(projectState(snapshot, client.address, video)));
  if (video !== null) terminal.result(video);
  const { approval, plan, usage } = snapshot;
  for (const line of [
    ...(approval === null ? [] : approvalLines(approval)),
    ...(approval?.type === 'plan' && plan !== null ? planLines(plan) : []),
    waitsFor(id, approval) ?? '',
    formatUsage(usage) ?? '',
  ])
    if (line !== '') terminal.note(line);
}

/** The state of a project that `--json` prints. */
function projectState({ project, plan, approval, usage }: Snapshot, studioUrl: string, video: string | null) {
  const { id, name, kind, phase, running, error } = project;
  return { id, name, kind, phase, running, url: `${studioUrl}/p/${id}`, approval, plan, error, usage, video };
}

export function approvalLines(approval: Approval): string[] {
  const options = approval.options.map(
    ({ id, label, description }) => `  ${id}: ${label}${description ? ` – ${description}` : ''}`,
  );
  return [approval.permission ? permissionText(approval.permission) : approval.content, ...options];
}

export function planLines({ sections, notShown }: Plan): string[] {
  const lines = sections.map(({ title, startSeconds, durationSeconds, description }, index) => {
    const isTimed = startSeconds !== undefined && durationSeconds !== undefined;
    const span = isTimed ? ` (${formatSpan(startSeconds, startSeconds + durationSeconds)})` : '';
    return `  ${index + 1}. ${title}${span}: ${description}`;
  });
  return [...lines, ...(notShown ?? []).map((text) => `  Not shown as text: “${text}”`)];
}

function waitsFor(id: string, approval: Approval | null): string | null {
  switch (approval?.type) {
    case undefined:
      return null;
    case 'question':
    case 'permission':
      return `A ${approval.type} is open. Answer it: koda answer ${id} <option>`;
    case 'plan':
    case 'preview':
      return `The ${approval.type} is open. Accept it: koda accept ${id}, or say what to change: koda message ${id} "…"`;
  }
}
