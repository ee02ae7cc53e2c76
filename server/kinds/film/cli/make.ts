import { KodaError } from '#contract/errors.ts';
import { refuse } from '#contract/permission.ts';
import type { Approval, Plan } from '#contract/project.ts';
import type { Aspect, RenderRequest } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import type { Style } from '#kinds/film/contract/film.ts';
import { approvalLines, planLines, reportState, showEvent } from '../../../cli/act.ts';
import type { CommandContext } from '../../../cli/client.ts';
import { formatUsage } from '../../../cli/output-text.ts';
import { renderAndSave } from '../../../cli/render.ts';
import { readPrompt, type WordedCorrections } from './reading.ts';

export interface MakeOptions {
  /** Without white space at its ends, as the studio stores it. */
  readonly prompt: string;
  readonly words: WordedCorrections;
  readonly yes: boolean;
  /** Whether to render the final video. */
  readonly final: boolean;
  /** Whether to print the finished project as JSON instead of the video's path. */
  readonly json: boolean;
  readonly out: string | null;
  readonly style: Style | null;
  readonly aspect: Aspect | null;
  readonly durationSeconds: number | null;
  readonly render: RenderRequest;
}

/** Turns a prompt into a video file: shows how it is read, creates the project, handles its approvals, renders the final video and saves it. */
export async function make(options: MakeOptions, context: CommandContext): Promise<void> {
  const { client, terminal, signal } = context;
  const { prompt, style, aspect, durationSeconds } = options;
  const look = { style, aspect, durationSeconds };
  const seen = await readPrompt(prompt, { words: options.words, hints: look, asks: !options.yes }, context);
  const { fps, resolution } = options.render;
  const video = { ...(fps !== undefined && { fps }), ...(resolution !== undefined && { resolution }) };
  const hints = { ...look, ...(seen.film !== null && seen), ...(Object.keys(video).length > 0 && { video }) };
  const project = await client.call(routes.createProject, { body: { prompt, hints } });
  terminal.note(`Project ${project.id}: ${client.address}/p/${project.id}`);
  const onAbort = () => void client.call(routes.stop, { id: project.id }).catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  // Ctrl+C may have been pressed before the listener was added.
  if (signal.aborted) onAbort();
  try {
    await untilComplete(project.id, options, context).finally(() => signal.removeEventListener('abort', onAbort));
    const video = options.final ? await renderAndSave(project.id, options.render, options.out, context) : null;
    if (options.json) await reportState(project.id, { json: true, video }, context);
    else if (video !== null) terminal.result(video);
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
    if (event.type === 'project.phase' && event.phase === 'complete') return;
    showEvent(event, projectId, terminal);
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
  for (const line of approvalLines(approval)) context.terminal.note(line);
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
  const answer = options.yes ? '' : await terminal.ask('Your choice, or your own answer:', { signal });
  if (answer === null) throw needsYes();
  const chosen = answer === '' ? approval.options[0] : approval.options.find((option) => option.id === answer);
  if (chosen !== undefined && answer !== chosen.id) terminal.note(`  Chosen: ${chosen.label} (first option)`);
  const given = chosen === undefined ? { text: answer || options.prompt } : { optionId: chosen.id };
  await client.call(routes.answerQuestion, { id, body: { approvalId: approval.id, ...given } });
}

/** Anything but one of the options refuses the call. With --yes, nobody has read it, so it is refused too. */
async function decidePermission(id: string, approval: Approval, options: MakeOptions, context: CommandContext): Promise<void> {
  const { client, terminal, signal } = context;
  const answer = options.yes ? refuse : await terminal.ask('Your choice (Enter refuses):', { signal });
  if (answer === null) throw needsYes();
  if (options.yes) terminal.note('  Refused, because --yes allows no calls outside Koda');
  const optionId = approval.options.find((option) => option.id === answer)?.id ?? refuse;
  await client.call(routes.answerQuestion, { id, body: { approvalId: approval.id, optionId } });
}

async function decidePlan(id: string, plan: Plan | null, options: MakeOptions, context: CommandContext): Promise<void> {
  for (const line of plan === null ? [] : planLines(plan)) context.terminal.note(line);
  const feedback = await askForChanges('Press Enter to accept the plan, or describe your changes:', options, context);
  const body = feedback === '' ? { action: 'accept' as const } : { action: 'changes' as const, feedback };
  await context.client.call(routes.decidePlan, { id, body });
}

async function decidePreview(id: string, options: MakeOptions, context: CommandContext): Promise<void> {
  const { client, terminal } = context;
  if (!options.yes) terminal.note(`Watch it: ${client.address}/p/${id}`);
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
