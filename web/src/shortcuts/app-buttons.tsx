import { CalendarClock, Keyboard, Settings } from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { navigate } from '../router.ts';
import { IconButton, Link } from '../ui/elements.tsx';
import { useWindowEvent } from '../ui/hooks.ts';

/** Input types without text. */
const withoutText = ['button', 'checkbox', 'color', 'file', 'radio', 'range', 'reset', 'submit']
  .map((type) => `:not([type="${type}"])`)
  .join('');
/** Elements in which a key types text. */
const textFields = `input${withoutText}, textarea, select, [contenteditable]:not([contenteditable="false"])`;

const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'));
const shown = createStore<{ readonly open: boolean }>(() => ({ open: false }));

function openShortcuts(): void {
  shown.setState({ open: true });
}

/** Time for the second of two keys. */
const secondKeyMs = 1_500;

/** Opens the list of keys on `?`, and the schedules on G and then S, except in text fields. Mount once per page. */
export function ShortcutsHost() {
  const open = useStore(shown, (state) => state.open);
  const goneAt = useRef(Number.NEGATIVE_INFINITY);
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(`${textFields}, [role$="dialog"]`)) return;
    const isSecond = event.timeStamp - goneAt.current < secondKeyMs;
    goneAt.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (event.key !== '?' && !(isSecond && event.key === 's')) return;
    event.preventDefault();
    if (event.key === '?') openShortcuts();
    else navigate('/schedules');
  });
  return (
    open && (
      <Suspense>
        <ShortcutsDialog onClose={() => shown.setState({ open: false })} />
      </Suspense>
    )
  );
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
