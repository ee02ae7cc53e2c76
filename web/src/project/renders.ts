import type { Render } from '#contract/render.ts';

export function byNewest<T extends { readonly createdAt: string }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => Number(a.createdAt < b.createdAt) - Number(a.createdAt > b.createdAt));
}

/** Returns the newest finished video of the whole film, which shows its current look. */
export function newestComplete(renders: readonly Render[]): Render | null {
  return byNewest(renders).find((render) => render.status === 'complete' && isWholeFilm(render)) ?? null;
}

/** Returns the running preview, or `null`. A queued one has nothing to show. */
export function runningPreview(renders: readonly Render[]): Render | null {
  return byNewest(renders).find(({ settings, status }) => settings.kind === 'preview' && status === 'running') ?? null;
}

/** Returns whether a render shows the whole film with its default parameters. */
export function isWholeFilm(render: Pick<Render, 'settings'>): boolean {
  return render.settings.range === null && render.settings.parameters === null && isVideo(render);
}

/** Returns whether the whole result has been rendered in full quality, is being rendered, or neither. */
export function finalOf(renders: readonly Render[]): 'running' | 'complete' | 'none' {
  const finals = renders.filter(({ settings, batch }) => settings.kind === 'final' && settings.range === null && batch === null);
  if (finals.some(isRunning)) return 'running';
  return finals.some(({ status }) => status === 'complete') ? 'complete' : 'none';
}

/** Returns whether every browser can play the render. */
export function isVideo({ settings }: Pick<Render, 'settings'>): boolean {
  return settings.format === 'mp4' || settings.format === 'webm';
}

/** Returns the image of a finished render that is not a video: the image itself, or its middle frame. */
export function imageOf({ settings, videoUrl, thumbnailUrl }: Render): string | null {
  return ['gif', 'png', 'jpeg'].includes(settings.format) ? videoUrl : thumbnailUrl;
}

export const isRunning = (render: Render) => render.status === 'queued' || render.status === 'running';

/**
 * Returns the final renders that finished or failed between two views, oldest first. Previews are reported by approvals, and the
 * videos of a batch in its entry.
 */
export function finishedSince(before: readonly Render[], after: readonly Render[]): Render[] {
  if (before === after) return [];
  const working = new Set(before.filter(isRunning).map(({ id }) => id));
  return after
    .filter(
      ({ id, status, settings, batch }) =>
        working.has(id) && settings.kind === 'final' && batch === null && (status === 'complete' || status === 'failed'),
    )
    .toReversed();
}
