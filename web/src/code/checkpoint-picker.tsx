import { Check, ChevronsUpDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { CheckpointEntry } from '../../../server/contract/history.ts';
import { formatAgo } from '../format.ts';
import { texts } from '../texts.ts';
import { Spinner } from '../ui/spinner.tsx';

interface CheckpointPickerProps {
  items: readonly CheckpointEntry[];
  chosen: CheckpointEntry;
  onChoose: (checkpointId: string) => void;
  /** Fetches older ones; null = there are none. */
  onMore: (() => void) | null;
  loadingMore: boolean;
}

const itemClass =
  'relative flex cursor-pointer select-none items-baseline gap-3 rounded-lg py-1.5 pr-2.5 pl-7 text-[13px] leading-5 outline-none data-[highlighted]:bg-sunken';

/** The checkpoint to compare with, out of all. */
export function CheckpointPicker({ items, chosen, onChoose, onMore, loadingMore }: CheckpointPickerProps) {
  const nowMs = Date.now();
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-label={`${texts.code.chooseCheckpoint}: ${chosen.title}`}
        className="flex h-9 w-full items-center gap-2 rounded-lg border border-line-strong bg-panel px-2.5 text-left text-[13px] hover:border-ink-3"
      >
        <span className="min-w-0 flex-1 truncate">{chosen.title}</span>
        <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-30 max-h-[min(420px,var(--radix-dropdown-menu-content-available-height))] w-85 max-w-[calc(100vw-16px)] animate-fade overflow-y-auto rounded-xl border border-line-strong bg-panel p-1 shadow-lift"
        >
          <DropdownMenu.RadioGroup value={chosen.id} onValueChange={onChoose}>
            {items.map((item) => (
              <DropdownMenu.RadioItem key={item.id} value={item.id} className={itemClass}>
                <DropdownMenu.ItemIndicator className="absolute top-2.5 left-2">
                  <Check aria-hidden="true" className="size-3.5 text-accent-text" />
                </DropdownMenu.ItemIndicator>
                <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{item.title}</span>
                <time dateTime={item.at} className="shrink-0 text-ink-3 text-xs tabular-nums">
                  {formatAgo(item.at, nowMs)}
                </time>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          {onMore && (
            <DropdownMenu.Item
              onSelect={(event) => {
                event.preventDefault();
                onMore();
              }}
              className={`${itemClass} text-ink-2`}
            >
              {loadingMore && <Spinner className="absolute top-2 left-2 size-3.5" />}
              {texts.code.olderCheckpoints}
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
