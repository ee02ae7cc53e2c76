import { CodeXml, FolderOpen, History, ListTree, Play, SquarePlay, SquareTerminal } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useProject, useView, useWorkbench } from '../project/context.ts';
import { type StageTab, stageTab, stageTabs } from '../project/workbench.ts';
import { isAtWork } from '../renders/render-order.ts';
import { VideoView } from '../renders/video-view.tsx';
import { rememberTab } from '../router.ts';
import { texts } from '../texts.ts';
import { Spinner } from '../ui/spinner.tsx';
import { Storyboard } from './storyboard.tsx';

// What few look at first comes when it is looked at.
const LivePreview = lazy(() => import('../preview/live-preview.tsx'));
const CodeView = lazy(() => import('../code/code-view.tsx'));
const TerminalView = lazy(() => import('../terminal/terminal-view.tsx'));
const HistoryView = lazy(() => import('../history/history-view.tsx'));
const AssetsView = lazy(() => import('../assets/assets-view.tsx'));

const icons: Record<StageTab, ReactNode> = {
  storyboard: <ListTree aria-hidden="true" />,
  preview: <Play aria-hidden="true" />,
  code: <CodeXml aria-hidden="true" />,
  terminal: <SquareTerminal aria-hidden="true" />,
  history: <History aria-hidden="true" />,
  video: <SquarePlay aria-hidden="true" />,
  assets: <FolderOpen aria-hidden="true" />,
};

export function Stage() {
  const { workbench } = useProject();
  const chosen = useWorkbench((state) => state.chosenTab);
  const moves = useView((view) => view.moves);
  const tab = useView((view) => stageTab(chosen, view));
  // A choice holds until the phase changes.
  const held = chosen?.moves === moves ? chosen.tab : null;
  useEffect(() => rememberTab(held), [held]);
  const list = useRef<HTMLDivElement>(null);
  // On a phone the tabs are wider than the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is what it is for.
  useEffect(() => {
    list.current?.querySelector('[data-state="active"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  const [previewSeen, setPreviewSeen] = useState(false);
  if (tab === 'preview' && !previewSeen) setPreviewSeen(true);
  const signs = useView(
    useShallow((view) => ({
      code: Object.values(view.files).some((file) => file.streaming),
      video: view.renders.some(isAtWork),
    })),
  );
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => {
        const picked = stageTabs.find((name) => name === next);
        if (picked) workbench.setState({ chosenTab: { tab: picked, moves } });
      }}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <Tabs.List
        ref={list}
        aria-label={texts.stage.tabsLabel}
        className="flex h-11 shrink-0 items-stretch gap-1 overflow-x-auto border-line border-b px-2 [scrollbar-width:none] sm:px-4"
      >
        {stageTabs.map((name) => (
          <Tabs.Trigger
            key={name}
            value={name}
            className="relative flex shrink-0 items-center gap-1.5 rounded-lg px-2.5 text-[13px] text-ink-2 outline-offset-[-4px] hover:text-ink data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-2 data-[state=active]:after:-bottom-px data-[state=active]:after:h-0.5 data-[state=active]:after:rounded-full data-[state=active]:after:bg-accent [&_svg]:size-4"
          >
            {icons[name]}
            {texts.stage.tabs[name]}
            {((name === 'code' && signs.code) || (name === 'video' && signs.video)) && (
              <span aria-hidden="true" className="size-1.5 animate-breathe rounded-full bg-accent" />
            )}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {stageTabs.map((name) => (
        <Tabs.Content
          key={name}
          value={name}
          // Once loaded, the live preview stays: going back to it must not start it anew.
          {...(name === 'preview' && previewSeen ? { forceMount: true as const } : {})}
          className="min-h-0 min-w-0 flex-1 outline-offset-[-2px] data-[state=inactive]:hidden"
        >
          <Suspense fallback={<Loading />}>
            <StageView tab={name} />
          </Suspense>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

function Loading() {
  return (
    <p role="status" className="flex h-full items-center justify-center gap-2 text-ink-2 text-[13px]">
      <Spinner />
      {texts.common.loading}
    </p>
  );
}

function StageView({ tab }: { tab: StageTab }) {
  switch (tab) {
    case 'storyboard':
      return <Storyboard />;
    case 'preview':
      return <LivePreview />;
    case 'code':
      return <CodeView />;
    case 'terminal':
      return <TerminalView />;
    case 'history':
      return <HistoryView />;
    case 'video':
      return <VideoView />;
    case 'assets':
      return <AssetsView />;
  }
}
