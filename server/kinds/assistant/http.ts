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
import { confirmationIn } from '#kinds/assistant/contract/confirmation.ts';
import type { HttpApp, HttpDeps } from '../../http/deps.ts';
import { callerOf } from '../../http/edge/access.ts';
import { described } from '../../http/route.ts';
import type { ToolRegistry } from '../../tools/tool.ts';
import { answeredConfirmation } from './model/confirmation.ts';
import { listedTools, toolsOffIn, unknownTools } from './tool-limits.ts';

type ProjectState = Awaited<ReturnType<HttpDeps['store']['state']>>;

/** A conversation asks one question after another, so the latest are enough. */
const maxAnswers = 200;

const answering: ReadonlySet<string> = new Set(['submitted', 'option', 'free_text']);

/** Returns the latest answered forms, oldest first. An answer is a message, too, and comes right after its question. */
export function answersIn({ settled, messages }: ProjectState): Answer[] {
  const said = messages.filter(({ role }) => role === 'user');
  const answers = settled.flatMap(({ approval, response, callId }): Answer[] => {
    const words = response.outcome === 'free_text' ? response.text : null;
    const message = said.find(({ at, content }) => at > approval.at && (words === null || content === words));
    if (message === undefined || !answering.has(response.outcome)) return [];
    const surface = approval.surface === undefined ? null : readSurface(approval.surface);
    const title = surface?.ok ? headingOf(surface.value) : '';
    const says = title === '' || approval.content.startsWith(title) ? '' : approval.content;
    return [
      {
        ...{ approvalId: approval.id, messageId: message.id, callId, isInWords: words !== null },
        ...{ title: title || (confirmationIn(approval)?.question ?? approval.content), says },
        ...{ askedAt: approval.at, at: message.at },
      },
    ];
  });
  return answers.slice(-maxAnswers);
}

function assertAssistant({ project }: { readonly project: { readonly kind: string } }): void {
  if (project.kind !== assistantKindId)
    throw new KodaError('NOT_FOUND', 'This project is not a conversation with the assistant.');
}

export function registerAssistant(
  app: HttpApp,
  { store, projects, tools }: Pick<HttpDeps, 'store' | 'projects'> & { readonly tools: () => ToolRegistry },
): void {
  app.openapi(
    described(assistantRoutes.readyJobs, 'Jobs of the assistant that need no language model', {
      description:
        'To start one, create a project of the kind `assistant` with the title as the prompt. The hint `timeZone`, an IANA name such as `Europe/Berlin`, says in which time zone the person is; a name that Koda does not know is ignored.',
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
      const toolsOff = [...toolsOffIn((await store.get(id)).hints)];
      return c.json({ state: stateOf(snapshot), steps: stepsOf(snapshot), answers, toolsOff }, 200);
    },
  );
  app.openapi(described(assistantRoutes.assistantTools, 'Tools that a conversation with the assistant may use'), (c) =>
    c.json({ tools: listedTools(tools()) }, 200),
  );
  app.openapi(
    described(assistantRoutes.limitTools, 'Turn tools of a conversation off, and all others on', {
      description:
        'The model is not told of a tool that is off, and a call of it is refused. Ready jobs use what they need. To start a conversation with tools off, create its project with the hint `toolsOff`.',
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const { off } = c.req.valid('json');
      assertAssistant({ project: await store.get(id) });
      const problem = unknownTools(off, tools());
      if (problem !== null) throw new KodaError('VALIDATION_ERROR', problem, { details: { field: 'off' } });
      const hints = await projects.as(callerOf(c)).changeHints(id, (before) => {
        // Keeps tools off whose MCP server is unavailable now.
        const unavailable = toolsOffIn(before).filter((name) => unknownTools([name], tools()) !== null);
        return { ...before, toolsOff: [...new Set([...off, ...unavailable])] };
      });
      return c.json({ off: [...toolsOffIn(hints)] }, 200);
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
    const confirmation = confirmationIn(approval);
    const surface =
      confirmation === null ? messagesOf(questionSurface(approval)) : answeredConfirmation(approval.id, confirmation);
    return c.json({ surface, button: isSubmitted ? response.button : null, values: isSubmitted ? response.values : {} }, 200);
  });
}
