import { Copy, ExternalLink, MoreHorizontal, PenLine, RotateCcw, Trash2 } from 'lucide-react';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import type { ProjectListItem } from '../../../server/contract/api.ts';
import { formatAgo } from '../../../server/contract/format.ts';
import { NameField } from '../project/name-field.tsx';
import { type Standing, standingOf, standingText } from '../project/standing.ts';
import { projectHref } from '../router.ts';
import { Button, cx, IconButton, Link } from '../ui/elements.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../ui/menu.tsx';
import { CardPicture } from './card-picture.tsx';
import type { ProjectActions } from './use-projects.ts';

/** `in 23 h`, `in 12 min`; `untilIso` as the server gives it, `nowMs` as of `Date.now()`. */
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

/** The actions on a project that do not open it. */
function ProjectMenu({ project, onRename, onDuplicate, onDelete, className }: ProjectMenuProps) {
  // The action moves the focus: to the name field, or the next card.
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
        <a href={projectHref(project.id)} target="_blank" rel="noreferrer">
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

/** A project: a link to it, its state and its actions. */
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
        <span aria-hidden="true" className={cx('size-1.5 shrink-0 rounded-full', tones[standing])} />
        <span className="truncate">
          {standingText[standing]}
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

/** Focuses a card after the next drawing. */
export function focusCard(projectId: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-card="${CSS.escape(projectId)}"]`)?.focus());
}

interface DeletedCardProps {
  project: ProjectListItem;
  nowMs: number;
  onRestore: () => void;
  onDelete: () => void;
}

/** A deleted project that can still be restored. */
export function DeletedCard({ project, nowMs, onRestore, onDelete }: DeletedCardProps) {
  return (
    <li className="min-w-0">
      <div className="opacity-60">
        <CardPicture project={project} looked={false} />
      </div>
      <p title={project.name} className="mt-2.5 truncate font-medium">
        {project.name}
      </p>
      <p className="mt-0.5 text-ink-2 text-xs">{`Gone for good ${timeLeft(project.restorableUntil ?? '', nowMs)}`}</p>
      <div className="mt-2 flex gap-2">
        <Button size="sm" onClick={onRestore} aria-label={`Restore: ${project.name}`}>
          <RotateCcw className="size-3.5" />
          Restore
        </Button>
        <IconButton icon={Trash2} label={`Delete for good: ${project.name}`} onClick={onDelete} />
      </div>
    </li>
  );
}
