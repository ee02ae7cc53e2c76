import type { Phase } from '../../../server/contract/project.ts';
import type { Render } from '../../../server/contract/render.ts';
import { byNewest, isWholeFilm } from '../project/renders.ts';

/** A video of one version of the film. */
export interface VersionVideo {
  readonly render: Render;
  /** Counts from 1; every change of the film is shown in a preview of its own, which begins a version. */
  readonly version: number;
}

/** Every finished video of the whole film that browsers play, newest first, with the version that it shows. */
export function versionVideos(renders: readonly Render[]): VersionVideo[] {
  let version = 0;
  const videos: VersionVideo[] = [];
  for (const render of byNewest(renders).toReversed()) {
    if (render.status !== 'complete' || render.videoUrl === null || !isWholeFilm(render)) continue;
    if (render.settings.kind === 'preview' || version === 0) version += 1;
    videos.push({ render, version });
  }
  return videos.toReversed();
}

/**
 * The video that today's film is compared with at first: of the version before. While the film is being changed,
 * that is the newest one; afterwards the newest one shows the film as it is.
 */
export function videoBefore(videos: readonly VersionVideo[], phase: Phase): VersionVideo | null {
  const newest = videos[0];
  if (!newest || phase === 'executing' || phase === 'error') return newest ?? null;
  return videos.find(({ version }) => version < newest.version) ?? newest;
}
