import { CircleAlert, ExternalLink, Maximize2, X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { State } from '#contract/mcp-results.ts';
import { Button, cx, Empty, IconButton, Spinner } from '../../../ui/elements.tsx';
import { Logo } from '../../../ui/graphics.tsx';
import { isActive, shownTab, type Tab, videoOf } from './film-state.ts';
import type { FilmStore } from './film-store.ts';
import { Preview } from './preview.tsx';
import { QuestionPanel } from './question.tsx';
import { Storyboard } from './storyboard.tsx';
import { VideoPanel } from './video.tsx';

const tabs: readonly { readonly value: Tab; readonly label: string }[] = [
  { value: 'storyboard', label: 'Storyboard' },
  { value: 'preview', label: 'Preview' },
  { value: 'video', label: 'Video' },
];

/** Koda in a chat: a film's storyboard, live preview and video, or the question that comes before them. */
export function FilmView({ store }: { store: FilmStore }) {
  const project = useStore(store.state, (state) => state.project);
  const failure = useStore(store.state, (state) => state.failure);
  return (
    <div className="mx-auto max-w-240 p-4">
      {project === null ? <Unopened store={store} failure={failure} /> : <Film store={store} project={project} />}
      {project !== null && failure !== null && (
        <Notice className="mt-4" onDismiss={() => store.dismissFailure()}>
          {failure}
        </Notice>
      )}
    </div>
  );
}

function Unopened({ store, failure }: { store: FilmStore; failure: string | null }) {
  if (failure === null) {
    return (
      <div role="status">
        <Empty icon={<Spinner />} title="Opening the film…" text="Koda shows its storyboard here as soon as there is one." />
      </div>
    );
  }
  return (
    <Empty icon={<CircleAlert />} title="The film cannot be shown" text={failure}>
      <Button onClick={() => void store.refresh()}>Try again</Button>
    </Empty>
  );
}

function Film({ store, project }: { store: FilmStore; project: State }) {
  const chosenTab = useStore(store.state, (state) => state.chosenTab);
  const isAccepted = project.plan?.accepted ?? false;
  const isOffered: Readonly<Record<Tab, boolean>> = {
    storyboard: true,
    preview: isAccepted && !project.running,
    video: isAccepted && (videoOf(project) !== null || !project.running),
  };
  const wanted = shownTab({ project, chosenTab });
  const tab = isOffered[wanted] ? wanted : 'storyboard';
  return (
    <>
      <Header store={store} project={project} />
      {project.question !== null && <QuestionPanel store={store} question={project.question} />}
      {project.error !== null && <Notice className="mt-4">{project.error.message}</Notice>}
      {project.plan === null && project.question === null && <Planning project={project} />}
      {project.plan !== null && (
        <Tabs.Root value={tab} onValueChange={(value) => store.choose(tabs.find((one) => one.value === value)?.value ?? null)}>
          <Tabs.List aria-label="Views of the film" className="mt-4 inline-flex rounded-lg bg-sunken p-0.5">
            {tabs.map(({ value, label }) => (
              <Tabs.Trigger
                key={value}
                value={value}
                disabled={!isOffered[value]}
                className={cx(
                  'flex h-8 items-center rounded-md px-3 text-[13px] text-ink-2 transition-colors enabled:hover:text-ink disabled:opacity-50',
                  'data-[state=active]:bg-panel data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:shadow-[0_1px_2px_rgb(0_0_0/0.12)]',
                )}
              >
                {label}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <Tabs.Content value="storyboard" className="mt-4 focus-visible:outline-none" tabIndex={-1}>
            <Storyboard store={store} project={project} />
          </Tabs.Content>
          <Tabs.Content value="preview" className="mt-4 focus-visible:outline-none" tabIndex={-1}>
            <Preview store={store} project={project} />
          </Tabs.Content>
          <Tabs.Content value="video" className="mt-4 focus-visible:outline-none" tabIndex={-1}>
            <VideoPanel store={store} project={project} />
          </Tabs.Content>
        </Tabs.Root>
      )}
    </>
  );
}

function Header({ store, project }: { store: FilmStore; project: State }) {
  const canBeFullscreen = useStore(store.state, (state) => state.canBeFullscreen);
  const { label, tone } = statusOf(project);
  return (
    <header className="flex items-start gap-3">
      <Logo className="mt-0.5 size-8 shrink-0" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="wrap-anywhere font-semibold text-lg leading-6 tracking-tight">{project.plan?.title ?? project.name}</h1>
          <p role="status" className={cx('flex items-center gap-1.5 rounded-full px-2 py-0.5 text-xs', tone)}>
            {isActive(project) && <Spinner className="size-3" />}
            {label}
          </p>
        </div>
        {project.plan !== null && (
          <p className="wrap-anywhere mt-0.5 line-clamp-3 max-w-180 text-[13px] text-ink-2">{project.plan.summary}</p>
        )}
      </div>
      {canBeFullscreen && (
        <IconButton
          icon={Maximize2}
          label="Full screen"
          onClick={() => void store.toggleFullscreen()}
          className="max-sm:hidden"
        />
      )}
      <IconButton icon={ExternalLink} label="Open in the studio" onClick={() => void store.open(project.url)} />
    </header>
  );
}

function statusOf(project: State): { label: string; tone: string } {
  if (project.error !== null) return { label: 'Needs attention', tone: 'bg-bad-soft text-bad' };
  if (project.waiting_for === 'question') return { label: 'Waiting for your answer', tone: 'bg-warn-soft text-warn' };
  if (project.waiting_for === 'permission')
    return { label: 'Waiting for your permission in the studio', tone: 'bg-warn-soft text-warn' };
  if (project.waiting_for === 'plan') return { label: 'Plan to review', tone: 'bg-warn-soft text-warn' };
  if (isActive(project)) return { label: 'Working', tone: 'bg-accent-soft text-accent-text' };
  if (project.waiting_for === 'preview') return { label: 'Preview to review', tone: 'bg-warn-soft text-warn' };
  if (project.phase === 'complete') return { label: 'Finished', tone: 'bg-ok-soft text-ok' };
  return { label: 'Not started', tone: 'bg-sunken text-ink-2' };
}

function Planning({ project }: { project: State }) {
  if (!isActive(project))
    return <Empty icon={<Logo />} title="No plan yet" text="Describe the film in the chat to get its storyboard." />;
  return (
    <div role="status">
      <Empty icon={<Spinner />} title="Planning the scenes…" text="The storyboard appears here." />
    </div>
  );
}

interface NoticeProps {
  className?: string;
  onDismiss?: () => void;
  children: ReactNode;
}

export function Notice({ className, onDismiss, children }: NoticeProps) {
  return (
    <div role="alert" className={cx('flex items-start gap-2.5 rounded-lg bg-bad-soft px-3 py-2.5 text-bad', className)}>
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p className="wrap-anywhere min-w-0 flex-1 text-[13px] leading-5">{children}</p>
      {onDismiss && <IconButton icon={X} label="Dismiss" onClick={onDismiss} className="-my-1 -mr-1.5 size-7 text-bad" />}
    </div>
  );
}
