import { useSyncExternalStore } from 'react';
import type { OpenDocument } from './open-document.ts';

/** The text of a document as it is typed. */
export function useDraft(document: OpenDocument): string {
  return useSyncExternalStore(
    (changed) => document.listen((update) => update.docChanged && changed()),
    () => document.text,
  );
}
