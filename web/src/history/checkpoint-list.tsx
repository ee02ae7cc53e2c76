import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useMemo } from 'react';
import type { CheckpointEntry } from '../../../server/contract/history.ts';
import { ErrorNotice, Spinner } from '../ui/elements.tsx';
import { CheckpointOption } from './checkpoint-option.tsx';
import { historyRows } from './entries.ts';

interface CheckpointListProps {
  /** Receives the list box, to focus it. */
  box: RefObject<HTMLDivElement | null>;
  entries: readonly CheckpointEntry[];
  chosenId: string;
  onChoose: (id: string) => void;
  /** The user wants to read it; a narrow screen shows it in place of the list. */
  onRead: (id: string, byKey: boolean) => void;
  more: { has: boolean; loading: boolean; error: Error | null; load: () => void };
}

const heights = { day: 32, entry: 64 };
/** The list fetches the next page so many rows before its end. */
const ahead = 15;
const leap = 8;

/** A virtualised list box: a history may have thousands of entries. */
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
    // With the first one, its day.
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
        aria-label="Checkpoints, the newest first"
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
          Reading more…
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
