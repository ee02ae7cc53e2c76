import { KodaError } from '#contract/errors.ts';
import { agUiRoutes, type RunInput } from '#kinds/assistant/contract/ag-ui.ts';
import type { Caller } from '../../../access/policies.ts';
import type { EventResponses, HttpApp, HttpDeps } from '../../../http/deps.ts';
import { callerOf } from '../../../http/edge/access.ts';
import { described } from '../../../http/route.ts';
import { stoppedWith } from '../../../http/streams/event-streams.ts';
import { KeyedLock } from '../../../lib/keyed-lock.ts';
import { type AgUiEvent, endOf, everything, newSince, type Run, type View } from './events.ts';
import { clientIdsOf, openConversation, press, projectOf, resume, sayLastWords } from './say.ts';

const frame = (event: AgUiEvent): string => `data: ${JSON.stringify(event)}\n\n`;

const errorEvent = ({ code, message }: KodaError): AgUiEvent => ({ type: 'RUN_ERROR', code, message });

/** Registers the endpoint for front ends that speak the AG-UI protocol. */
export function registerAgUi(
  app: HttpApp,
  { store, projects, bus, streams }: Pick<HttpDeps, 'store' | 'projects' | 'bus'> & { readonly streams: EventResponses },
): void {
  const lock = new KeyedLock();

  const read = async (projectId: string, clientIds: View['clientIds']): Promise<View> => {
    const snapshot = await store.snapshot(projectId);
    const { settled } = await store.state(projectId);
    return { snapshot, answered: settled.map(({ approval }) => approval), clientIds };
  };

  /** Returns the refusal of an answer, or `null`. All other errors are refusals of the request. */
  const say = (projectId: string, input: RunInput, caller: Caller): Promise<KodaError | null> =>
    lock.run(projectId, async () => {
      const commands = projects.as(caller);
      await openConversation({ store, commands }, projectId, input);
      const action = input.forwardedProps?.a2uiAction?.userAction;
      try {
        await resume(commands, await store.state(projectId), input);
        if (action !== undefined) await press(commands, projectId, action);
      } catch (error) {
        if (!(error instanceof KodaError) || error.code === 'FORBIDDEN') throw error;
        return error;
      }
      await sayLastWords(commands, await store.state(projectId), input);
      return null;
    });

  /** Yields what happens after `first` until the run ends. The run goes on without a reader. */
  async function* follow(run: Run, first: View, signal: AbortSignal): AsyncGenerator<AgUiEvent, void, void> {
    let told = first;
    const { id } = first.snapshot.project;
    for await (const { seq } of bus.follow(id, { afterSeq: first.snapshot.seq, signal })) {
      if (seq <= told.snapshot.seq) continue;
      const view = await read(id, first.clientIds);
      yield* newSince(told, view);
      told = view;
      const end = endOf(run, view);
      if (end === null) continue;
      // Whoever answers a question later must have everything that it refers to.
      if (view.snapshot.approval !== null) yield* everything(view);
      return yield end;
    }
    if (!signal.aborted) throw new KodaError('NOT_FOUND', 'The conversation was deleted.');
  }

  async function* wholeRun(
    run: Run,
    first: View,
    { refusal, signal }: { readonly refusal: KodaError | null; readonly signal: AbortSignal },
  ): AsyncGenerator<AgUiEvent, void, void> {
    yield { type: 'RUN_STARTED', ...run };
    yield* everything(first);
    const end = refusal === null ? endOf(run, first) : errorEvent(refusal);
    if (end !== null) return yield end;
    try {
      yield* follow(run, first, signal);
    } catch (error) {
      if (!(error instanceof KodaError)) throw error;
      yield errorEvent(error);
    }
  }

  app.openapi(
    described(agUiRoutes.agent, 'Talk with the assistant in the AG-UI protocol (Server-Sent Events)', {
      description:
        'The body is RunAgentInput, and the stream has the protocol’s events. `threadId` is the id of a conversation’s project, or any other name, which stands for one conversation of the caller and starts it. Koda says the last user message unless its id is known, answers with `resume` the question that ended the last run as an interrupt, and follows until the conversation waits or ends. Without a message or an answer it only follows. Disconnecting stops nothing.',
    }),
    async (c) => {
      streams.requireRoom(c);
      const input = c.req.valid('json');
      const { threadId, runId } = input;
      const caller = callerOf(c);
      const projectId = projectOf(input, caller);
      const refusal = await say(projectId, input, caller);
      const view = await read(projectId, clientIdsOf(input, projectId));
      const stopped = stoppedWith(c);
      const events = wholeRun({ threadId, runId }, view, { refusal, signal: stopped.signal });
      return streams.respond(c, stopped, { first: [], events, frame });
    },
  );
}
