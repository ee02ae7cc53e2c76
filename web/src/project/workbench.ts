import { createStore, type StoreApi } from 'zustand/vanilla';
import type { KindPage, PaneTab } from '../kind-page.ts';
import type { ProjectView } from './reducer.ts';

/** The page's layout state, shared by its parts and not stored. */
export interface Workbench {
  /** The tab that the user chose; `null` shows the most relevant one. */
  readonly chosenTab: string | null;
  /** The pane that a narrow screen shows. */
  readonly pane: 'conversation' | 'panes';
  readonly renderDialog: boolean;
  /** A time in the film to show in the live preview. Each request is a new object. */
  readonly seekRequest: { readonly seconds: number } | null;
  /** Entered parameter values by name; missing ones use the film's defaults. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The video that the user chose, and the newest one at that time. A newer video replaces it. */
  readonly playing: { readonly renderId: string; readonly newestId: string | null } | null;
}

/** `tab` comes from the address. `parameters` were entered earlier. */
export function createWorkbench(tab: string | null, parameters: Workbench['parameters'] = {}): StoreApi<Workbench> {
  return createStore<Workbench>(() => ({
    chosenTab: tab,
    pane: tab === null ? 'conversation' : 'panes',
    renderDialog: false,
    seekRequest: null,
    parameters,
    playing: null,
  }));
}

/** Returns the tab that the user chose, or else the most relevant one. */
export function shownTab(
  { tabs, suggestedTab }: Pick<KindPage, 'suggestedTab'> & { readonly tabs: readonly Pick<PaneTab, 'id'>[] },
  chosen: Workbench['chosenTab'],
  view: ProjectView,
): string {
  return chosen !== null && tabs.some(({ id }) => id === chosen) ? chosen : suggestedTab(view);
}

const takers = new Set<(words: string) => void>();

/** Appends words, such as a file name, to the unsent message and focuses it. */
export function insertIntoMessage(words: string): void {
  for (const take of takers) take(words);
}

/** Calls `take` with words for the message until the returned function is called. */
export function onInsertion(take: (words: string) => void): () => void {
  takers.add(take);
  return () => takers.delete(take);
}

/** Appends words to a text, with one space before and after. */
export function appendText(text: string, words: string): string {
  return `${text}${text === '' || /\s$/.test(text) ? '' : ' '}${words} `;
}

/** Removes the sent beginning of a text. The rest is what the user has added in the meantime. */
export function withoutSent(text: string, sent: string): string {
  const rest = text.trimStart();
  return rest.startsWith(sent) ? rest.slice(sent.length).trimStart() : text;
}
