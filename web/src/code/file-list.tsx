import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight, FileCode, Image, Music, SquarePlay } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cx } from '../ui/elements.tsx';
import { type FileKind, fileKind } from './file-kind.ts';
import { type TreeRow, treeKey } from './file-tree.ts';

const rowPx = 28;

const icons: Record<FileKind, ReactNode> = {
  text: <FileCode />,
  image: <Image />,
  audio: <Music />,
  video: <SquarePlay />,
};

interface FileListProps {
  rows: readonly TreeRow[];
  shown: string | null;
  writing: string | null;
  unsaved: readonly string[];
  onPick: (path: string) => void;
  onFold: (path: string, closed: boolean) => void;
  onDelete: (path: string) => void;
}

/** Tree of the project's files. Renders only the visible rows, because there may be thousands. */
export function FileList({ rows, shown, writing, unsaved, onPick, onFold, onDelete }: FileListProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  /** The row that has the keyboard focus; `null` means the shown file. */
  const [marked, setMarked] = useState<string | null>(null);
  const shownIndex = rows.findIndex(({ path, folder }) => !folder && path === shown);
  const markedIndex = marked === null ? -1 : rows.findIndex(({ path }) => path === marked);
  const index = markedIndex === -1 ? shownIndex : markedIndex;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    getItemKey: (at) => `${rows[at]?.folder}${rows[at]?.path}`,
    overscan: 12,
    paddingStart: 4,
    paddingEnd: 8,
    initialRect: { width: 224, height: 600 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file brings its row into sight; other changes do not scroll.
  useEffect(() => {
    if (shownIndex !== -1) virtual.scrollToIndex(shownIndex, { align: 'auto' });
  }, [shown]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = treeKey(rows, index, event.key);
    if (!action) return;
    event.preventDefault();
    if (action.kind === 'go') {
      setMarked(rows[action.index]?.path ?? null);
      virtual.scrollToIndex(action.index, { align: 'auto' });
    } else if (action.kind === 'pick') onPick(action.path);
    else if (action.kind === 'delete') onDelete(action.path);
    else onFold(action.path, action.kind === 'fold');
  };

  return (
    <div
      ref={box}
      role="tree"
      aria-label="Files"
      tabIndex={0}
      aria-activedescendant={index === -1 ? undefined : `${id}${index}`}
      onKeyDown={onKeyDown}
      // The focus is shown on the marked row.
      className={cx('group min-h-0 flex-1 overflow-auto outline-offset-[-2px]', index !== -1 && 'outline-none')}
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            <Row
              key={item.key}
              id={`${id}${item.index}`}
              row={row}
              top={item.start}
              shown={item.index === shownIndex}
              marked={item.index === index}
              writing={!row.folder && row.path === writing}
              unsaved={!row.folder && unsaved.includes(row.path)}
              onPress={() => {
                setMarked(row.path);
                if (row.folder) onFold(row.path, row.open);
                else onPick(row.path);
              }}
            />
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  id: string;
  row: TreeRow;
  /** Position in CSS pixels. */
  top: number;
  shown: boolean;
  marked: boolean;
  writing: boolean;
  unsaved: boolean;
  onPress: () => void;
}

function Row({ id, row, top, shown, marked, writing, unsaved, onPress }: RowProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the tree has the focus and the keys, and names its active row.
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={shown}
      aria-expanded={row.folder ? row.open : undefined}
      title={row.path}
      onClick={onPress}
      className={cx(
        'absolute inset-x-0 flex h-7 cursor-pointer select-none items-center gap-1.5 pr-3 text-[13px] [&_svg]:size-3.5 [&_svg]:shrink-0',
        shown ? 'bg-accent-soft text-accent-text' : 'text-ink-2 hover:bg-sunken hover:text-ink',
        marked && 'group-focus-visible:outline-2 group-focus-visible:outline-accent group-focus-visible:-outline-offset-2',
      )}
      style={{ transform: `translateY(${top}px)`, paddingLeft: 8 + row.depth * 12 }}
    >
      <span aria-hidden="true" className={cx('flex', row.folder ? 'text-ink-3' : 'pl-3.5 opacity-70')}>
        {row.folder ? (
          <ChevronRight className={cx('transition-transform', row.open && 'rotate-90')} />
        ) : (
          icons[fileKind(row.path)]
        )}
      </span>
      <span className="min-w-0 flex-1 truncate">{row.name}</span>
      {unsaved && <Dot label="Not saved" className="bg-warn" />}
      {writing && <Dot label="being written" className="animate-breathe bg-accent" />}
    </div>
  );
}

function Dot({ label, className }: { label: string; className: string }) {
  return (
    <span title={label} className={cx('size-1.5 shrink-0 rounded-full', className)}>
      <span className="sr-only">{label}</span>
    </span>
  );
}
