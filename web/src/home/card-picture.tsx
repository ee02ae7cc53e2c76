import { useEffect, useState } from 'react';
import type { ProjectListItem } from '../../../server/contract/api.ts';
import { useReducedMotion } from '../ui/appearance.ts';
import { cx } from '../ui/elements.tsx';
import { sceneColour } from '../ui/graphics.tsx';

/** A passing pointer does not start a film. */
const restMs = 140;

/** A background for a project without a picture; the same each time. */
function tint(projectId: string): string {
  const sum = [...projectId].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return `linear-gradient(${(sum * 37) % 180}deg, ${sceneColour((sum % 5) + 1)}, ${sceneColour((sum % 5) + 2)})`;
}

/** A still of the newest video; while `looked` at, the video plays, unless motion is reduced. */
export function CardPicture({ project, looked }: { project: ProjectListItem; looked: boolean }) {
  const { thumbnailUrl, videoUrl } = project;
  const reduced = useReducedMotion();
  return (
    <div className="relative aspect-video overflow-hidden rounded-xl border border-line bg-backdrop transition-shadow group-hover:shadow-lift">
      {thumbnailUrl ? (
        <>
          <img
            src={thumbnailUrl}
            alt=""
            aria-hidden="true"
            loading="lazy"
            decoding="async"
            className="absolute inset-0 size-full scale-125 object-cover opacity-50 blur-2xl"
          />
          <img src={thumbnailUrl} alt="" loading="lazy" decoding="async" className="relative size-full object-contain" />
        </>
      ) : (
        <div aria-hidden="true" className="size-full p-3 sm:p-4" style={{ background: tint(project.id) }}>
          <p className="line-clamp-4 text-ink-2 text-xs sm:text-[13px] sm:leading-5">{project.prompt}</p>
        </div>
      )}
      {looked && videoUrl && !reduced && <Film src={videoUrl} />}
    </div>
  );
}

/** Covers the still as soon as it moves. */
function Film({ src }: { src: string }) {
  const [rested, setRested] = useState(false);
  const [moving, setMoving] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), restMs);
    return () => clearTimeout(timer);
  }, []);
  if (!rested) return null;
  return (
    <video
      src={src}
      muted
      loop
      autoPlay
      playsInline
      tabIndex={-1}
      aria-hidden="true"
      onPlaying={() => setMoving(true)}
      className={cx(
        'absolute inset-0 size-full object-contain transition-opacity duration-200',
        moving ? 'opacity-100' : 'opacity-0',
      )}
    />
  );
}
