import type { QueueTurn, RenderEstimate } from '../contract/estimate.ts';
import { countFrames, type Render, type RenderSettings } from '../contract/render.ts';
import type { RenderStore } from '../storage/render-store.ts';
import { costOf, framesOf } from './estimate.ts';
import { type AtWork, type Lanes, nextInQueue, type Waiting, yieldingTo } from './queue-policy.ts';
import { type PlannedFilm, partSeconds } from './settings.ts';

/** As many finished renders of all projects as show how fast this machine is. */
const samples = 60;

/** What is known of the renders at this moment. */
export interface Present {
  readonly store: Pick<RenderStore, 'list' | 'recentComplete' | 'listUnfinished'>;
  readonly queue: QueueState;
  /** What those at work say of themselves, by id: better than any estimate, where they do. */
  readonly secondsLeft: ReadonlyMap<string, number | null>;
}

/** What a render of these settings would cost, and when its turn would come. */
export async function estimateRender(
  { projectId, settings, film }: { projectId: string; settings: RenderSettings; film: PlannedFilm },
  present: Present,
): Promise<RenderEstimate> {
  const { store, queue } = present;
  const length = { ...film, durationSeconds: settings.durationSeconds, fps: settings.fps };
  const frames = countFrames(partSeconds(settings.range, length), settings.fps);
  const past = { project: await store.list(projectId), studio: await store.recentComplete(samples) };
  const cost = costOf({ settings, frames }, past);
  const asked = { id: '', projectId, preview: settings.kind === 'preview', arrival: Number.POSITIVE_INFINITY, yielded: false };
  const seconds = await workLeft(present).then((left) => left.set(asked.id, cost.workSeconds));
  const turns = turnsOf({ ...queue, waiting: [...queue.waiting, asked] }, seconds);
  const turn = turns.find(({ id }) => id === asked.id);
  return { settings, frames, ...cost, ahead: turn?.ahead ?? 0, waitSeconds: turn?.startsInSeconds ?? null };
}

/** When the renders of a project that wait will have their turn. */
export async function queueOf(projectId: string, present: Present): Promise<QueueTurn[]> {
  const { queue } = present;
  const own = new Set(queue.waiting.filter((one) => one.projectId === projectId).map(({ id }) => id));
  if (own.size === 0) return [];
  const turns = turnsOf(queue, await workLeft(present));
  return turns.filter(({ id }) => own.has(id)).map(({ id, ...turn }) => ({ renderId: id, ...turn }));
}

function turnsOf(queue: QueueState, seconds: ReadonlyMap<string, number | null>): Turn[] {
  // One that has reported its end only tidies up, and delays no other.
  const atWork = queue.atWork.filter(({ id }) => seconds.has(id));
  return forecast({ ...queue, atWork }, (id) => seconds.get(id) ?? null);
}

/** How many more seconds each unfinished render works; null = unknown. */
async function workLeft({ store, secondsLeft }: Present): Promise<Map<string, number | null>> {
  const studio = await store.recentComplete(samples);
  const left = (render: Render): number | null => {
    const { settings } = render;
    const said = secondsLeft.get(render.id);
    if (said != null) return said;
    const project = studio.filter(({ projectId }) => projectId === render.projectId);
    const { workSeconds } = costOf({ settings, frames: framesOf(settings) }, { project, studio });
    return workSeconds === null ? null : workSeconds * (1 - render.percent / 100);
  };
  return new Map((await store.listUnfinished()).map((render) => [render.id, left(render)]));
}

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
  /** Null when it is unknown how long those take. */
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
