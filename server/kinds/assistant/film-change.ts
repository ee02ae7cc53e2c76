import { KodaError } from '#contract/errors.ts';
import { changeMessageId } from '#contract/project.ts';
import type { EventBus } from '../../events/bus.ts';
import { isBeingMade } from '../../projects/finals.ts';
import type { ProjectState, ProjectStore } from '../../storage/projects.ts';

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Called with the reason before the wait starts and whenever it changes, and with `null` once it is over. */
  readonly onWait: (reason: string | null) => Promise<void>;
  /** Shared by calls that belong together, so that they do not wait for the limit one after another. */
  readonly hold?: Hold;
}

/** Wait for one film. */
export interface Hold {
  /** When it began, in milliseconds of `performance.now`. `null` if there is none. */
  sinceMs: number | null;
}

interface Deps {
  readonly store: Pick<ProjectStore, 'state'>;
  readonly bus: Pick<EventBus, 'follow'>;
  /** Longest wait until something can be done with a film. */
  readonly maxWaitMs?: number;
}

const millisecondsPerMinute = 60_000;
const usualWaitMs = 60 * millisecondsPerMinute;

/** Events on which the state of a change or the reason of the wait depends. */
const decisiveTypes: ReadonlySet<string> = new Set([
  ...['project.phase', 'error', 'run.started', 'todo.updated', 'message.delivered', 'message.withdrawn'],
  ...['approval.requested', 'approval.settled'],
]);

/**
 * Calls `act` once the film is not being changed. If another change starts first, waits for that one too. Throws
 * INVALID_TRANSITION if the film is still being changed after an hour.
 */
export async function afterChange<T>(deps: Deps, filmId: string, options: WaitOptions, act: () => Promise<T>): Promise<T> {
  const hold = options.hold ?? { sinceMs: null };
  for (;;) {
    await changeEnd(deps, filmId, { ...options, hold });
    try {
      const result = await act();
      hold.sinceMs = null;
      return result;
    } catch (error) {
      if (!(error instanceof KodaError && error.code === 'INVALID_TRANSITION' && error.recovery === 'wait')) throw error;
      if (!isBeingMade(await deps.store.state(filmId))) throw error;
    }
  }
}

async function changeEnd(
  { store, bus, maxWaitMs = usualWaitMs }: Deps,
  filmId: string,
  { signal, onWait, hold }: WaitOptions & { readonly hold: Hold },
): Promise<void> {
  signal.throwIfAborted();
  let state = await store.state(filmId);
  if (!isBeingMade(state)) return;
  const { name } = state.project;
  let reason = reasonIn(state);
  await onWait(reason);
  const now = performance.now();
  hold.sinceMs ??= now;
  const limit = AbortSignal.timeout(Math.max(0, Math.round(maxWaitMs - (now - hold.sinceMs))));
  const events = bus.follow(filmId, { afterSeq: state.seq, signal: AbortSignal.any([signal, limit]) });
  for await (const { type } of events) {
    if (!decisiveTypes.has(type)) continue;
    state = await store.state(filmId);
    if (!isBeingMade(state)) {
      await onWait(null);
      return;
    }
    if (reasonIn(state) === reason) continue;
    reason = reasonIn(state);
    await onWait(reason);
  }
  signal.throwIfAborted();
  await onWait(null);
  // The events end only at the time limit or when the film is deleted.
  if (!limit.aborted) throw new KodaError('NOT_FOUND', `“${name}” was deleted.`);
  throw new KodaError(
    'INVALID_TRANSITION',
    `“${name}” was still being changed after ${Math.round(maxWaitMs / millisecondsPerMinute)} minutes. Try again when that is finished.`,
  );
}

function reasonIn({ project, todos, approval }: ProjectState): string {
  // A change request becomes a todo only when it is delivered.
  const isChange = project.phase !== 'executing' || todos.some(({ key }) => changeMessageId(key) !== null);
  const what = isChange ? 'the change of ' : '';
  const answer = approval === null ? '' : ', which waits for your answer there';
  return `Waits for ${what}“${project.name}” to finish${answer}`;
}
