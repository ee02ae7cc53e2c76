import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { useWindowEvent } from '../ui/hooks.ts';
import { openShortcuts, shownShortcuts } from './app-buttons.tsx';

/** Input types without text. */
const withoutText = ['button', 'checkbox', 'color', 'file', 'radio', 'range', 'reset', 'submit']
  .map((type) => `:not([type="${type}"])`)
  .join('');
/** Elements in which a key types text. */
const textFields = `input${withoutText}, textarea, select, [contenteditable]:not([contenteditable="false"])`;

const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'));

/** Opens the list of keys on `?`, except in text fields. Mount once per page. */
export function ShortcutsHost() {
  const open = useStore(shownShortcuts, (state) => state.open);
  useWindowEvent('keydown', (event) => {
    if (event.key !== '?' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(`${textFields}, [role$="dialog"]`)) return;
    event.preventDefault();
    openShortcuts();
  });
  return (
    open && (
      <Suspense>
        <ShortcutsDialog onClose={() => shownShortcuts.setState({ open: false })} />
      </Suspense>
    )
  );
}
