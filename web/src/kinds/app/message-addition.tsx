import type { MessageAddition } from '../../kind-page.ts';
import { useShownTab } from '../../project/context.ts';
import { useAppState, useAppStore } from './app-store.ts';
import { viewName } from './structure/tree.tsx';

/** Adds the view that is selected. A message refers to the app as it is shown, with all edits. */
export function useMessageAddition(): MessageAddition {
  const store = useAppStore();
  const tab = useShownTab();
  const about = useAppState((state) => state.about);
  const document = useAppState((state) => state.document);
  const page = document?.pages.find(({ id }) => id === about?.page);
  const view = page?.views.find(({ id }) => id === about?.view);
  const isShown = tab === 'structure' || tab === 'preview';
  return {
    about:
      page === undefined || view === undefined || !isShown
        ? null
        : {
            label: `${viewName(view)} on ${page.name}`,
            clearLabel: 'Write about the whole app instead',
            clear: () => store.clearAbout(),
          },
    marks: [],
    effect: null,
    problem: null,
    prepare: async () => void (await store.settle()),
  };
}
