import type { ClipboardEvent } from 'react';

/**
 * The files of a paste. None where there is text as well: word processors add a picture of what was copied, and the words
 * are what is meant.
 */
export function pastedFiles(data: Pick<DataTransfer, 'files' | 'types'> | null): File[] {
  return data === null || data.types.includes('text/plain') ? [] : [...data.files];
}

/** Takes the files of a paste; text is pasted as ever. */
export function onPasteFiles(event: ClipboardEvent | globalThis.ClipboardEvent, onFiles: (files: File[]) => void): void {
  const files = pastedFiles(event.clipboardData);
  if (files.length === 0) return;
  event.preventDefault();
  onFiles(files);
}
