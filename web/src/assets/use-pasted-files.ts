import { useEffect, useEffectEvent } from 'react';
import { onPasteFiles } from './pasted-files.ts';

interface PasteOptions {
  readonly onFiles: (files: File[]) => void;
  /** Whether a paste into this element is the page's. */
  readonly from: (target: Element | null) => boolean;
}

/** Takes files that are pasted anywhere on the page. */
export function usePastedFiles({ onFiles, from }: PasteOptions): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    if (from(event.target instanceof Element ? event.target : null)) onPasteFiles(event, onFiles);
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => take(event);
    window.addEventListener('paste', listener);
    return () => window.removeEventListener('paste', listener);
  }, []);
}
