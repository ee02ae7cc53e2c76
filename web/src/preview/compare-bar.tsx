import { ArrowRight, X } from 'lucide-react';
import { useStore } from 'zustand';
import { renderLabel } from '../renders/render-label.ts';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Pick } from './menu.tsx';
import type { VersionVideo } from './versions.ts';
import { changeView, viewSettings } from './view-settings.ts';

/** What is compared: a video before, and the live page (null) or another video after. */
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

export const videoName = ({ version, render }: VersionVideo) => texts.preview.version(version, renderLabel(render));

/** The name of the live page among videos. */
const live = 'live';
const modes = (['wipe', 'side'] as const).map((value) => ({ value, label: texts.preview.modes[value] }));

/** Which versions are compared, and how. */
export function CompareBar({ comparison: { before, after }, videos, onChange, onClose }: CompareBarProps) {
  const mode = useStore(viewSettings, (settings) => settings.compareMode);
  const options = videos.map((video) => ({ value: video.render.id, label: videoName(video) }));
  return (
    <section
      aria-label={texts.preview.compare}
      className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b bg-panel px-3 py-1.5 sm:px-4"
    >
      <Pick
        label={texts.preview.compareWith}
        value={before.render.id}
        options={options}
        short={texts.preview.shortVersion(before.version)}
        onChange={(id) => onChange({ before: id })}
      />
      <ArrowRight aria-hidden="true" className="size-3.5 text-ink-3" />
      <Pick
        label={texts.preview.compareTo}
        value={after?.render.id ?? live}
        options={[{ value: live, label: texts.preview.livePage }, ...options]}
        short={after ? texts.preview.shortVersion(after.version) : texts.preview.livePage}
        onChange={(id) => onChange({ after: id === live ? null : id })}
      />
      <div className="ml-auto flex items-center gap-2">
        <Choice
          label={texts.preview.compareMode}
          value={mode}
          options={modes}
          onChange={(compareMode) => changeView({ compareMode })}
        />
        <IconButton label={texts.preview.closeCompare} onClick={onClose}>
          <X className="size-4" />
        </IconButton>
      </div>
    </section>
  );
}
