import type { Render } from '../../../server/contract/render.ts';
import { isAtWork } from '../project/renders.ts';

/** Renders that were at work before and are complete or failed now, oldest first. Previews have a gate that tells of them. */
export function finishedSince(before: readonly Render[], after: readonly Render[]): Render[] {
  if (before === after) return [];
  const working = new Set(before.filter(isAtWork).map(({ id }) => id));
  return after
    .filter(
      ({ id, status, settings }) =>
        working.has(id) && settings.kind === 'final' && (status === 'complete' || status === 'failed'),
    )
    .toReversed();
}
