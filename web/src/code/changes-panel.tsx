import { ChevronsUpDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { formatAgo } from '#contract/display.ts';
import type { CheckpointEntry, FileDiff } from '#contract/history.ts';
import { useCheckpoints } from '../history/use-checkpoints.ts';
import { cx, ErrorNotice, Spinner, Waiting } from '../ui/elements.tsx';
import { Menu, MenuChoice, MenuItem } from '../ui/menu.tsx';
import type { CodeWorkspace } from './code-workspace.ts';
import { comparedCheckpoint, useChangedFiles } from './compared-file.tsx';

/** Lists the files that have changed since a chosen checkpoint. */
export function ChangesPanel({ workspace, shown }: { workspace: CodeWorkspace; shown: string | null }) {
  const { checkpoint, unsaved } = useStore(workspace.store);
  const { query, entries } = useCheckpoints();
  const chosen = comparedCheckpoint(entries, checkpoint?.id ?? null);
  const chosenId = chosen?.id ?? null;
  useEffect(() => {
    // Pins the default checkpoint, so that new checkpoints do not change it.
    if (checkpoint === null && chosenId !== null) workspace.store.setState({ checkpoint: { id: chosenId, chosen: false } });
  }, [workspace, checkpoint, chosenId]);
  const changes = useChangedFiles({ from: chosen?.id ?? null, to: entries[0]?.id ?? null });
  const entered = useRef(false);
  const { data } = changes;
  useEffect(() => {
    if (entered.current || !data) return;
    entered.current = true;
    const [first] = data.files;
    if (first && !data.files.some(({ path }) => path === shown)) workspace.store.setState({ picked: first.path });
  }, [workspace, data, shown]);
  const failure = query.error ?? changes.error;
  if (failure) {
    return <ErrorNotice error={failure} className="m-2" />;
  }
  if (query.isPending) return <Waiting className="p-4">Loading…</Waiting>;
  if (chosen === null) return <Note>There is no checkpoint to compare with yet.</Note>;
  const files = data?.files ?? [];
  const hidden = (data?.changedFiles ?? 0) - files.length;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="shrink-0 p-2">
        <CheckpointPicker
          items={entries}
          chosen={chosen}
          onChoose={(id) => workspace.store.setState({ checkpoint: { id, chosen: true } })}
          onMore={query.hasNextPage ? () => void query.fetchNextPage() : null}
          loadingMore={query.isFetchingNextPage}
        />
      </div>
      {changes.isPending ? (
        <Waiting className="p-4">Loading…</Waiting>
      ) : (
        <div className={cx('min-h-0 flex-1 overflow-auto', changes.isPlaceholderData && 'opacity-60')}>
          {files.length === 0 && <Note>Nothing has changed since this checkpoint.</Note>}
          <ul aria-label="Changed files">
            {files.map((file) => (
              <li key={file.path} className="[contain-intrinsic-size:auto_28px] [content-visibility:auto]">
                <ChangedFile
                  file={file}
                  shown={file.path === shown}
                  unsaved={unsaved.includes(file.path)}
                  onPick={() => workspace.pick(file.path)}
                />
              </li>
            ))}
          </ul>
          {hidden > 0 && <Note>{`and ${hidden.toLocaleString('en')} more`}</Note>}
        </div>
      )}
    </div>
  );
}

const statusWords = { added: 'added', modified: 'changed', deleted: 'deleted', renamed: 'renamed' } as const;
const statusLetters = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R' } as const;
const statusColours: Record<FileDiff['status'], string> = {
  added: 'text-ok',
  modified: 'text-warn',
  deleted: 'text-bad',
  renamed: 'text-accent-text',
};

interface ChangedFileProps {
  file: FileDiff;
  shown: boolean;
  unsaved: boolean;
  onPick: () => void;
}

function ChangedFile({ file, shown, unsaved, onPick }: ChangedFileProps) {
  const { path, status, previousPath, addedLines, deletedLines } = file;
  const slash = path.lastIndexOf('/') + 1;
  const words = [
    statusWords[status],
    previousPath !== null && `Renamed from ${previousPath}`,
    addedLines !== null && deletedLines !== null && `${addedLines} lines added, ${deletedLines} removed`,
    unsaved && 'Not saved',
  ].filter((word) => word !== false);
  return (
    <button
      type="button"
      aria-current={shown ? 'true' : undefined}
      title={[path, ...words].join('\n')}
      onClick={onPick}
      className={cx(
        'flex h-7 w-full items-center gap-2 pr-3 pl-3 text-left text-[13px] outline-offset-[-2px]',
        shown ? 'bg-accent-soft text-accent-text' : 'text-ink-2 hover:bg-sunken hover:text-ink',
      )}
    >
      <span className="sr-only">{`${path}: ${words.join(', ')}`}</span>
      <span aria-hidden="true" className="flex min-w-0 flex-1 items-center gap-2">
        <span className={cx('w-3 shrink-0 text-center font-medium font-mono text-xs', statusColours[status])}>
          {statusLetters[status]}
        </span>
        <span className={cx('max-w-full shrink-0 truncate', status === 'deleted' && 'line-through')}>{path.slice(slash)}</span>
        <span className="min-w-0 flex-1 truncate text-ink-3 text-xs">{path.slice(0, Math.max(0, slash - 1))}</span>
        {unsaved && <span className="size-1.5 shrink-0 rounded-full bg-warn" />}
        {addedLines !== null && deletedLines !== null && (
          <span className="flex shrink-0 gap-1.5 font-mono text-[11px] tabular-nums">
            {addedLines > 0 && <span className="text-ok">+{addedLines}</span>}
            {deletedLines > 0 && <span className="text-bad">−{deletedLines}</span>}
          </span>
        )}
      </span>
    </button>
  );
}

function Note({ children }: { children: string }) {
  return <p className="px-3 py-3 text-[13px] text-ink-2">{children}</p>;
}

interface CheckpointPickerProps {
  items: readonly CheckpointEntry[];
  chosen: CheckpointEntry;
  onChoose: (checkpointId: string) => void;
  /** Fetches older checkpoints; `null` if there are none. */
  onMore: (() => void) | null;
  loadingMore: boolean;
}

export function CheckpointPicker({ items, chosen, onChoose, onMore, loadingMore }: CheckpointPickerProps) {
  const nowMs = Date.now();
  const options = items.map(({ id, title, at }) => ({
    value: id,
    label: title,
    detail: <time dateTime={at}>{formatAgo(at, nowMs)}</time>,
  }));
  return (
    <Menu
      align="start"
      className="max-h-[min(420px,var(--radix-dropdown-menu-content-available-height))]! w-85 max-w-[calc(100vw-16px)]"
      trigger={
        <button
          type="button"
          aria-label={`Choose the checkpoint to compare with: ${chosen.title}`}
          className="flex h-9 w-full items-center gap-2 rounded-lg border border-line-strong bg-panel px-2.5 text-left text-[13px] hover:border-ink-3"
        >
          <span className="min-w-0 flex-1 truncate">{chosen.title}</span>
          <ChevronsUpDown className="size-3.5 shrink-0 text-ink-3" />
        </button>
      }
    >
      <MenuChoice label="Choose the checkpoint to compare with" value={chosen.id} options={options} onChange={onChoose} />
      {onMore && (
        <MenuItem stays icon={loadingMore ? <Spinner /> : <span className="w-4" />} onSelect={onMore}>
          Older checkpoints
        </MenuItem>
      )}
    </Menu>
  );
}
