import { type ClipboardEvent as ReactClipboardEvent, useEffect, useEffectEvent } from 'react';

/**
 * The files of a paste. None where there is text as well: word processors add a picture of what was copied, and the words
 * are what is meant.
 */
export function pastedFiles(data: Pick<DataTransfer, 'files' | 'types'> | null): File[] {
  return data === null || data.types.includes('text/plain') ? [] : [...data.files];
}

/** Takes the files of a paste; text is pasted as ever. */
export function onPasteFiles(event: ReactClipboardEvent | ClipboardEvent, onFiles: (files: File[]) => void): void {
  const files = pastedFiles(event.clipboardData);
  if (files.length === 0) return;
  event.preventDefault();
  onFiles(files);
}

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
