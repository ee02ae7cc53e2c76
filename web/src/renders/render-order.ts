import type { Render } from '../../../server/contract/render.ts';

/** Newest first. */
export function byNewest(renders: readonly Render[]): Render[] {
  return renders.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
}

/** The newest finished video, finals and previews alike: it shows what the project looks like now. */
export function newestComplete(renders: readonly Render[]): Render | null {
  return byNewest(renders).find((render) => render.status === 'complete') ?? null;
}

export const isAtWork = (render: Render) => render.status === 'queued' || render.status === 'running';
