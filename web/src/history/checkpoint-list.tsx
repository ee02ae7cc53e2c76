import { useVirtualizer } from '@tanstack/react-virtual';
import { Bookmark, Check, FilePen, History, Play, RotateCcw } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react';
import type { CheckpointEntry } from '#contract/history.ts';
import { addressOf } from '../address.ts';
import { cx, ErrorNotice, Spinner } from '../ui/elements.tsx';
import { countOf, historyRows, timeOf } from './entries.ts';
import { SavedBy } from './saved-by.tsx';

interface CheckpointListProps {
  /** Receives the list box, so that the caller can focus it. */
  box: RefObject<HTMLDivElement | null>;
  entries: readonly CheckpointEntry[];
  chosenId: string;
  onChoose: (id: string) => void;
  /** Opens the checkpoint's details; on a narrow screen, they replace the list. */
  onRead: (id: string, byKey: boolean) => void;
  more: { has: boolean; loading: boolean; error: Error | null; load: () => void };
}

const heights = { day: 32, entry: 64 };
/** Number of rows before the end at which the next page is fetched. */
const ahead = 15;
const leap = 8;

/** Virtualised list box, because a history may have thousands of entries. */
export function CheckpointList({ box, entries, chosenId, onChoose, onRead, more }: CheckpointListProps) {
  const listId = useId();
  const rows = useMemo(() => historyRows(entries, Date.now()), [entries]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: useCallback((index: number) => heights[rows[index]?.kind ?? 'entry'], [rows]),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 6,
  });
  const shown = virtual.getVirtualItems();

  const lastShown = shown.at(-1)?.index ?? 0;
  const { has, loading, error, load } = more;
  const wanted = has && !loading && error === null && lastShown >= rows.length - ahead;
  useEffect(() => {
    if (wanted) load();
  }, [wanted, load]);

  const optionId = (id: string) => `${listId}-${id}`;
  const chosenAt = entries.findIndex(({ id }) => id === chosenId);
  const choose = (wantedAt: number) => {
    const index = Math.max(0, Math.min(entries.length - 1, wantedAt));
    const entry = entries[index];
    if (!entry) return;
    onChoose(entry.id);
    // The first entry also scrolls its day label into view.
    virtual.scrollToIndex(index === 0 ? 0 : rows.findIndex((row) => row.key === entry.id));
  };
  const byKey = (key: string): boolean => {
    switch (key) {
      case 'ArrowUp':
        choose(chosenAt - 1);
        return true;
      case 'ArrowDown':
        choose(chosenAt + 1);
        return true;
      case 'PageUp':
        choose(chosenAt - leap);
        return true;
      case 'PageDown':
        choose(chosenAt + leap);
        return true;
      case 'Home':
        choose(0);
        return true;
      case 'End':
        choose(entries.length - 1);
        return true;
      case 'Enter':
        onRead(chosenId, true);
        return true;
      default:
        return false;
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && byKey(event.key)) event.preventDefault();
  };

  return (
    <>
      <div
        ref={box}
        role="listbox"
        aria-label="Checkpoints, newest first"
        tabIndex={0}
        aria-activedescendant={optionId(chosenId)}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-2 -outline-offset-2"
      >
        <div role="presentation" className="relative w-full" style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ index, key, start, size }) => {
            const row = rows[index];
            if (!row) return null;
            const place = { height: size, transform: `translateY(${start}px)` };
            if (row.kind === 'day') {
              return (
                <p
                  key={key}
                  role="presentation"
                  style={place}
                  className="absolute inset-x-0 top-0 flex items-end px-2 pb-1 font-medium text-ink-3 text-xs"
                >
                  {row.label}
                </p>
              );
            }
            return (
              <CheckpointOption
                key={key}
                id={optionId(row.entry.id)}
                style={place}
                entry={row.entry}
                index={row.index}
                count={has ? -1 : entries.length}
                chosen={row.entry.id === chosenId}
                onPick={() => onRead(row.entry.id, false)}
              />
            );
          })}
        </div>
      </div>
      {loading && (
        <p role="status" className="flex h-9 shrink-0 items-center justify-center gap-2 border-line border-t text-ink-2 text-xs">
          <Spinner className="size-3.5" />
          Loading more…
        </p>
      )}
      {error && (
        <div className="shrink-0 p-2">
          <ErrorNotice error={error} onRetry={load} />
        </div>
      )}
    </>
  );
}

interface CheckpointOptionProps {
  id: string;
  style: CSSProperties;
  entry: CheckpointEntry;
  index: number;
  count: number;
  chosen: boolean;
  onPick: () => void;
}

function CheckpointOption({ id, style, entry, index, count, chosen, onPick }: CheckpointOptionProps) {
  const names = entry.files.slice(0, 2).map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  const facts = [timeOf(entry), entry.changedFiles === 0 ? 'no changes' : countOf(entry.changedFiles, 'file'), names.join(', ')]
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
          <p className="truncate text-ink-3 text-xs tabular-nums">
            {facts}
            <SavedBy entry={entry} />
          </p>
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
          src={addressOf(entry.thumbnailUrl)}
          alt=""
          loading="lazy"
          // The render may have been deleted in the meantime.
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
