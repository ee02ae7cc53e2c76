import type { RenderRange } from '../../../server/contract/render.ts';

/** When in the film a part begins, in seconds; null when the plan does not know its scene. `fps` is that of the render. */
export function filmStart(
  range: RenderRange | null,
  film: { readonly fps: number; readonly scenes: readonly { readonly number: number; readonly startSeconds: number }[] },
): number | null {
  if (range === null) return 0;
  if ('fromFrame' in range) return range.fromFrame / film.fps;
  return film.scenes.find(({ number }) => range.scene === `scene-${number}`)?.startSeconds ?? null;
}
