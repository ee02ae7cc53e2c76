import { lazy, Suspense, useRef } from 'react';
import { useStore } from 'zustand';
import { navigate } from '../router.ts';
import { useWindowEvent } from '../ui/hooks.ts';
import { openShortcuts, shownShortcuts } from './app-buttons.tsx';

/** Input types without text. */
const withoutText = ['button', 'checkbox', 'color', 'file', 'radio', 'range', 'reset', 'submit']
  .map((type) => `:not([type="${type}"])`)
  .join('');
/** Elements in which a key types text. */
const textFields = `input${withoutText}, textarea, select, [contenteditable]:not([contenteditable="false"])`;

const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'));

/** Time for the second of two keys. */
const secondKeyMs = 1_500;

/** Opens the list of keys on `?`, and the schedules on G and then S, except in text fields. Mount once per page. */
export function ShortcutsHost() {
  const open = useStore(shownShortcuts, (state) => state.open);
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
        <ShortcutsDialog onClose={() => shownShortcuts.setState({ open: false })} />
      </Suspense>
    )
  );
}
