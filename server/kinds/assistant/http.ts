import { KodaError } from '#contract/errors.ts';
import { messagesOf, readSurface } from '#contract/surface/messages.ts';
import { questionSurface } from '#contract/surface/question.ts';
import {
  type Answer,
  assistantKindId,
  assistantRoutes,
  headingOf,
  readyJobs,
  stateOf,
  stepsOf,
} from '#kinds/assistant/contract/assistant.ts';
import type { HttpApp, HttpDeps } from '../../http/deps.ts';
import { described } from '../../http/route.ts';

type ProjectState = Awaited<ReturnType<HttpDeps['store']['state']>>;

/** A conversation asks one question after another, so the latest are enough. */
const maxAnswers = 200;

/** Returns the latest answered forms, oldest first. An answer is a message, too, and comes right after its question. */
export function answersIn({ settled, messages }: ProjectState): Answer[] {
  const said = messages.filter(({ role }) => role === 'user');
  const answers = settled.flatMap(({ approval, response }): Answer[] => {
    const message = said.find(({ at }) => at > approval.at);
    if (message === undefined || (response.outcome !== 'submitted' && response.outcome !== 'option')) return [];
    const surface = approval.surface === undefined ? null : readSurface(approval.surface);
    const title = surface?.ok ? headingOf(surface.value) : '';
    return [{ approvalId: approval.id, messageId: message.id, title: title || approval.content, at: message.at }];
  });
  return answers.slice(-maxAnswers);
}

function assertAssistant({ project }: { readonly project: { readonly kind: string } }): void {
  if (project.kind !== assistantKindId)
    throw new KodaError('NOT_FOUND', 'This project is not a conversation with the assistant.');
}

export function registerAssistant(app: HttpApp, { store }: Pick<HttpDeps, 'store'>): void {
  app.openapi(
    described(assistantRoutes.readyJobs, 'Jobs of the assistant that need no language model', {
      description: 'To start one, create a project of the kind `assistant` with the title as the prompt.',
    }),
    (c) => c.json({ jobs: [...readyJobs] }, 200),
  );
  app.openapi(
    described(assistantRoutes.assistant, 'State, steps and answered forms of a conversation with the assistant'),
    async (c) => {
      const { id } = c.req.valid('param');
      const snapshot = await store.snapshot(id);
      assertAssistant(snapshot);
      const answers = answersIn(await store.state(id));
      return c.json({ state: stateOf(snapshot), steps: stepsOf(snapshot), answers }, 200);
    },
  );
  app.openapi(described(assistantRoutes.answeredForm, 'A form that was answered, and the answer'), async (c) => {
    const { id, approvalId } = c.req.valid('param');
    const state = await store.state(id);
    assertAssistant(state);
    const answered = state.settled.find(({ approval }) => approval.id === approvalId);
    if (answered === undefined) throw new KodaError('NOT_FOUND', 'This conversation has no such answered form.');
    const { approval, response } = answered;
    const isSubmitted = response.outcome === 'submitted';
    const surface = messagesOf(questionSurface(approval));
    return c.json({ surface, button: isSubmitted ? response.button : null, values: isSubmitted ? response.values : {} }, 200);
  });
}
