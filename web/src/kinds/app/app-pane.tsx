import { useEffect, useRef, useState } from 'react';
import { addressOf } from '../../address.ts';
import { useProject, useShownTab } from '../../project/context.ts';
import { useShortcuts } from '../../shortcuts/use-shortcuts.ts';
import { cx } from '../../ui/elements.tsx';
import { useIsPhone } from '../../ui/hooks.ts';
import { useAppState, useAppStore } from './app-store.ts';
import type { NamedPage } from './preview/address-bar.tsx';
import { AppFrame, useAppFrame } from './preview/app-frame.tsx';
import { AppToolbar } from './preview/app-toolbar.tsx';
import { Messages, useMessages } from './preview/messages.tsx';
import { RunningApp } from './preview/running-app.tsx';
import { useAppPage, useAppPageState } from './preview/use-app-page.ts';
import type { ViewportId } from './preview/viewport.ts';
import { Inspector, StructureSide, usePicking } from './structure/structure.tsx';

/**
 * Shows the app, and its structure beside it. Both tabs share one frame, so that switching does not load the app again. The structure
 * can be changed while the app does not run.
 */
export default function AppPane() {
  const tab = useShownTab();
  const store = useAppStore();
  const showsStructure = tab === 'structure';
  const picking = usePicking();
  useShortcuts({ 'Mod+z': () => store.undo(), 'Mod+Shift+z': () => store.redo(), 'Mod+y': () => store.redo() }, showsStructure);
  return (
    <div
      className={cx(
        'h-full',
        showsStructure &&
          'flex pane:grid pane:grid-cols-[236px_minmax(0,1fr)_348px] pane:grid-rows-[minmax(0,1fr)] max-pane:flex-col max-pane:overflow-y-auto',
      )}
    >
      {showsStructure && <StructureSide picking={picking} />}
      <div className={cx('h-full min-h-0 min-w-0', showsStructure && 'max-pane:hidden pane:border-line pane:border-l')}>
        <RunningApp>{(url) => <AppStudio key={url} url={url} showsStructure={showsStructure} />}</RunningApp>
      </div>
      {showsStructure && <Inspector picking={picking} />}
    </div>
  );
}

function AppStudio({ url, showsStructure }: { url: string; showsStructure: boolean }) {
  const { projectId, workbench } = useProject();
  const store = useAppStore();
  const tab = useShownTab();
  const ref = useRef<HTMLIFrameElement>(null);
  const [picksPart, setPicksPart] = useState(false);
  const page = useAppPage(ref, {
    url,
    path: '/',
    onSelected: (place) => {
      store.select({ kind: 'view', ...place });
      setPicksPart(false);
      workbench.setState({ chosenTab: 'structure' });
    },
  });
  const control = useAppFrame(page, ref, url);
  const enabled = useAppPageState(page, ({ health }) => health === 'responsive') && control.frame === 'shown';
  const [viewport, setViewport] = useState<ViewportId>('tablet');
  const isPhone = useIsPhone();
  const messages = useMessages(page);
  const pages = usePages(useAppPageState(page, (state) => state.pages));
  const selection = useAppState((state) => state.selection);
  useEffect(() => {
    const isView = showsStructure && selection.kind === 'view';
    page.select(showsStructure || picksPart, isView ? { page: selection.page, view: selection.view } : null);
    // Selecting a part in the tree shows it.
    if (showsStructure && 'page' in selection) page.navigate(`/${selection.page}`);
  }, [page, showsStructure, picksPart, selection]);
  const toggleMode = () => page.setMode(page.store.getState().mode === 'dark' ? 'light' : 'dark');
  const toggleSelecting = () => setPicksPart(!picksPart);
  useShortcuts(
    {
      r: control.reload,
      k: messages.toggle,
      d: () => enabled && toggleMode(),
      s: () => enabled && toggleSelecting(),
    },
    tab === 'preview',
  );
  const openTab = () => {
    const { path } = page.store.getState();
    window.open(addressOf(`/proxy/${projectId}${path}`), '_blank', 'noopener');
  };
  return (
    <div className="flex h-full flex-col">
      <AppToolbar
        url={url}
        page={page}
        pages={pages}
        enabled={enabled}
        viewport={viewport}
        onViewport={setViewport}
        onReload={control.reload}
        onOpenTab={openTab}
        onMode={toggleMode}
        onSelecting={showsStructure ? null : toggleSelecting}
        console={messages}
      />
      <div className="flex min-h-0 flex-1 flex-col bg-backdrop px-4 pt-4 max-sm:p-0">
        <AppFrame page={page} control={control} ref={ref} title="The app" viewport={isPhone ? null : viewport} />
      </div>
      <Messages page={page} messages={messages} />
    </div>
  );
}

/** Returns the app's pages, or those that the page itself reports until the document is read. */
function usePages(reported: readonly NamedPage[]): readonly NamedPage[] {
  const pages = useAppState((state) => state.document?.pages ?? null);
  return pages ?? reported;
}
