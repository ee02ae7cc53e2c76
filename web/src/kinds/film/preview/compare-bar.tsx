import { ArrowRight, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Phase } from '#contract/project.ts';
import type { Render } from '#contract/render.ts';
import { byNewest, isWholeFilm } from '../../../project/renders.ts';
import { renderLabel } from '../../../renders/render-label.ts';
import { IconButton } from '../../../ui/elements.tsx';
import { Choice } from '../../../ui/fields.tsx';
import { Pick } from '../../../ui/menu.tsx';
import { changeView, viewSettings } from './view-settings.tsx';

export interface VersionVideo {
  readonly render: Render;
  /** Version number, from 1. Each preview of a changed film starts a new version. */
  readonly version: number;
}

/** Returns every finished, playable video of the whole film, newest first, with its version. */
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
 * Returns the default video to compare the current film with: its previous version. While the film is being changed, that is
 * the newest video; afterwards, the newest video shows the current film.
 */
export function videoBefore(videos: readonly VersionVideo[], phase: Phase): VersionVideo | null {
  const newest = videos[0];
  if (!newest || phase === 'executing' || phase === 'error') return newest ?? null;
  return videos.find(({ version }) => version < newest.version) ?? newest;
}

/** Ids of the chosen renders. `null` means the default version before, and the live page after. */
interface Chosen {
  readonly before: string | null;
  readonly after: string | null;
}

/** Returns the compared versions: the previous one and the live page, unless the user has chosen others. */
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

function resolve({ before, after }: Chosen, videos: readonly VersionVideo[], phase: Phase): Comparison | null {
  const find = (id: string | null) => videos.find(({ render }) => render.id === id) ?? null;
  const first = find(before) ?? videoBefore(videos, phase);
  return first && { before: first, after: find(after) };
}

/** A video (before) that is compared with the live page (`null`) or another video (after). */
export interface Comparison {
  readonly before: VersionVideo;
  readonly after: VersionVideo | null;
}

interface CompareBarProps {
  comparison: Comparison;
  videos: readonly VersionVideo[];
  onChange: (change: { before?: string; after?: string | null }) => void;
  onClose: () => void;
}

export const videoName = ({ version, render }: VersionVideo) => `Version ${version} · ${renderLabel(render)}`;

const live = 'live';
const modes = [
  { value: 'wipe', label: 'Wipe' },
  { value: 'side', label: 'Side by side' },
] as const;

export function CompareBar({ comparison: { before, after }, videos, onChange, onClose }: CompareBarProps) {
  const mode = useStore(viewSettings, (settings) => settings.compareMode);
  const options = videos.map((video) => ({ value: video.render.id, label: videoName(video) }));
  return (
    <section
      aria-label="Compare versions"
      className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b bg-panel px-3 py-1.5 sm:px-4"
    >
      <Pick
        label="Before"
        value={before.render.id}
        options={options}
        short={`Version ${before.version}`}
        onChange={(id) => onChange({ before: id })}
      />
      <ArrowRight className="size-3.5 text-ink-3" />
      <Pick
        label="After"
        value={after?.render.id ?? live}
        options={[{ value: live, label: 'Live page' }, ...options]}
        short={after ? `Version ${after.version}` : 'Live page'}
        onChange={(id) => onChange({ after: id === live ? null : id })}
      />
      <div className="ml-auto flex items-center gap-2">
        <Choice label="Comparison mode" value={mode} options={modes} onChange={(compareMode) => changeView({ compareMode })} />
        <IconButton icon={X} label="Stop comparing" onClick={onClose} />
      </div>
    </section>
  );
}
