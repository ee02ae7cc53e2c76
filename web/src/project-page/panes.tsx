import { CodeXml, FolderOpen, History, ListTree, Play, SquarePlay, SquareTerminal } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { SaveLine } from '../editor/save-line.tsx';
import { Storyboard } from '../plan/storyboard.tsx';
import { useProject, useView, useWorkbench } from '../project/context.ts';
import { isRunning } from '../project/renders.ts';
import { contentKey, type PaneTab, paneTabs, shownTab, suggestedTab, tabsOf } from '../project/workbench.ts';
import { VideoView } from '../renders/video-view.tsx';
import { rememberTab } from '../router.ts';
import { cx, Spinner } from '../ui/elements.tsx';

const FilmPane = lazy(() => import('./film-pane.tsx'));
const CodeView = lazy(() => import('../code/code-view.tsx'));
const TerminalView = lazy(() => import('../terminal/terminal-view.tsx'));
const HistoryView = lazy(() => import('../history/history-view.tsx'));
const AssetsView = lazy(() => import('../assets/assets-view.tsx'));

const icons: Record<PaneTab, ReactNode> = {
  storyboard: <ListTree />,
  preview: <Play />,
  code: <CodeXml />,
  terminal: <SquareTerminal />,
  history: <History />,
  video: <SquarePlay />,
  assets: <FolderOpen />,
};

const tabNames: Record<PaneTab, string> = {
  storyboard: 'Storyboard',
  preview: 'Live',
  code: 'Code',
  terminal: 'Terminal',
  history: 'History',
  video: 'Renders',
  assets: 'Assets',
};

export function Panes() {
  const { workbench } = useProject();
  const chosen = useWorkbench((state) => state.chosenTab);
  const tab = useView((view) => shownTab(chosen, view));
  const tabs = useView(tabsOf);
  const newIn = useUnseen(tab);
  useEffect(() => rememberTab(chosen), [chosen]);
  const list = useRef<HTMLDivElement>(null);
  // On a phone, the tabs are wider than the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is what it is for.
  useEffect(() => {
    list.current?.querySelector('[data-state="active"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  const [previewSeen, setPreviewSeen] = useState(false);
  if (tab === 'preview' && !previewSeen) setPreviewSeen(true);
  const atWork: Partial<Record<PaneTab, boolean>> = useView(
    useShallow((view) => ({
      code: Object.values(view.files).some((file) => file.streaming),
      video: view.renders.some(isRunning),
    })),
  );
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => {
        const picked = paneTabs.find((name) => name === next);
        if (picked) workbench.setState({ chosenTab: picked });
      }}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <div className="flex shrink-0 items-center border-line border-b pr-2 sm:pr-4">
        <Tabs.List
          ref={list}
          aria-label="Panes"
          className="flex h-11 min-w-0 flex-1 items-stretch gap-1 overflow-x-auto px-2 [scrollbar-width:none] sm:px-4"
        >
          {tabs.map((name) => (
            <Tabs.Trigger
              key={name}
              value={name}
              className="relative flex shrink-0 items-center gap-1.5 rounded-lg px-2.5 text-[13px] text-ink-2 outline-offset-[-4px] hover:text-ink data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-2 data-[state=active]:after:-bottom-px data-[state=active]:after:h-0.5 data-[state=active]:after:rounded-full data-[state=active]:after:bg-accent [&_svg]:size-4"
            >
              {icons[name]}
              {tabNames[name]}
              {(name === newIn || atWork[name]) && (
                <span aria-hidden="true" className={cx('size-1.5 rounded-full bg-accent', atWork[name] && 'animate-breathe')} />
              )}
              {name === newIn && <span className="sr-only">– something new</span>}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {tab === 'preview' && <SaveLine />}
      </div>
      {tabs.map((name) => (
        <Tabs.Content
          key={name}
          value={name}
          // The live preview stays mounted, because returning to it must not restart it.
          {...(name === 'preview' && previewSeen ? { forceMount: true as const } : {})}
          className="min-h-0 min-w-0 flex-1 outline-offset-[-2px] data-[state=inactive]:hidden"
        >
          <Suspense fallback={<Loading />}>
            <Pane tab={name} />
          </Suspense>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

/** Returns the tab with unseen content if the user has chosen another one, or `null`. */
function useUnseen(shown: PaneTab): PaneTab | null {
  const suggested = useView(suggestedTab);
  const mark = useView(contentKey);
  // Content that existed when the page loaded is not new.
  const [seen, setSeen] = useState<ReadonlySet<string>>(() => new Set([mark]));
  const isNew = !seen.has(mark);
  if (isNew && shown === suggested) setSeen(new Set([...seen, mark]));
  return isNew && shown !== suggested ? suggested : null;
}

function Loading() {
  return (
    <p role="status" className="flex h-full items-center justify-center gap-2 text-ink-2 text-[13px]">
      <Spinner />
      Loading…
    </p>
  );
}

function Pane({ tab }: { tab: PaneTab }) {
  switch (tab) {
    case 'storyboard':
      return <Storyboard />;
    case 'preview':
      return <FilmPane />;
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
