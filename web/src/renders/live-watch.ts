import type { Render } from '../../../server/contract/render.ts';
import { newestComplete, previewAtWork } from '../project/renders.ts';

/** A preview that is watched while it is made, and how far its player has come. */
export interface LiveWatch {
  readonly renderId: string;
  /**
   * `opening`: no picture yet. `showing`: it plays. `broken`: it could not be played, and only its progress is told.
   * `handing`: the finished video is there, and the growing one stays in sight until that shows the same moment.
   */
  readonly stage: 'opening' | 'showing' | 'broken' | 'handing';
}

export type LiveEvent =
  | { readonly type: 'renders'; readonly renders: readonly Render[] }
  /** Of the players: the growing film shows a picture; it failed; the finished video shows the same moment. */
  | { readonly type: 'picture' | 'broken' | 'taken'; readonly renderId: string };

/** What is watched after an event. Pure. */
export function nextWatch(watch: LiveWatch | null, event: LiveEvent): LiveWatch | null {
  if (event.type === 'renders') return afterRenders(watch, event.renders);
  if (watch === null || watch.renderId !== event.renderId) return watch;
  switch (event.type) {
    case 'picture':
      return watch.stage === 'opening' ? { ...watch, stage: 'showing' } : watch;
    case 'broken':
      // The finished video is there already: nothing of the growing one is missed.
      return watch.stage === 'handing' ? null : { ...watch, stage: 'broken' };
    case 'taken':
      return null;
  }
}

function afterRenders(watch: LiveWatch | null, renders: readonly Render[]): LiveWatch | null {
  const atWork = previewAtWork(renders);
  if (atWork !== null) return watch?.renderId === atWork.id ? watch : { renderId: atWork.id, stage: 'opening' };
  // Only the newest video takes over: what shows another one has nothing to wait for.
  if (watch === null || newestComplete(renders)?.id !== watch.renderId) return null;
  return watch.stage === 'showing' || watch.stage === 'handing' ? { ...watch, stage: 'handing' } : null;
}
