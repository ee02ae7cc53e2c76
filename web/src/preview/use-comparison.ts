import { useMemo, useState } from 'react';
import type { Phase } from '../../../server/contract/project.ts';
import type { Render } from '../../../server/contract/render.ts';
import type { Comparison } from './compare-bar.tsx';
import { type VersionVideo, versionVideos, videoBefore } from './versions.ts';

/** Ids of renders; null before the user chose one, and for the live page. */
interface Chosen {
  readonly before: string | null;
  readonly after: string | null;
}

/** What is compared with what: the version before with the live page, until the user chooses others. */
export function useComparison(renders: readonly Render[], phase: Phase) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const videos = useMemo(() => versionVideos(renders), [renders]);
  const comparison = useMemo(() => chosen && resolve(chosen, videos, phase), [chosen, videos, phase]);
  return {
    videos,
    comparison,
    toggle: () => setChosen(comparison ? null : { before: null, after: null }),
    choose: (change: Partial<Chosen>) => setChosen((old) => ({ before: null, after: null, ...old, ...change })),
  };
}

/** Null when there is no video any more. */
function resolve({ before, after }: Chosen, videos: readonly VersionVideo[], phase: Phase): Comparison | null {
  const find = (id: string | null) => videos.find(({ render }) => render.id === id) ?? null;
  const first = find(before) ?? videoBefore(videos, phase);
  return first && { before: first, after: find(after) };
}
