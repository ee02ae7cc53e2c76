import { ChevronsUpDown } from 'lucide-react';
import type { CheckpointEntry } from '../../../server/contract/history.ts';
import { formatAgo } from '../format.ts';
import { Menu, MenuChoice, MenuItem } from '../ui/menu.tsx';
import { Spinner } from '../ui/spinner.tsx';

interface CheckpointPickerProps {
  items: readonly CheckpointEntry[];
  chosen: CheckpointEntry;
  onChoose: (checkpointId: string) => void;
  /** Fetches older ones; null = there are none. */
  onMore: (() => void) | null;
  loadingMore: boolean;
}

/** The checkpoint to compare with, out of all. */
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
          <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
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
