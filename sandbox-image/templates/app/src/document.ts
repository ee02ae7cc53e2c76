import { useSyncExternalStore } from 'react';
import type { AppDocument, List } from '../model/document.ts';
import printed from './app.json';

// The document is checked before it is printed, and the server checks it again.
const asDocument = (json: unknown): AppDocument => json as AppDocument;

let current = asDocument(printed);
const listeners = new Set<() => void>();

/** Returns the app's document. It changes while Koda's studio edits the app. */
export const appDocument = (): AppDocument => current;

/** The document, again whenever it changes. */
export const useDocument = (): AppDocument => useSyncExternalStore(subscribe, appDocument);

/** Calls the listener whenever the document changes, until the returned function is called. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function listOf(id: string): List {
  const list = current.lists.find((candidate) => candidate.id === id);
  if (!list) throw new Error(`The app has no list “${id}”.`);
  return list;
}

// Without this, a change of the document would load the page again.
import.meta.hot?.accept('./app.json', (module) => {
  if (!module) return;
  current = asDocument(module['default']);
  for (const listener of listeners) listener();
});
