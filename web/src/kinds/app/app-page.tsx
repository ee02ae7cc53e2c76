import { AppWindow, Blocks, Database } from 'lucide-react';
import { lazy, type PropsWithChildren, useEffect, useState } from 'react';
import { type KindPage, KindPageContext } from '../../kind-page.ts';
import { useProject, useView } from '../../project/context.ts';
import { codeTab, historyTab, terminalTab } from '../../project-page/core-tabs.tsx';
import { FinishedPanel, plainPage, ResultPanel } from '../../project-page/plain-page.tsx';
import { toast } from '../../ui/toasts.tsx';
import { appApi } from './app-document.ts';
import { AppStore, AppStoreContext } from './app-store.ts';
import { useMessageAddition } from './message-addition.tsx';
import { SaveLine } from './save-line.tsx';

const AppPane = lazy(() => import('./app-pane.tsx'));

/** Where the user may write, as the server's kind says. */
const writableRoots = ['src/', 'server/', 'model/', 'data/', 'public/', './'];

const suggestedTab: KindPage['suggestedTab'] = ({ project, files }) =>
  project.previewUrl === null && project.running && Object.keys(files).length > 0 ? codeTab.id : 'preview';

const appPage: KindPage = {
  ...plainPage,
  writableRoots,
  tabs: [
    {
      id: 'preview',
      label: 'Preview',
      icon: <AppWindow />,
      Pane: AppPane,
      staysMounted: true,
      fillsPhone: ({ project }) => project.previewUrl !== null,
    },
    {
      id: 'data',
      label: 'Data',
      icon: <Database />,
      Pane: lazy(() => import('./data-pane.tsx')),
      fillsPhone: () => true,
      isWide: true,
    },
    {
      id: 'structure',
      label: 'Structure',
      icon: <Blocks />,
      Pane: AppPane,
      Status: SaveLine,
      staysMounted: true,
      fillsPhone: () => true,
      isWide: true,
    },
    codeTab,
    terminalTab,
    historyTab,
  ],
  panesLabel: 'App',
  suggestedTab,
  contentKey: suggestedTab,
  ideaHint: 'Describe your app…',
  useMessageAddition,
  PreviewPanel: (props) => <ResultPanel {...props} noun="app" text="Try it, then accept it, or change it under Structure." />,
  DonePanel: (props) => <FinishedPanel {...props} text="The app keeps running. Change it under Structure." />,
};

/** Edits of the app are kept here, so that they survive switching panes. */
export default function AppPage({ children }: PropsWithChildren) {
  const { projectId } = useProject();
  const [store, setStore] = useState<AppStore | null>(null);
  useEffect(() => {
    const created = new AppStore({
      read: () => appApi.document(projectId),
      send: (edits) => appApi.edit(projectId, edits),
      notify: toast,
    });
    setStore(created);
    return () => created.close();
  }, [projectId]);
  return (
    <KindPageContext value={appPage}>
      {store !== null && (
        <AppStoreContext value={store}>
          <DocumentReader store={store} />
          {children}
        </AppStoreContext>
      )}
    </KindPageContext>
  );
}

/** Reads the document whenever the project has another one. */
function DocumentReader({ store }: { store: AppStore }) {
  const planId = useView((view) => view.plan?.id ?? null);
  const revision = useView((view) => view.plan?.revision ?? null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another plan or revision is another document.
  useEffect(() => {
    if (planId !== null) void store.read();
  }, [store, planId, revision]);
  return null;
}
