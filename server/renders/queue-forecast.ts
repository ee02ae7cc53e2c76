import { type AtWork, type Lanes, nextInQueue, type Waiting, yieldingTo } from './queue-policy.ts';

/** The queue of renders at one moment. */
export interface QueueState {
  readonly waiting: readonly Waiting[];
  readonly atWork: readonly AtWork[];
  readonly lanes: Lanes;
  /** A growing number per turn, by project. */
  readonly lastServed: ReadonlyMap<string, number>;
}

/** When the turn of a waiting render comes, if nothing else is asked for meanwhile. */
export interface Turn {
  readonly id: string;
  /** 1 = it begins next. */
  readonly position: number;
  /** Renders whose work lies between now and its beginning; 0 = it begins at once. */
  readonly ahead: number;
  /** Null when nobody knows how long those take. */
  readonly startsInSeconds: number | null;
}

/** Only puts those of unknown length into an order. */
const guessSeconds = 60;

/**
 * Plays the queue through by its own rules (`nextInQueue`). `secondsOf`: how long a render works from now on, what is
 * done already left out; null = unknown. In the order of turns. Pure.
 */
export function forecast(state: QueueState, secondsOf: (renderId: string) => number | null): Turn[] {
  const { lanes } = state;
  const lastServed = new Map(state.lastServed);
  const making = yieldingTo(state.waiting, state.atWork);
  const asked = new Set(state.waiting.map(({ id }) => id));
  // What makes way goes on before anything that came later.
  const yielded = state.atWork.filter(({ id }) => making.includes(id)).map((one) => ({ ...one, arrival: -1, yielded: true }));
  let waiting: Waiting[] = [...state.waiting, ...yielded];
  let atWork = state.atWork.filter(({ id }) => !making.includes(id)).map((one) => ({ ...one, endsAt: endOf(one, 0) }));
  let nowSeconds = 0;
  let ended = 0;
  let known = true;
  const turns: Turn[] = [];

  function endOf({ id }: { id: string }, fromSeconds: number): number {
    return fromSeconds + (secondsOf(id) ?? guessSeconds);
  }

  while (waiting.length > 0) {
    const next = nextInQueue(waiting, atWork, { lanes, lastServed });
    if (next !== null) {
      waiting = waiting.filter(({ id }) => id !== next.id);
      lastServed.set(next.projectId, 1 + Math.max(0, ...lastServed.values()));
      atWork.push({ ...next, endsAt: endOf(next, nowSeconds) });
      if (asked.has(next.id)) {
        const startsInSeconds = known ? nowSeconds : null;
        turns.push({ id: next.id, position: turns.length + 1, ahead: ended, startsInSeconds });
      }
      continue;
    }
    const [first] = atWork.toSorted((a, b) => a.endsAt - b.endsAt);
    if (first === undefined) break;
    atWork = atWork.filter(({ id }) => id !== first.id);
    nowSeconds = first.endsAt;
    ended += 1;
    known &&= secondsOf(first.id) !== null;
  }
  return turns;
}
