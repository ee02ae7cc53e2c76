import { FolderOpen, ListTree, Play, SquarePlay } from 'lucide-react';
import { lazy, type PropsWithChildren, useEffect, useState } from 'react';
import { defaultWritableRoots } from '#contract/paths.ts';
import { filmOf, renderedFilmOf } from '#kinds/film/contract/outline.ts';
import { sessionTexts } from '../../browser-storage.ts';
import { type KindPage, KindPageContext, type PaneTab } from '../../kind-page.ts';
import { useProject } from '../../project/context.ts';
import { isRunning } from '../../project/renders.ts';
import { codeTab, historyTab, terminalTab } from '../../project-page/core-tabs.tsx';
import { VideoView } from '../../renders/video-view.tsx';
import { toast } from '../../ui/toasts.tsx';
import { DocumentStore, EditorContext } from './editor/document-store.ts';
import { SaveLine } from './editor/save-line.tsx';
import { filmApi } from './film-document.ts';
import { useMessageAddition } from './message-addition.tsx';
import { DonePanel, PlanPanel, PreviewPanel } from './panels.tsx';
import { contentKey, type FilmTab, filmTabs, suggestedTab } from './tabs.ts';

const tabs: Readonly<Record<FilmTab, PaneTab>> = {
  storyboard: {
    id: 'storyboard',
    label: 'Storyboard',
    icon: <ListTree />,
    Pane: lazy(() => import('./storyboard/storyboard.tsx')),
  },
  preview: {
    id: 'preview',
    label: 'Live',
    icon: <Play />,
    Pane: lazy(() => import('./film-pane.tsx')),
    Status: SaveLine,
    staysMounted: true,
    fillsPhone: ({ plan }) => plan !== null && filmOf(plan) !== null,
  },
  code: codeTab,
  terminal: terminalTab,
  history: historyTab,
  video: {
    id: 'video',
    label: 'Renders',
    icon: <SquarePlay />,
    Pane: VideoView,
    isAtWork: ({ renders }) => renders.some(isRunning),
  },
  assets: { id: 'assets', label: 'Assets', icon: <FolderOpen />, Pane: lazy(() => import('../../assets/assets-view.tsx')) },
};

const filmPage: KindPage = {
  writableRoots: defaultWritableRoots,
  tabs: filmTabs.map((tab) => tabs[tab]),
  panesLabel: 'Watch',
  suggestedTab,
  contentKey,
  steps: ['idle', 'plan', 'executing', 'preview', 'complete'],
  stepNames: {},
  ideaHint: 'Describe your film…',
  useMessageAddition,
  PlanPanel,
  PreviewPanel,
  DonePanel,
  renderSubject: renderedFilmOf,
};

/** Edits of the film, proposed or accepted, are kept here, so that they survive switching panes. */
export default function FilmPage({ children }: PropsWithChildren) {
  const { projectId, handle } = useProject();
  const [editor, setEditor] = useState<DocumentStore | null>(null);
  useEffect(() => {
    const editor = new DocumentStore({
      send: (edits) => filmApi.edit(projectId, edits),
      read: () => filmApi.document(projectId),
      storage: sessionTexts,
      storageName: `koda:film-edits:${projectId}`,
      notify: toast,
    });
    const follow = ({ view }: ReturnType<typeof handle.store.getState>) => {
      const plan = view?.plan ?? null;
      const film = plan === null ? null : filmOf(plan);
      editor.follow(plan && { ...plan, film }, view?.project.running ?? false);
    };
    follow(handle.store.getState());
    const stopFollowing = handle.store.subscribe((state, before) => {
      if (state.connection !== before.connection && state.connection !== 'reconnecting') void editor.flush();
      follow(state);
    });
    setEditor(editor);
    return () => {
      stopFollowing();
      editor.close();
    };
  }, [projectId, handle]);
  if (editor === null) return null;
  return (
    <KindPageContext value={filmPage}>
      <EditorContext value={editor}>{children}</EditorContext>
    </KindPageContext>
  );
}
