import type { ReactNode } from 'react';
import { addressOf } from '../address.ts';
import { sceneColour } from '../ui/graphics.tsx';

/** Returns a stable background for a project without an image. */
function tint(projectId: string): string {
  const sum = [...projectId].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return `linear-gradient(${(sum * 37) % 180}deg, ${sceneColour((sum % 5) + 1)}, ${sceneColour((sum % 5) + 2)})`;
}

interface ProjectStillProps {
  projectId: string;
  thumbnailUrl: string | null;
  /** Shown on a coloured ground if there is no image. */
  children: ReactNode;
}

/** Fills its box with a still from a project's newest video. */
export function ProjectStill({ projectId, thumbnailUrl, children }: ProjectStillProps) {
  if (!thumbnailUrl)
    return (
      <div aria-hidden="true" className="size-full" style={{ background: tint(projectId) }}>
        {children}
      </div>
    );
  return (
    <>
      <img
        src={addressOf(thumbnailUrl)}
        alt=""
        aria-hidden="true"
        loading="lazy"
        decoding="async"
        className="absolute inset-0 size-full scale-125 object-cover opacity-50 blur-2xl"
      />
      <img src={addressOf(thumbnailUrl)} alt="" loading="lazy" decoding="async" className="relative size-full object-contain" />
    </>
  );
}
