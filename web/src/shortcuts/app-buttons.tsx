import { Keyboard, Settings } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
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

/** Opens the list of keys on `?`, except in text fields. Mount once per page. */
export function ShortcutsHost() {
  const open = useStore(shown, (state) => state.open);
  useWindowEvent('keydown', (event) => {
    if (event.key !== '?' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(`${textFields}, [role$="dialog"]`)) return;
    event.preventDefault();
    openShortcuts();
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
