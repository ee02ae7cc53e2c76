import { lazy, Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { isTextTarget } from './text-target.ts';

const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'));
const shown = createStore<{ readonly open: boolean }>(() => ({ open: false }));

/** Opens the list of keys. */
export function openShortcuts(): void {
  shown.setState({ open: true });
}

/** The list of keys, which `?` opens wherever no text is written; once in the page. */
export function ShortcutsHost() {
  const open = useStore(shown, (state) => state.open);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && (isTextTarget(event.target) || event.target.closest('[role$="dialog"]'))) return;
      event.preventDefault();
      openShortcuts();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return open && <Suspense>{<ShortcutsDialog onClose={() => shown.setState({ open: false })} />}</Suspense>;
}
