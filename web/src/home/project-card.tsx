import { type KeyboardEvent, memo, useState } from 'react';
import type { ProjectListItem } from '../../../server/contract/api.ts';
import { formatAgo } from '../../../server/contract/format.ts';
import { type Standing, standingOf } from '../project/standing.ts';
import { projectHref } from '../router.ts';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import { Link } from '../ui/link.tsx';
import { CardPicture } from './card-picture.tsx';
import { NameField } from './name-field.tsx';
import { ProjectMenu } from './project-menu.tsx';
import type { ProjectActions } from './use-projects.ts';

const tones: Record<Standing, string> = {
  working: 'animate-breathe bg-accent',
  stopped: 'bg-ink-3',
  idle: 'bg-ink-3',
  question: 'bg-warn',
  plan: 'bg-warn',
  executing: 'bg-accent',
  preview: 'bg-warn',
  complete: 'bg-ok',
  error: 'bg-bad',
};

interface ProjectCardProps {
  project: ProjectListItem;
  nowMs: number;
  actions: ProjectActions;
}

/** A project: the way into it, what it is at, and what can be done to it from here. */
export const ProjectCard = memo(function ProjectCard({ project, nowMs, actions }: ProjectCardProps) {
  const [looked, setLooked] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2') setRenaming(true);
    else if (event.key === 'Delete') actions.remove(project);
    else return;
    event.preventDefault();
  };
  const standing = standingOf(project);
  return (
    <li className="group relative min-w-0">
      <Link
        href={projectHref(project.id)}
        data-card={project.id}
        aria-label={renaming ? project.name : undefined}
        onPointerEnter={({ pointerType }) => setLooked(pointerType === 'mouse')}
        onPointerLeave={() => setLooked(false)}
        onFocus={({ currentTarget }) => setLooked(currentTarget.matches(':focus-visible'))}
        onBlur={() => setLooked(false)}
        onKeyDown={onKeyDown}
        className="block rounded-xl pb-1 outline-offset-1"
      >
        <CardPicture project={project} looked={looked} />
        {!renaming && (
          <p title={project.name} className="mt-2.5 mr-8 truncate font-medium">
            {project.name}
          </p>
        )}
      </Link>
      {renaming && (
        <NameField
          name={project.name}
          onDone={(name, byKey) => {
            setRenaming(false);
            if (name !== null) actions.rename(project, name);
            if (byKey) focusCard(project.id);
          }}
        />
      )}
      <p className="-mt-0.5 mr-8 flex items-center gap-1.5 text-ink-2 text-xs">
        <span aria-hidden="true" className={cx('size-1.5 shrink-0 rounded-full', tones[standing])} />
        <span className="truncate">
          {texts.standing[standing]}
          <span className="text-ink-3"> · {formatAgo(project.updatedAt, nowMs)}</span>
        </span>
      </p>
      <ProjectMenu
        project={project}
        onRename={() => setRenaming(true)}
        onDuplicate={() => actions.duplicate(project)}
        onDelete={() => actions.remove(project)}
        className="absolute right-0 bottom-1 opacity-0 focus-visible:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
      />
    </li>
  );
});

/** Puts the focus on a card, once the page shows it as it is now. */
export function focusCard(projectId: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-card="${CSS.escape(projectId)}"]`)?.focus());
}
