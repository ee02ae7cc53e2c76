import type { Render } from '#contract/render.ts';
import type { ProjectView } from '../../project/reducer.ts';
import { newestComplete, runningPreview } from '../../project/renders.ts';

/** The panes of a film, in the order of their tabs. */
export const filmTabs = ['storyboard', 'preview', 'code', 'terminal', 'history', 'video', 'assets'] as const;
export type FilmTab = (typeof filmTabs)[number];

type Watched = Pick<ProjectView, 'project' | 'files' | 'renders'>;

/** Returns the most relevant tab for the project's phase. */
export function suggestedTab(view: Watched): FilmTab {
  const { phase, previewUrl } = view.project;
  const withoutPreview = Object.keys(view.files).length > 0 ? 'code' : 'storyboard';
  const building: FilmTab = previewUrl !== null ? 'preview' : withoutPreview;
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
    case 'conversation':
      return view.renders.some((render) => render.status === 'complete') ? 'video' : building;
  }
}

/** Identifies the content of the suggested tab. */
export function contentKey(view: Watched & Pick<ProjectView, 'plan'>): string {
  const tab = suggestedTab(view);
  if (tab === 'storyboard') return `${tab} ${view.plan?.id ?? ''}`;
  if (tab !== 'video') return tab;
  return `${tab} ${(runningPreview(view.renders) ?? newestComplete(view.renders))?.id ?? ''}`;
}

/** A running preview can be watched, or a finished one is about to request its approval. */
function isPreviewing({ project, renders }: Pick<ProjectView, 'project' | 'renders'>): boolean {
  const finished = (render: Render) => render.settings.kind === 'preview' && render.status === 'complete';
  // Ignores previews that were finished before the project entered this phase.
  return runningPreview(renders) !== null || renders.some((render) => finished(render) && isLater(render, project.updatedAt));
}

const isLater = ({ finishedAt }: Render, moment: string) => finishedAt !== null && finishedAt > moment;
