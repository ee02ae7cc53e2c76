import { useVirtualizer } from '@tanstack/react-virtual';
import { CircleAlert, Copy, Info, Trash2, TriangleAlert } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { copyText } from '../ui/copy.tsx';
import { cx, IconButton } from '../ui/elements.tsx';
import { Choice } from '../ui/fields.tsx';
import { followsEnd } from '../ui/hooks.ts';
import { toast } from '../ui/toasts.tsx';
import { type ConsoleEntry, type ConsoleLevel, consoleLevels, consoleText, countLevels } from './console-log.ts';

interface PreviewConsoleProps {
  entries: readonly ConsoleEntry[];
  onClear: () => void;
  /** Shown before the levels. */
  lead?: ReactNode;
}

const icons: Record<ConsoleLevel, ReactNode> = {
  error: <CircleAlert className="size-3.5 text-bad" />,
  warning: <TriangleAlert className="size-3.5 text-warn" />,
  info: <Info className="size-3.5 text-ink-3" />,
};
const tones: Record<ConsoleLevel, string> = { error: 'bg-bad-soft text-bad', warning: 'bg-warn-soft text-warn', info: '' };

const levelNames: Record<ConsoleLevel, string> = { error: 'Errors', warning: 'Warnings', info: 'Notes' };

export function PreviewConsole({ entries, onClear, lead }: PreviewConsoleProps) {
  const [level, setLevel] = useState<ConsoleLevel | 'all'>('all');
  const counts = countLevels(entries);
  const shown = level === 'all' ? entries : entries.filter((entry) => entry.level === level);
  const options = [
    { value: 'all', label: 'All' },
    ...consoleLevels.map((value) => ({
      value,
      label: `${levelNames[value]} ${counts[value]}`,
    })),
  ] as const;
  return (
    <section
      aria-label="Preview messages"
      className="flex h-56 max-h-[45%] shrink-0 max-sm:h-40 flex-col border-line border-t bg-panel text-[13px]"
    >
      <div className="flex shrink-0 items-center gap-2 border-line border-b px-3 py-1 sm:px-4">
        {lead}
        <Choice label="Shown messages" value={level} options={options} onChange={setLevel} />
        <div className="ml-auto flex">
          <IconButton
            icon={Copy}
            label="Copy messages shown"
            disabled={shown.length === 0}
            onClick={() => void copyText(consoleText(shown)).then((copied) => copied && toast('Messages copied.'))}
          />
          <IconButton icon={Trash2} label="Clear console" disabled={entries.length === 0} onClick={onClear} />
        </div>
      </div>
      {shown.length === 0 ? (
        <p className="px-4 py-3 text-ink-3">{entries.length === 0 ? 'No messages yet.' : 'No messages of this type.'}</p>
      ) : (
        <Lines entries={shown} />
      )}
    </section>
  );
}

/** Virtualised lines. New lines do not move the view if the user has scrolled up. */
function Lines({ entries }: { entries: readonly ConsoleEntry[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const lastTop = useRef(0);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 25,
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: 12,
  });
  const height = virtualizer.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: more lines, or higher ones, are what it scrolls for.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && following.current) box.scrollTop = box.scrollHeight;
  }, [height]);
  return (
    <div
      ref={scroller}
      role="log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it.
      tabIndex={0}
      aria-label="Preview messages"
      aria-live="off"
      onScroll={({ currentTarget }) => {
        following.current = followsEnd(following.current, currentTarget, lastTop.current);
        lastTop.current = currentTarget.scrollTop;
      }}
      className="min-h-0 flex-1 overflow-y-auto font-mono text-xs outline-offset-[-2px]"
    >
      <div className="relative" style={{ height }}>
        {virtualizer.getVirtualItems().map((item) => {
          const entry = entries[item.index];
          return (
            entry && (
              <div
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                className={cx('absolute inset-x-0 top-0 flex gap-2 border-line border-b px-4 py-1', tones[entry.level])}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <span className="mt-px">{icons[entry.level]}</span>
                <span className="min-w-0 flex-1 whitespace-pre-wrap wrap-anywhere">{entry.text}</span>
                {entry.count > 1 && <span className="rounded-full bg-sunken px-1.5 text-ink-2 tabular-nums">×{entry.count}</span>}
                <time className="text-ink-3 tabular-nums">
                  {new Date(entry.atMs).toLocaleTimeString('en', { hour12: false })}
                </time>
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
