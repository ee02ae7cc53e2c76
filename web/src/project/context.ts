import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import { type RenderSubject, useKindPage } from '../kind-page.ts';
import type { Presence } from './presence.ts';
import type { ProjectView } from './reducer.ts';
import type { ProjectStoreHandle } from './store.ts';
import { shownTab, type Workbench } from './workbench.ts';

export interface ProjectContextValue {
  readonly projectId: string;
  readonly handle: ProjectStoreHandle;
  readonly workbench: StoreApi<Workbench>;
  readonly presence: Presence;
}

export const ProjectContext = createContext<ProjectContextValue | null>(null);

export function useProject(): ProjectContextValue {
  const value = useContext(ProjectContext);
  if (!value) throw new Error('useProject works only inside the project page.');
  return value;
}

export function useView<T>(select: (view: ProjectView) => T): T {
  return useStore(useProject().handle.store, (state) => {
    if (!state.view) throw new Error('The project was shown before it was loaded.');
    return select(state.view);
  });
}

/** Returns where the user may write. */
export function useWritableRoots(): readonly string[] {
  return useKindPage().writableRoots;
}

export function useWorkbench<T>(select: (workbench: Workbench) => T): T {
  return useStore(useProject().workbench, select);
}

/** Returns what a render of the project depends on. `null` if there is nothing to render. */
export function useRenderSubject(): RenderSubject | null {
  const { renderSubject } = useKindPage();
  const plan = useView((view) => view.plan);
  return plan && renderSubject(plan);
}

/** Returns the tab that the panes show. */
export function useShownTab(): string {
  const page = useKindPage();
  const chosen = useWorkbench((workbench) => workbench.chosenTab);
  return useView((view) => shownTab(page, chosen, view));
}
