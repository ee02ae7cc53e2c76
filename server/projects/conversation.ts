import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { Converser, Reply } from './author.ts';
import { authorContext, type ProjectRun, type RunScope } from './author-run.ts';
import type { ProjectCore } from './deps.ts';
import { newMessage, phaseEvents } from './phases.ts';
import { shownSurface } from './surfaces.ts';

/**
 * Makes a conversation's turn until the user is asked or the turn ends. The phase says whether a turn is due, and the last message of
 * a turn is recorded with its end, so a turn that a crash interrupts is made again, and a finished one is not. Each turn has its own
 * run and transcript.
 */
export async function converse(
  core: ProjectCore,
  { author, by, projectId, signal }: RunScope & { readonly author: Converser },
  run: ProjectRun,
): Promise<'waiting' | 'completed'> {
  for (;;) {
    signal.throwIfAborted();
    await run.deliverMessages();
    const state = await core.store.state(projectId);
    if (state.approval !== null) return 'waiting';
    if (state.project.phase !== 'executing') return 'completed';
    const reply = await author.converse(authorContext(core, state), run);
    signal.throwIfAborted();
    if (run.takeAsked()) continue;
    await core.lock.run(projectId, async () => {
      const now = await core.store.state(projectId);
      await core.store.record(projectId, [...replyEvents(core, now, reply), ...phaseEvents(now, 'end_turn')], { by });
    });
    return 'completed';
  }
}

function replyEvents(core: ProjectCore, state: ProjectState, reply: Reply | null): EventBody[] {
  if (reply === null) return [];
  if (reply.surface === undefined) return [{ type: 'message.added', message: newMessage('assistant', reply.content) }];
  const { value, events } = shownSurface(core, state, { content: reply.content, surface: reply.surface });
  if (value.ok) return events;
  throw new KodaError('GENERATION_FAILED', `The surface cannot be shown: ${value.issue.message}`, { recovery: 'retry' });
}
