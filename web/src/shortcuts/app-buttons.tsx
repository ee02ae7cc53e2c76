import { CalendarClock, Keyboard, Settings } from 'lucide-react';
import { createStore } from 'zustand/vanilla';
import { IconButton, Link } from '../ui/elements.tsx';

/** Whether the list of keys is shown. */
export const shownShortcuts = createStore<{ readonly open: boolean }>(() => ({ open: false }));

export function openShortcuts(): void {
  shownShortcuts.setState({ open: true });
}

export function AppButtons() {
  return (
    <div className="flex items-center">
      <IconButton icon={Keyboard} label="Keyboard shortcuts (?)" onClick={openShortcuts} />
      <Link
        href="/schedules"
        aria-label="Schedules"
        title="Schedules (G, then S)"
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-ink-2 transition-colors hover:bg-sunken hover:text-ink"
      >
        <CalendarClock className="size-4" />
      </Link>
      <Link
        href="/settings"
        aria-label="Settings"
        title="Settings"
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-ink-2 transition-colors hover:bg-sunken hover:text-ink"
      >
        <Settings className="size-4" />
      </Link>
    </div>
  );
}
