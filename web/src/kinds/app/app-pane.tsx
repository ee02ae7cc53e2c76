import { useMemo, useRef, useState } from 'react';
import { addressOf } from '../../address.ts';
import { useProject, useShownTab } from '../../project/context.ts';
import { useShortcuts } from '../../shortcuts/use-shortcuts.ts';
import { AppFrame, useAppFrame } from './preview/app-frame.tsx';
import { AppToolbar } from './preview/app-toolbar.tsx';
import { Messages, useMessages } from './preview/messages.tsx';
import { RunningApp } from './preview/running-app.tsx';
import { useAppPage, useAppPageState } from './preview/use-app-page.ts';
import type { ViewportId } from './preview/viewport.ts';

/** Shows the app, and its structure beside it. Both tabs share one frame, so that switching does not load the app again. */
export default function AppPane() {
  return <RunningApp>{(url) => <AppStudio key={url} url={url} />}</RunningApp>;
}

function AppStudio({ url }: { url: string }) {
  const { projectId } = useProject();
  const tab = useShownTab();
  const ref = useRef<HTMLIFrameElement>(null);
  const page = useAppPage(ref, { url, path: '/' });
  const control = useAppFrame(page, ref, url);
  const enabled = useAppPageState(page, ({ health }) => health === 'responsive') && control.frame === 'shown';
  const [viewport, setViewport] = useState<ViewportId>('tablet');
  const messages = useMessages(page);
  const pageIds = useAppPageState(page, (state) => state.pages);
  const pages = useMemo(() => pageIds.map((id) => ({ id, name: id })), [pageIds]);
  const toggleSelecting = () => page.select(!page.store.getState().selecting, page.store.getState().selected);
  const toggleMode = () => page.setMode(page.store.getState().mode === 'dark' ? 'light' : 'dark');
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
        onSelecting={toggleSelecting}
        console={messages}
      />
      <div className="flex min-h-0 flex-1 flex-col bg-backdrop px-4 pt-4 max-sm:p-0">
        <AppFrame page={page} control={control} ref={ref} title="The app" viewport={viewport} />
      </div>
      <Messages page={page} messages={messages} />
    </div>
  );
}
