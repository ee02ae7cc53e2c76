import { Tabs } from 'radix-ui';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { type PaneTab, useKindPage } from '../kind-page.ts';
import { useProject, useShownTab, useView, useWorkbench } from '../project/context.ts';
import { rememberTab } from '../router.ts';
import { cx, Spinner } from '../ui/elements.tsx';

export function Panes() {
  const { workbench } = useProject();
  const chosen = useWorkbench((state) => state.chosenTab);
  const { tabs } = useKindPage();
  const tab = useShownTab();
  const newIn = useUnseen(tab);
  const remembered = chosen === tab ? tab : null;
  useEffect(() => rememberTab(remembered), [remembered]);
  const list = useRef<HTMLDivElement>(null);
  // On a phone, the tabs are wider than the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is what it is for.
  useEffect(() => {
    list.current?.querySelector('[data-state="active"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  const [seen, setSeen] = useState<ReadonlySet<string>>(() => new Set([tab]));
  if (!seen.has(tab)) setSeen(new Set([...seen, tab]));
  const atWork = useView(useShallow((view) => tabs.filter(({ isAtWork }) => isAtWork?.(view)).map(({ id }) => id)));
  const Status = tabs.find(({ id }) => id === tab)?.Status;
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => workbench.setState({ chosenTab: next })}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <div className="flex shrink-0 items-center border-line border-b pr-2 sm:pr-4">
        <Tabs.List
          ref={list}
          aria-label="Panes"
          className="flex h-11 min-w-0 flex-1 items-stretch gap-1 overflow-x-auto px-2 [scrollbar-width:none] sm:px-4"
        >
          {tabs.map(({ id, label, icon }) => (
            <Tabs.Trigger
              key={id}
              value={id}
              className="relative flex shrink-0 items-center gap-1.5 rounded-lg px-2.5 text-[13px] text-ink-2 outline-offset-[-4px] hover:text-ink data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-2 data-[state=active]:after:-bottom-px data-[state=active]:after:h-0.5 data-[state=active]:after:rounded-full data-[state=active]:after:bg-accent [&_svg]:size-4"
            >
              {icon}
              {label}
              {(id === newIn || atWork.includes(id)) && (
                <span
                  aria-hidden="true"
                  className={cx('size-1.5 rounded-full bg-accent', atWork.includes(id) && 'animate-breathe')}
                />
              )}
              {id === newIn && <span className="sr-only">– something new</span>}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {Status && <Status />}
      </div>
      {tabs.filter(isFirstOfPane).map(({ id, Pane, staysMounted }) => (
        <Tabs.Content
          key={id}
          value={tabs.some((other) => other.id === tab && other.Pane === Pane) ? tab : id}
          {...(staysMounted && tabs.some((other) => other.Pane === Pane && seen.has(other.id))
            ? { forceMount: true as const }
            : {})}
          className="min-h-0 min-w-0 flex-1 outline-offset-[-2px] data-[state=inactive]:hidden"
        >
          <Suspense fallback={<Loading />}>
            <Pane />
          </Suspense>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

const isFirstOfPane = ({ Pane }: PaneTab, index: number, tabs: readonly PaneTab[]): boolean =>
  tabs.findIndex((tab) => tab.Pane === Pane) === index;

/** Returns the tab with unseen content if the user has chosen another one, or `null`. */
function useUnseen(shown: string): string | null {
  const { suggestedTab, contentKey } = useKindPage();
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
