import { KodaError } from '#contract/errors.ts';
import type { AuthorContext } from '../kinds/assignment.ts';
import type { Author, AuthorRun, GenerateJob, Proposal } from '../kinds/author.ts';
import type { ApprovalRequest } from '../tools/context.ts';
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
export function languageModel(models: Models): Author {
  const proposal = async (_facts: AuthorContext, run: AuthorRun): Promise<Proposal | null> => {
    const requested = await runUntilApproval(models, run);
    if (requested.request.type === 'permission') return null;
    if (requested.request.plan === null) throw endedEarly();
    return { callId: requested.callId, content: requested.request.content, plan: requested.request.plan };
  };
  return {
    kind: models.orchestrator.kind,
    name: models.orchestrator.name,
    canRepair: true,
    canResume: (transcript) => canResume(transcript as readonly Entry[]),
    async ask(_facts, run) {
      // If the model proposes a plan instead of a question, that call stays pending in the transcript, where `plan` finds it.
      const { callId, request } = await runUntilApproval(models, run);
      return request.type === 'question'
        ? { callId, content: request.content, options: request.options, surface: request.surface }
        : null;
    },
    plan: proposal,
    revise: proposal,
    async write({ context, todo, evidence }, run) {
      // After a failed check, the model repairs the work.
      const printed = evidence === null ? run.kind.print.written({ context, todo }) : null;
      if (printed !== null) return printed;
      const isOver = ({ phase, todos }: AuthorContext) => {
        const now = todos.find(({ id }) => id === todo.id);
        const isEnded = now === undefined || now.status === 'done';
        return phase !== 'executing' || isEnded || todos.some(({ status }) => status === 'failed');
      };
      await work(models, run, { isOver, note: evidence });
      return null;
    },
  };
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
  { orchestrator, generator }: Models,
  run: AuthorRun,
  { isOver, note }: { isOver: (context: AuthorContext) => boolean; note: string | null },
): Promise<RequestedApproval | null> {
  const { kind, tools, signal } = run;
  let requested: RequestedApproval | null = null;
  const services = (callId: string) => ({
    supportsImages: orchestrator.supportsImages,
    generate: async ({ task, files, emit, signal: limit }: GenerateJob) => {
      const addUsage: Parameters<typeof generateCode>[0]['addUsage'] = (usage) => run.addUsage({ steps: 0, ...usage });
      const context = await run.context();
      const current = await files();
      const generated = await generateCode(
        { model: generator, kind, task, context, files: current, signal: limit, addUsage },
        emit,
      );
      return kind.print.withPrinted(generated, { task, plan: context.plan, files: current });
    },
    async requestApproval(request: ApprovalRequest) {
      const response = await run.responseTo(callId, request);
      if (response === null) requested = { callId, request };
      return response;
    },
  });
  await runAgent(
    {
      agent: { system: systemPrompt(kind), tools, limits: kind.limits },
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
