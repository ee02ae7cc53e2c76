import { AppWindow } from 'lucide-react';
import { lazy, type PropsWithChildren } from 'react';
import { type KindPage, KindPageContext } from '../../kind-page.ts';
import { codeTab, historyTab, terminalTab } from '../../project-page/core-tabs.tsx';
import { FinishedPanel, plainPage, ResultPanel } from '../../project-page/plain-page.tsx';

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
    codeTab,
    terminalTab,
    historyTab,
  ],
  panesLabel: 'App',
  suggestedTab,
  contentKey: suggestedTab,
  ideaHint: 'Describe your app…',
  PreviewPanel: (props) => <ResultPanel {...props} noun="app" text="Try it, then accept it, or say what to change." />,
  DonePanel: (props) => <FinishedPanel {...props} text="The app keeps running. Describe a change." />,
};

export default function AppPage({ children }: PropsWithChildren) {
  return <KindPageContext value={appPage}>{children}</KindPageContext>;
}
