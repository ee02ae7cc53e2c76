import { Bookmark, Check, FilePen, History, Play, RotateCcw } from 'lucide-react';
import { type CSSProperties, type ReactNode, useState } from 'react';
import type { CheckpointEntry } from '../../../server/contract/history.ts';
import { cx } from '../ui/elements.tsx';
import { countOf, timeOf } from './entries.ts';

interface CheckpointOptionProps {
  id: string;
  style: CSSProperties;
  entry: CheckpointEntry;
  /** Its place in the history; 0 is the newest. */
  index: number;
  /** How many there are; -1 = not known yet. */
  count: number;
  chosen: boolean;
  onPick: () => void;
}

export function CheckpointOption({ id, style, entry, index, count, chosen, onPick }: CheckpointOptionProps) {
  const names = entry.files.slice(0, 2).map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  const facts = [
    timeOf(entry),
    entry.changedFiles === 0 ? 'no files changed' : countOf(entry.changedFiles, 'file'),
    names.join(', '),
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box around it takes the keys.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={style}
      onClick={onPick}
      className="absolute inset-x-0 top-0 cursor-pointer py-0.5"
    >
      <div
        className={cx(
          'flex h-full items-center gap-3 rounded-lg border px-2 transition-colors',
          chosen ? 'border-line-strong bg-panel shadow-card' : 'border-transparent hover:bg-sunken',
        )}
      >
        <Thumbnail entry={entry} />
        <div className="min-w-0 flex-1">
          <p className={cx('flex items-center gap-1.5 text-[13px]', (entry.name !== null || chosen) && 'font-medium')}>
            {entry.name !== null && <Bookmark className="size-3.5 shrink-0 fill-accent text-accent" />}
            <span className="truncate">{entry.title}</span>
            {index === 0 && (
              <span className="ml-auto shrink-0 rounded-full bg-ok-soft px-2 font-medium text-ok text-xs leading-5">Now</span>
            )}
          </p>
          <p className="truncate text-ink-3 text-xs tabular-nums">{facts}</p>
        </div>
      </div>
    </div>
  );
}

function Thumbnail({ entry }: { entry: CheckpointEntry }) {
  const [failed, setFailed] = useState(false);
  return (
    <span className="flex h-10 w-16 shrink-0 items-center justify-center overflow-hidden rounded-md bg-backdrop text-ink-3 [&_svg]:size-4">
      {entry.thumbnailUrl !== null && !failed ? (
        <img
          src={entry.thumbnailUrl}
          alt=""
          loading="lazy"
          // The render may have been deleted meanwhile.
          onError={() => setFailed(true)}
          className="size-full object-cover"
        />
      ) : (
        iconOf(entry.trigger)
      )}
    </span>
  );
}

function iconOf(trigger: string): ReactNode {
  switch (trigger) {
    case 'manual':
      return <Bookmark />;
    case 'restore':
      return <RotateCcw />;
    case 'todo_done':
      return <Check />;
    case 'preview':
      return <Play />;
    case 'written':
    case 'user_edit':
      return <FilePen />;
    default:
      return <History />;
  }
}
