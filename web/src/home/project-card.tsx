import { Copy, ExternalLink, MoreHorizontal, PenLine, RotateCcw, Trash2 } from 'lucide-react';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import type { ProjectListItem } from '#contract/api.ts';
import { formatAgo } from '#contract/display.ts';
import { addressOf } from '../address.ts';
import { kindOf } from '../kinds.ts';
import { NameField } from '../project/name-field.tsx';
import { projectStatus, statusLabel, statusTones } from '../project/project-status.ts';
import { ProjectStill } from '../project/project-still.tsx';
import { projectHref } from '../router.ts';
import { Button, cx, IconButton, Link } from '../ui/elements.tsx';
import { HoverVideo, useLooked } from '../ui/hover-video.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../ui/menu.tsx';
import type { ProjectActions } from './use-projects.ts';

/** Shows a still from the newest video. Plays the video while `looked` is true, unless reduced motion is on. */
function CardImage({ project, looked }: { project: ProjectListItem; looked: boolean }) {
  const { thumbnailUrl, videoUrl } = project;
  return (
    <div className="relative aspect-video overflow-hidden rounded-xl border border-line bg-backdrop transition-shadow group-hover:shadow-lift">
      <ProjectStill projectId={project.id} thumbnailUrl={thumbnailUrl}>
        <p className="line-clamp-4 p-3 text-ink-2 text-xs sm:p-4 sm:text-[13px] sm:leading-5">{project.prompt}</p>
      </ProjectStill>
      {looked && videoUrl && <HoverVideo src={addressOf(videoUrl)} />}
    </div>
  );
}

/** Formats the remaining time as `in 23 h` or `in 12 min`. `untilIso` as from the server, `nowMs` as from `Date.now()`. */
export function timeLeft(untilIso: string, nowMs: number): string {
  const minutes = Math.floor((Date.parse(untilIso) - nowMs) / 60_000);
  if (!(minutes >= 1)) return 'in a moment';
  return minutes < 60 ? `in ${minutes} min` : `in ${Math.floor(minutes / 60)} h`;
}

interface ProjectMenuProps {
  project: { readonly id: string; readonly name: string };
  onRename: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
  className?: string;
}

function ProjectMenu({ project, onRename, onDuplicate, onDelete, className }: ProjectMenuProps) {
  // Whether the chosen action moves the focus itself, to the name field or the next card.
  const takesFocus = useRef(false);
  const then = (run: () => void) => () => {
    takesFocus.current = true;
    run();
  };
  return (
    <Menu
      align="end"
      className="min-w-52"
      onCloseAutoFocus={(event) => {
        if (takesFocus.current) event.preventDefault();
        takesFocus.current = false;
      }}
      trigger={
        <IconButton label={`More for ${project.name}`} className={className}>
          <MoreHorizontal className="size-4.5" />
        </IconButton>
      }
    >
      <MenuLink>
        <a href={addressOf(projectHref(project.id))} target="_blank" rel="noreferrer">
          <ExternalLink />
          Open in a new tab
        </a>
      </MenuLink>
      <MenuItem icon={<PenLine />} keys="F2" onSelect={then(onRename)}>
        Rename
      </MenuItem>
      <MenuItem icon={<Copy />} onSelect={onDuplicate}>
        Duplicate
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} keys="Del" onSelect={then(onDelete)} danger>
        Delete
      </MenuItem>
    </Menu>
  );
}

interface ProjectCardProps {
  project: ProjectListItem;
  nowMs: number;
  actions: ProjectActions;
}

export const ProjectCard = memo(function ProjectCard({ project, nowMs, actions }: ProjectCardProps) {
  const { looked, handlers } = useLooked();
  const [renaming, setRenaming] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2') setRenaming(true);
    else if (event.key === 'Delete') actions.remove(project);
    else return;
    event.preventDefault();
  };
  const standing = projectStatus(project);
  return (
    <li className="group relative min-w-0">
      <Link
        href={projectHref(project.id)}
        data-card={project.id}
        aria-label={renaming ? project.name : undefined}
        {...handlers}
        onKeyDown={onKeyDown}
        className="block rounded-xl pb-1 outline-offset-1"
      >
        <CardImage project={project} looked={looked} />
        {!renaming && (
          <p title={project.name} className="mt-2.5 mr-8 truncate font-medium">
            {project.name}
          </p>
        )}
      </Link>
      {renaming && (
        <NameField
          name={project.name}
          label={`New name for ${project.name}`}
          className="mt-0.5 mr-9 -ml-1.5 pb-1"
          onDone={(name, byKey) => {
            setRenaming(false);
            if (name !== null) actions.rename(project, name);
            if (byKey) focusCard(project.id);
          }}
        />
      )}
      <p className="-mt-0.5 mr-8 flex items-center gap-1.5 text-ink-2 text-xs">
        <span aria-hidden="true" className={cx('size-1.5 shrink-0 rounded-full', statusTones[standing])} />
        <span className="truncate">
          {statusLabel(project, kindOf(project.kind)?.statusLabels)}
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

/** Focuses a card after the next render. */
export function focusCard(projectId: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-card="${CSS.escape(projectId)}"]`)?.focus());
}

interface DeletedCardProps {
  project: ProjectListItem;
  nowMs: number;
  onRestore: () => void;
  onDelete: () => void;
}

export function DeletedCard({ project, nowMs, onRestore, onDelete }: DeletedCardProps) {
  return (
    <li className="min-w-0">
      <div className="opacity-60">
        <CardImage project={project} looked={false} />
      </div>
      <p title={project.name} className="mt-2.5 truncate font-medium">
        {project.name}
      </p>
      <p className="mt-0.5 text-ink-2 text-xs">{`Permanently deleted ${timeLeft(project.restorableUntil ?? '', nowMs)}`}</p>
      <div className="mt-2 flex gap-2">
        <Button size="sm" onClick={onRestore} aria-label={`Restore: ${project.name}`}>
          <RotateCcw className="size-3.5" />
          Restore
        </Button>
        <IconButton icon={Trash2} label={`Delete permanently: ${project.name}`} onClick={onDelete} />
      </div>
    </li>
  );
}
