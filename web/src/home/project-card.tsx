import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Phase, Project } from '../../../server/contract/project.ts';
import { api } from '../api/client.ts';
import { formatAgo } from '../format.ts';
import { newestComplete } from '../renders/render-order.ts';
import { projectHref } from '../router.ts';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import { Link } from '../ui/link.tsx';
import { sceneColour } from '../ui/scene-colour.ts';

const tones: Record<Phase, string> = {
  idle: 'bg-ink-3',
  question: 'bg-warn',
  plan: 'bg-warn',
  executing: 'bg-accent',
  preview: 'bg-warn',
  complete: 'bg-ok',
  error: 'bg-bad',
};

/** A ground of its own for a project without a picture; the same each time. */
function tint(projectId: string): string {
  const sum = [...projectId].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return `linear-gradient(${(sum * 37) % 180}deg, ${sceneColour((sum % 5) + 1)}, ${sceneColour((sum % 5) + 2)})`;
}

/** A project with a still of its newest video; the video itself plays while the pointer rests on it. */
export function ProjectCard({ project, onDelete }: { project: Project; onDelete: () => void }) {
  const [hovered, setHovered] = useState(false);
  const renders = useQuery({
    queryKey: ['renders', project.id, project.updatedAt],
    queryFn: ({ signal }) => api.listRenders(project.id, signal),
    placeholderData: (previous) => previous,
    staleTime: 60_000,
  });
  const newest = newestComplete(renders.data?.items ?? []);
  return (
    <li className="group relative min-w-0">
      <Link
        href={projectHref(project.id)}
        onMouseEnter={() => setHovered(true)}
        onMouseLeave={() => setHovered(false)}
        className="block rounded-xl"
      >
        <div className="relative aspect-video overflow-hidden rounded-xl border border-line bg-stage transition-shadow group-hover:shadow-lift">
          {newest?.thumbnailUrl ? (
            <>
              <img
                src={newest.thumbnailUrl}
                alt=""
                aria-hidden="true"
                className="absolute inset-0 size-full scale-125 object-cover opacity-50 blur-2xl"
              />
              <img src={newest.thumbnailUrl} alt="" loading="lazy" className="relative size-full object-contain" />
            </>
          ) : (
            <div aria-hidden="true" className="size-full p-4" style={{ background: tint(project.id) }}>
              <p className="line-clamp-4 text-[13px] text-ink-2 leading-5">{project.prompt}</p>
            </div>
          )}
          {hovered && newest?.videoUrl && (
            <video
              src={newest.videoUrl}
              muted
              loop
              autoPlay
              playsInline
              tabIndex={-1}
              className="absolute inset-0 size-full animate-fade object-contain"
            />
          )}
        </div>
        <div className="mt-2.5 pr-8">
          <p className="truncate font-medium">{project.name}</p>
          <p className="mt-0.5 flex items-center gap-1.5 text-ink-2 text-xs">
            <span
              aria-hidden="true"
              className={cx('size-1.5 rounded-full', project.running ? 'animate-breathe bg-accent' : tones[project.phase])}
            />
            {project.running ? texts.work.atWork : texts.phaseStatus[project.phase]}
            <span className="text-ink-3">· {formatAgo(project.updatedAt, Date.now())}</span>
          </p>
        </div>
      </Link>
      <IconButton
        label={texts.home.delete(project.name)}
        onClick={onDelete}
        className="absolute right-0 bottom-1 opacity-0 focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
      >
        <Trash2 className="size-4" />
      </IconButton>
    </li>
  );
}
