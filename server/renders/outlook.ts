import type { QueueTurn, RenderEstimate } from '../contract/estimate.ts';
import type { Render, RenderSettings } from '../contract/render.ts';
import { countFrames } from '../contract/render.ts';
import type { RenderStore } from '../storage/render-store.ts';
import { costOf, framesOf } from './estimate.ts';
import { partSeconds } from './part.ts';
import type { PlannedFilm } from './presets.ts';
import { forecast, type QueueState, type Turn } from './queue-forecast.ts';

/** As many finished renders of all projects as tell how fast this machine is. */
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
  // One that has told of its end tidies up, and keeps nobody waiting.
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
