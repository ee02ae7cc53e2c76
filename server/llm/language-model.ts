import { KodaError } from '#contract/errors.ts';
import type { ModelUsage } from '#contract/project.ts';
import type { AuthorContext, SourceFile } from '../projects/assignment.ts';
import type { AuthorRun, Builder, Converser, Proposal } from '../projects/author.ts';
import type { ApprovalRequest, Correction } from '../tools/context.ts';
import type { Entry } from './context.ts';
import { generateCode } from './generate.ts';
import { canResume, runAgent } from './loop.ts';
import type { Model } from './models/model.ts';
import { systemPrompt } from './prompt-layers.ts';

export interface Models {
  readonly orchestrator: Model;
  readonly generator: Model;
}

interface RequestedApproval {
  readonly callId: string;
  readonly request: ApprovalRequest;
}

/** Creates an author from a language model. It calls tools in a loop and stores each turn in a transcript. */
export function languageModel(models: Models): Builder & Converser {
  const proposal = async (_facts: AuthorContext, run: AuthorRun): Promise<Proposal | null> => {
    const requested = await runUntilApproval(models, run);
    if (requested.request.type !== 'plan') return null;
    if (requested.request.plan === null) throw endedEarly();
    return { callId: requested.callId, content: requested.request.content, plan: requested.request.plan };
  };
  return {
    kind: models.orchestrator.kind,
    name: models.orchestrator.name,
    canRepair: true,
    canResume: (transcript) => canResume(transcript as readonly Entry[]),
    async ask(_facts, run) {
      // If the model proposes a plan instead of asking, that call stays pending in the transcript, where `plan` finds it.
      await runUntilApproval(models, run);
      return null;
    },
    plan: proposal,
    revise: proposal,
    async write({ context, todo, evidence }, run) {
      // After a failed check, the model repairs the work.
      const printed = evidence === null ? run.kind.generator?.printed({ context, todo }) : null;
      if (printed) return { ...printed, isPrinted: true };
      const isOver = ({ phase, todos }: AuthorContext) => {
        const now = todos.find(({ id }) => id === todo.id);
        const isEnded = now === undefined || now.status === 'done';
        return phase !== 'executing' || isEnded || todos.some(({ status }) => status === 'failed');
      };
      await work(models, run, { isOver, note: evidence });
      return null;
    },
    async converse(_facts, run) {
      await work(models, run, { isOver: () => false, note: null });
      return null;
    },
    async generate({ task, files, corrections, emit, signal }, run) {
      const { generator } = run.kind;
      if (generator === undefined)
        throw new KodaError('GENERATION_FAILED', 'Projects of this kind have no code generator. Write the files yourself.');
      const context = await run.context();
      const addUsage = (usage: ModelUsage) => run.addUsage({ steps: 0, ...usage });
      const generated = await generateCode(
        { model: models.generator, rules: generator, task, context, files, corrections, signal, addUsage },
        emit,
      );
      return generator.withPrinted(generated, { task, plan: context.plan, files: filesAfter(files, corrections) });
    },
  };
}

/** Returns the project's files after the earlier responses to the same task. */
function filesAfter(files: readonly SourceFile[], corrections: readonly Correction[]): SourceFile[] {
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  for (const { generated } of corrections) {
    for (const { path, content } of generated.files) contents.set(path, content);
    for (const path of generated.deleted) contents.delete(path);
  }
  return [...contents].map(([path, content]) => ({ path, content }));
}

async function runUntilApproval(models: Models, run: AuthorRun): Promise<RequestedApproval> {
  const requested = await work(models, run, { isOver: () => false, note: null });
  if (requested === null) throw endedEarly();
  return requested;
}

function endedEarly(): KodaError {
  return new KodaError('GENERATION_FAILED', 'The agent stopped before the work was complete. Retry, or tell me what to change.', {
    recovery: 'retry',
  });
}

/** Runs the loop. Returns the approval that it stopped at, or `null` if the requested work is complete. */
async function work(
  { orchestrator }: Models,
  run: AuthorRun,
  { isOver, note }: { isOver: (context: AuthorContext) => boolean; note: string | null },
): Promise<RequestedApproval | null> {
  const { kind, tools, signal } = run;
  let requested: RequestedApproval | null = null;
  const services = (callId: string) => ({
    supportsImages: orchestrator.supportsImages,
    async requestApproval(request: ApprovalRequest) {
      const response = await run.responseTo(callId, request);
      if (response === null) requested = { callId, request };
      return response;
    },
  });
  await runAgent(
    {
      agent: { system: systemPrompt(kind), tools, limits: kind.limits, offeredTools: kind.offeredTools },
      model: orchestrator,
      project: { ...run, callTool: (call, refusal) => run.callTool(call, { services: services(call.id), refusal }) },
      transcript: (await run.transcript()) as readonly Entry[],
      note,
      isOver,
    },
    { signal },
  );
  return requested;
}
