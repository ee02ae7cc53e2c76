import type { QueuePosition, RenderEstimate } from '#contract/estimate.ts';
import { countFrames, type Render, type RenderSettings } from '#contract/render.ts';
import type { RenderStore } from '../storage/render-store.ts';
import { costOf, framesOf } from './estimate.ts';
import {
  nextInQueue,
  preemptedRenders,
  type RenderSlots,
  type RunningRender,
  type SandboxStatus,
  type Waiting,
} from './queue-policy.ts';
import { type RenderSubject, renderedSeconds } from './settings.ts';

/** Number of finished renders that is enough to measure the machine's speed. */
const samples = 60;

export interface Present {
  readonly store: Pick<RenderStore, 'list' | 'recentComplete' | 'listUnfinished'>;
  readonly queue: QueueState;
  /** Remaining time reported by running renders, by id. More accurate than an estimate. */
  readonly secondsLeft: ReadonlyMap<string, number | null>;
}

export async function estimateRender(
  { projectId, settings, film }: { projectId: string; settings: RenderSettings; film: RenderSubject },
  present: Present,
): Promise<RenderEstimate> {
  const { store, queue } = present;
  const length = { ...film, durationSeconds: settings.durationSeconds, fps: settings.fps };
  const frames = countFrames(renderedSeconds(settings.range, length), settings.fps);
  const past = { project: await store.list(projectId), studio: await store.recentComplete(samples) };
  const cost = costOf({ settings, frames }, past);
  const requested = {
    id: '',
    projectId,
    preview: settings.kind === 'preview',
    arrival: Number.POSITIVE_INFINITY,
    wasPreempted: false,
  };
  const seconds = await workLeft(present).then((left) => left.set(requested.id, cost.workSeconds));
  const positions = positionsOf({ ...queue, waiting: [...queue.waiting, requested] }, seconds);
  const position = positions.find(({ id }) => id === requested.id);
  return { settings, frames, ...cost, ahead: position?.ahead ?? 0, waitSeconds: position?.startsInSeconds ?? null };
}

export async function queueOf(projectId: string, present: Present): Promise<QueuePosition[]> {
  const { queue } = present;
  const own = new Set(queue.waiting.filter((one) => one.projectId === projectId).map(({ id }) => id));
  if (own.size === 0) return [];
  const positions = positionsOf(queue, await workLeft(present));
  return positions.filter(({ id }) => own.has(id)).map(({ id, ...position }) => ({ renderId: id, ...position }));
}

function positionsOf(queue: QueueState, seconds: ReadonlyMap<string, number | null>): ForecastPosition[] {
  // A render that has reported its end is only cleaning up and does not delay others.
  const running = queue.running.filter(({ id }) => seconds.has(id));
  return forecast({ ...queue, running }, (id) => seconds.get(id) ?? null);
}

/** Returns the remaining seconds of work for each unfinished render, or `null` if unknown. */
async function workLeft({ store, secondsLeft }: Present): Promise<Map<string, number | null>> {
  const studio = await store.recentComplete(samples);
  const left = (render: Render): number | null => {
    const { settings } = render;
    const reported = secondsLeft.get(render.id);
    if (reported != null) return reported;
    const project = studio.filter(({ projectId }) => projectId === render.projectId);
    const { workSeconds } = costOf({ settings, frames: framesOf(settings) }, { project, studio });
    return workSeconds === null ? null : workSeconds * (1 - render.percent / 100);
  };
  return new Map((await store.listUnfinished()).map((render) => [render.id, left(render)]));
}

export interface QueueState {
  readonly waiting: readonly Waiting[];
  readonly running: readonly RunningRender[];
  readonly slots: RenderSlots;
  readonly lastServed: ReadonlyMap<string, number>;
  readonly sandboxOf: (projectId: string) => SandboxStatus;
}

export interface ForecastPosition {
  readonly id: string;
  readonly position: number;
  /** Renders that must end before this one starts. 0: it starts immediately. */
  readonly ahead: number;
  /** `null` if the length of the renders ahead is unknown. */
  readonly startsInSeconds: number | null;
}

/** Assumed length of renders whose length is unknown. Only affects their order. */
const guessSeconds = 60;

/** Simulates `nextInQueue`. `secondsOf` returns a render's remaining seconds or `null`. The result is in starting order. */
export function forecast(state: QueueState, secondsOf: (renderId: string) => number | null): ForecastPosition[] {
  const { slots, sandboxOf } = state;
  const lastServed = new Map(state.lastServed);
  const preemptedIds = preemptedRenders(state.waiting, state.running);
  const requested = new Set(state.waiting.map(({ id }) => id));
  // Preempted renders resume before anything that was queued later.
  const preempted = state.running
    .filter(({ id }) => preemptedIds.includes(id))
    .map((one) => ({ ...one, arrival: -1, wasPreempted: true }));
  let waiting: Waiting[] = [...state.waiting, ...preempted];
  let running = state.running.filter(({ id }) => !preemptedIds.includes(id)).map((one) => ({ ...one, endsAt: endOf(one, 0) }));
  let nowSeconds = 0;
  let ended = 0;
  let known = true;
  const positions: ForecastPosition[] = [];

  function endOf({ id }: { id: string }, fromSeconds: number): number {
    return fromSeconds + (secondsOf(id) ?? guessSeconds);
  }

  while (waiting.length > 0) {
    const next = nextInQueue(waiting, running, { slots, lastServed, sandboxOf });
    if (next !== null) {
      waiting = waiting.filter(({ id }) => id !== next.id);
      lastServed.set(next.projectId, 1 + Math.max(0, ...lastServed.values()));
      running.push({ ...next, endsAt: endOf(next, nowSeconds) });
      if (requested.has(next.id)) {
        const startsInSeconds = known ? nowSeconds : null;
        positions.push({ id: next.id, position: positions.length + 1, ahead: ended, startsInSeconds });
      }
      continue;
    }
    const [first] = running.toSorted((a, b) => a.endsAt - b.endsAt);
    if (first === undefined) break;
    running = running.filter(({ id }) => id !== first.id);
    nowSeconds = first.endsAt;
    ended += 1;
    known &&= secondsOf(first.id) !== null;
  }
  return positions;
}
