import type { Render } from '#contract/render.ts';

/** Newest first. */
export function byNewest(renders: readonly Render[]): Render[] {
  return renders.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
}

/** The newest finished video of the whole film, final or preview: it shows the project's current look. */
export function newestComplete(renders: readonly Render[]): Render | null {
  return byNewest(renders).find((render) => render.status === 'complete' && isWholeFilm(render)) ?? null;
}

/** The preview that renders now; null = none. A queued one has nothing to show. */
export function previewAtWork(renders: readonly Render[]): Render | null {
  return byNewest(renders).find(({ settings, status }) => settings.kind === 'preview' && status === 'running') ?? null;
}

/** Whether it is a video of the whole film with its default parameters. */
export function isWholeFilm(render: Pick<Render, 'settings'>): boolean {
  return render.settings.range === null && render.settings.parameters === null && isVideo(render);
}

/** Whether every browser plays it. */
export function isVideo({ settings }: Pick<Render, 'settings'>): boolean {
  return settings.format === 'mp4' || settings.format === 'webm';
}

/** The picture of a finished render that is no video: the picture itself, or a frame from its middle. */
export function pictureOf({ settings, videoUrl, thumbnailUrl }: Render): string | null {
  return ['gif', 'png', 'jpeg'].includes(settings.format) ? videoUrl : thumbnailUrl;
}

export const isAtWork = (render: Render) => render.status === 'queued' || render.status === 'running';

/** Final renders that finished or failed between two views, oldest first. An approval reports previews. */
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
