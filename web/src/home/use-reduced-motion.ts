import { useSyncExternalStore } from 'react';
import { wantsCalm } from '../ui/appearance.ts';

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-motion'] });
  return () => observer.disconnect();
}

/** Whether the reader wants nothing to move by itself, by the system or by choice. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(subscribe, wantsCalm);
}
