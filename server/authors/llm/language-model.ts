import { KodaError } from '#contract/errors.ts';
import type { ApprovalRequest } from '../../tools/context.ts';
import type { ProjectFacts } from '../assignment.ts';
import type { Author, AuthorRun, GenerateJob, Proposal } from '../author.ts';
import type { Entry } from './context.ts';
import { generateCode } from './generate.ts';
import { canGoOn, runAgent } from './loop.ts';
import type { Model } from './models/model.ts';
import { systemPrompt } from './prompt-layers.ts';

/** The models that work together: one leads, one writes code. */
export interface Models {
  readonly orchestrator: Model;
  readonly generator: Model;
}

/** An approval that the model asked for, by the id of its call. */
interface Asked {
  readonly callId: string;
  readonly request: ApprovalRequest;
}

/** A language model as an author: it works with tools in a loop, and each of its turns is kept in a transcript. */
export function languageModel(models: Models): Author {
  const proposal = async (_facts: ProjectFacts, run: AuthorRun): Promise<Proposal> => {
    const asked = await untilAsked(models, run);
    if (asked.request.plan === null) throw endedEarly();
    return { callId: asked.callId, content: asked.request.content, plan: asked.request.plan };
  };
  return {
    kind: models.orchestrator.kind,
    name: models.orchestrator.name,
    mends: true,
    resumes: (transcript) => canGoOn(transcript as readonly Entry[]),
    async ask(_facts, run) {
      // A plan instead of a question stays an open call of the transcript, where `plan` finds it.
      const { callId, request } = await untilAsked(models, run);
      return request.type === 'question'
        ? { callId, content: request.content, options: request.options, surface: request.surface }
        : null;
    },
    plan: proposal,
    revise: proposal,
    async write({ facts, todo, evidence, files }, run) {
      // What fails its check is mended by the model.
      const printed = evidence === null ? run.kind.formats.printed({ facts, todo, files }) : null;
      if (printed !== null) return await printed;
      const isOver = ({ phase, todos }: ProjectFacts) => {
        const now = todos.find(({ id }) => id === todo.id);
        const isEnded = now === undefined || now.status === 'done';
        return phase !== 'executing' || isEnded || todos.some(({ status }) => status === 'failed');
      };
      await work(models, run, { isOver, note: evidence });
      return null;
    },
  };
}

async function untilAsked(models: Models, run: AuthorRun): Promise<Asked> {
  const asked = await work(models, run, { isOver: () => false, note: null });
  if (asked === null) throw endedEarly();
  return asked;
}

function endedEarly(): KodaError {
  return new KodaError(
    'GENERATION_FAILED',
    'The agent ended its turn before the work was done. Retry, or say what should be different.',
    {
      recovery: 'retry',
    },
  );
}

/** Runs the loop; the approval that it stopped at, or null when what was asked for is over. */
async function work(
  { orchestrator, generator }: Models,
  run: AuthorRun,
  { isOver, note }: { isOver: (facts: ProjectFacts) => boolean; note: string | null },
): Promise<Asked | null> {
  const { kind, tools, signal } = run;
  let asked: Asked | null = null;
  const services = (callId: string) => ({
    canSee: orchestrator.canSee,
    generate: async ({ task, files, emit, signal: limit }: GenerateJob) => {
      const addUsage: Parameters<typeof generateCode>[0]['addUsage'] = (usage) => run.addUsage({ steps: 0, ...usage });
      const facts = await run.facts();
      const current = await files();
      const generated = await generateCode(
        { model: generator, kind, task, facts, files: current, signal: limit, addUsage },
        emit,
      );
      return kind.formats.withPrinted(generated, { task, plan: facts.plan, files: current });
    },
    async requestApproval(request: ApprovalRequest) {
      const response = await run.answerTo(callId, request);
      if (response === null) asked = { callId, request };
      return response;
    },
  });
  await runAgent(
    {
      agent: { system: systemPrompt(kind), tools, limits: kind.limits },
      model: orchestrator,
      project: { ...run, contextFor: (callId) => run.contextFor(callId, services(callId)) },
      transcript: (await run.transcript()) as readonly Entry[],
      note,
      isOver,
    },
    { signal },
  );
  return asked;
}
