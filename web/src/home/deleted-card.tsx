import { RotateCcw, Trash2 } from 'lucide-react';
import type { ProjectListItem } from '../../../server/contract/api.ts';
import { texts } from '../texts.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { CardPicture } from './card-picture.tsx';
import { timeLeft } from './time-left.ts';

interface DeletedCardProps {
  project: ProjectListItem;
  nowMs: number;
  onRestore: () => void;
  onDelete: () => void;
}

/** A project that was deleted and can still be brought back. */
export function DeletedCard({ project, nowMs, onRestore, onDelete }: DeletedCardProps) {
  return (
    <li className="min-w-0">
      <div className="opacity-60">
        <CardPicture project={project} looked={false} />
      </div>
      <p title={project.name} className="mt-2.5 truncate font-medium">
        {project.name}
      </p>
      <p className="mt-0.5 text-ink-2 text-xs">{texts.home.goneIn(timeLeft(project.restorableUntil ?? '', nowMs))}</p>
      <div className="mt-2 flex gap-2">
        <Button size="sm" onClick={onRestore} aria-label={`${texts.home.restore}: ${project.name}`}>
          <RotateCcw aria-hidden="true" className="size-3.5" />
          {texts.home.restore}
        </Button>
        <IconButton label={`${texts.home.deleteForGood}: ${project.name}`} onClick={onDelete}>
          <Trash2 className="size-4" />
        </IconButton>
      </div>
    </li>
  );
}
