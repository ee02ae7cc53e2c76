import { KodaError } from '#contract/errors.ts';
import { refuse } from '#contract/permission.ts';
import type { Approval, Plan } from '#contract/project.ts';
import { routes } from '#contract/routes.ts';
import { approvalLines, planLines, showEvent } from './act.ts';
import type { CommandContext } from './client.ts';

interface Options {
  /** Answers a question that the user leaves empty and that has no options. */
  readonly prompt: string;
  /** Whether to accept everything without asking. */
  readonly yes: boolean;
  /** What the user is told to do with the preview: “Watch it”. */
  readonly look: string;
}

/**
 * Shows a new project's work and settles its approvals until it is complete. Renders no video. Stops the work when the user presses
 * Ctrl+C. Throws the work's error, and BAD_REQUEST if nobody can be asked.
 */
export async function untilComplete(projectId: string, options: Options, context: CommandContext): Promise<void> {
  const { client, signal } = context;
  const onAbort = () => void client.call(routes.stop, { id: projectId }).catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  // Ctrl+C may have been pressed before the listener was added.
  if (signal.aborted) onAbort();
  try {
    await followWork(projectId, options, context);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function followWork(projectId: string, options: Options, context: CommandContext): Promise<void> {
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
  options: Options,
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

async function answerQuestion(id: string, approval: Approval, options: Options, context: CommandContext): Promise<void> {
  const { client, terminal, signal } = context;
  const answer = options.yes ? '' : await terminal.ask('Your choice, or your own answer:', { signal });
  if (answer === null) throw needsYes();
  const chosen = answer === '' ? approval.options[0] : approval.options.find((option) => option.id === answer);
  if (chosen !== undefined && answer !== chosen.id) terminal.note(`  Chosen: ${chosen.label} (first option)`);
  const given = chosen === undefined ? { text: answer || options.prompt } : { optionId: chosen.id };
  await client.call(routes.answerQuestion, { id, body: { approvalId: approval.id, ...given } });
}

/** Anything but one of the options refuses the call. With --yes, nobody has read it, so it is refused too. */
async function decidePermission(id: string, approval: Approval, options: Options, context: CommandContext): Promise<void> {
  const { client, terminal, signal } = context;
  const answer = options.yes ? refuse : await terminal.ask('Your choice (Enter refuses):', { signal });
  if (answer === null) throw needsYes();
  if (options.yes) terminal.note('  Refused, because --yes allows no calls outside Koda');
  const optionId = approval.options.find((option) => option.id === answer)?.id ?? refuse;
  await client.call(routes.answerQuestion, { id, body: { approvalId: approval.id, optionId } });
}

async function decidePlan(id: string, plan: Plan | null, options: Options, context: CommandContext): Promise<void> {
  for (const line of plan === null ? [] : planLines(plan)) context.terminal.note(line);
  const feedback = await askForChanges('Press Enter to accept the plan, or describe your changes:', options, context);
  const body = feedback === '' ? { action: 'accept' as const } : { action: 'changes' as const, feedback };
  await context.client.call(routes.decidePlan, { id, body });
}

async function decidePreview(id: string, options: Options, context: CommandContext): Promise<void> {
  const { client, terminal } = context;
  if (!options.yes) terminal.note(`${options.look}: ${client.address}/p/${id}`);
  const feedback = await askForChanges('Press Enter to accept the preview, or describe your changes:', options, context);
  // The caller renders with its own settings once the project is complete.
  const body = feedback === '' ? { action: 'accept' as const, renderFinal: false } : { action: 'feedback' as const, feedback };
  await client.call(routes.decidePreview, { id, body });
}

async function askForChanges(question: string, { yes }: Options, { terminal, signal }: CommandContext): Promise<string> {
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
