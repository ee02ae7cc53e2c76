import { createStore, type StoreApi } from 'zustand/vanilla';
import { cycleKindId } from '#contract/cycle.ts';
import type { Render } from '#contract/render.ts';
import type { ProjectView } from './reducer.ts';
import { newestComplete, runningPreview } from './renders.ts';

export const paneTabs = ['storyboard', 'preview', 'code', 'terminal', 'history', 'video', 'assets'] as const;
export type PaneTab = (typeof paneTabs)[number];

/** Tabs of a project that is no film: it has neither scenes nor a picture. */
const codeTabs: readonly PaneTab[] = ['code', 'terminal', 'history'];

export function tabsOf({ project }: Pick<ProjectView, 'project'>): readonly PaneTab[] {
  return project.kind === cycleKindId ? codeTabs : paneTabs;
}

/** The page's layout state, shared by its parts and not stored. */
export interface Workbench {
  /** The tab that the user chose; `null` shows the most relevant one. */
  readonly chosenTab: PaneTab | null;
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
export function createWorkbench(tab: PaneTab | null, parameters: Workbench['parameters'] = {}): StoreApi<Workbench> {
  return createStore<Workbench>(() => ({
    chosenTab: tab,
    pane: tab === null ? 'conversation' : 'panes',
    renderDialog: false,
    seekRequest: null,
    parameters,
    playing: null,
  }));
}

type Watched = Pick<ProjectView, 'project' | 'files' | 'renders'>;

export function shownTab(chosen: Workbench['chosenTab'], view: Watched): PaneTab {
  return chosen !== null && tabsOf(view).includes(chosen) ? chosen : suggestedTab(view);
}

/** Returns the most relevant tab for the project's phase. */
export function suggestedTab(view: Watched): PaneTab {
  if (view.project.kind === cycleKindId) return view.project.phase === 'complete' ? 'history' : 'code';
  const { phase, previewUrl } = view.project;
  const withoutPreview = Object.keys(view.files).length > 0 ? 'code' : 'storyboard';
  const building: PaneTab = previewUrl !== null ? 'preview' : withoutPreview;
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

/** Identifies the content of the suggested tab. A different value means new content. */
export function contentKey(view: Watched & Pick<ProjectView, 'plan'>): string {
  const tab = suggestedTab(view);
  if (tab === 'storyboard') return `${tab} ${view.plan?.id ?? ''}`;
  if (tab !== 'video') return tab;
  return `${tab} ${(runningPreview(view.renders) ?? newestComplete(view.renders))?.id ?? ''}`;
}

/** A running preview can be watched, or a finished one is about to request its approval. */
function isPreviewing({ project, renders }: Pick<ProjectView, 'project' | 'renders'>): boolean {
  const finished = (render: Render) => render.settings.kind === 'preview' && render.status === 'complete';
  // Older previews are from before the phase.
  return runningPreview(renders) !== null || renders.some((render) => finished(render) && isLater(render, project.updatedAt));
}

const isLater = ({ finishedAt }: Render, moment: string) => finishedAt !== null && finishedAt > moment;

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
