import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Render } from '../../../server/contract/render.ts';
import type { ProjectView } from './reducer.ts';
import { newestComplete, previewAtWork } from './renders.ts';

export const paneTabs = ['storyboard', 'preview', 'code', 'terminal', 'history', 'video', 'assets'] as const;
export type PaneTab = (typeof paneTabs)[number];

/** How the page is arranged right now: kept nowhere, shared by its parts. */
export interface Workbench {
  /** The tab that the user went to; null = the page follows what is most worth seeing. */
  readonly chosenTab: PaneTab | null;
  /** What a narrow screen shows. */
  readonly pane: 'talk' | 'watch';
  readonly renderDialog: boolean;
  /** A moment of the film that the live preview is asked to show; a new object for each request. */
  readonly seekRequest: { readonly seconds: number } | null;
  /** The video that the user put into the player, and the newest one then: a newer one takes its place. */
  readonly playing: { readonly renderId: string; readonly newestId: string | null } | null;
}

/** `tab`: the view that the address names, if it does. */
export function createWorkbench(tab: PaneTab | null): StoreApi<Workbench> {
  return createStore<Workbench>(() => ({
    chosenTab: tab,
    pane: tab === null ? 'talk' : 'watch',
    renderDialog: false,
    seekRequest: null,
    playing: null,
  }));
}

type Watched = Pick<ProjectView, 'project' | 'files' | 'renders'>;

/** Nobody is taken off a tab that they chose themselves: they go elsewhere, or follow again what is most worth looking at. */
export function shownTab(chosen: Workbench['chosenTab'], view: Watched): PaneTab {
  return chosen ?? suggestedTab(view);
}

/** What is most worth looking at: each phase has its view. */
export function suggestedTab(view: Watched): PaneTab {
  const { phase, previewUrl } = view.project;
  const building: PaneTab = previewUrl !== null ? 'preview' : Object.keys(view.files).length > 0 ? 'code' : 'storyboard';
  switch (phase) {
    case 'idle':
    case 'question':
    case 'plan':
      return 'storyboard';
    case 'executing':
      return isPreviewing(view) ? 'video' : building;
    case 'error':
      return building;
    case 'preview':
    case 'complete':
      return view.renders.some((render) => render.status === 'complete') ? 'video' : building;
  }
}

/** What there is to be seen in that tab, as a mark: one that was not there before stands for something new. */
export function contentMark(view: Watched & Pick<ProjectView, 'plan'>): string {
  const tab = suggestedTab(view);
  if (tab === 'storyboard') return `${tab} ${view.plan?.id ?? ''}`;
  if (tab !== 'video') return tab;
  return `${tab} ${(previewAtWork(view.renders) ?? newestComplete(view.renders))?.id ?? ''}`;
}

/** A preview is being rendered and can be watched, or is finished and its approval is about to be requested. */
function isPreviewing({ project, renders }: Pick<ProjectView, 'project' | 'renders'>): boolean {
  const finished = (render: Render) => render.settings.kind === 'preview' && render.status === 'complete';
  // An older one belongs to the time before the phase began.
  return previewAtWork(renders) !== null || renders.some((render) => finished(render) && isLater(render, project.updatedAt));
}

const isLater = ({ finishedAt }: Render, moment: string) => finishedAt !== null && finishedAt > moment;

const takers = new Set<(words: string) => void>();

/** Adds words, such as a file's name, to the message that is being written, and brings the cursor there. */
export function insertIntoMessage(words: string): void {
  for (const take of takers) take(words);
}

/** Calls `take` with words for the message, until the returned function is called. */
export function onInsertion(take: (words: string) => void): () => void {
  takers.add(take);
  return () => takers.delete(take);
}

/** A text with words behind it, apart from what is there by one space, and ready to be written on. */
export function withWords(text: string, words: string): string {
  return `${text}${text === '' || /\s$/.test(text) ? '' : ' '}${words} `;
}

/** What is left of a text when words of its beginning have been sent: what was added to it meanwhile. */
export function withoutSent(text: string, sent: string): string {
  const rest = text.trimStart();
  return rest.startsWith(sent) ? rest.slice(sent.length).trimStart() : text;
}
