import { CircleAlert } from 'lucide-react';
import { type CSSProperties, lazy, Suspense, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { api } from '../api/client.ts';
import { browserStorage } from '../browser-storage.ts';
import { Conversation } from '../conversation/conversation.tsx';
import { Dock } from '../conversation/dock.tsx';
import { useKindPage } from '../kind-page.ts';
import { kindOf } from '../kinds.ts';
import { ProjectContext, type ProjectContextValue, useProject, useShownTab, useView, useWorkbench } from '../project/context.ts';
import { KindLookContext } from '../project/kind-context.ts';
import { Presence } from '../project/presence.ts';
import { isConversation, useTabState } from '../project/project-status.ts';
import { openProject } from '../project/store.ts';
import { createWorkbench } from '../project/workbench.ts';
import { FinishNotice } from '../renders/notices.tsx';
import { recallParameters, rememberParameters } from '../renders/parameter-surface.ts';
import { navigate, parseTab } from '../router.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Button, cx, Empty, Spinner } from '../ui/elements.tsx';
import { Choice } from '../ui/fields.tsx';
import { BackToConversation } from './back-to-conversation.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { conversationColumn, conversationWidth, PaneDivider } from './pane-divider.tsx';
import { Panes } from './panes.tsx';
import { PlainPage } from './plain-page.tsx';
import { TopBar } from './top-bar.tsx';

export function ProjectPage({ projectId }: { projectId: string }) {
  const [value, setValue] = useState<ProjectContextValue | null>(null);
  useEffect(() => {
    const handle = openProject(projectId);
    const workbench = createWorkbench(parseTab(window.location.search), recallParameters(projectId, browserStorage));
    const unsubscribeStorage = workbench.subscribe(({ parameters }, before) => {
      if (parameters !== before.parameters) rememberParameters(projectId, parameters, browserStorage);
    });
    const presence = new Presence(() => api.reportActivity(projectId));
    const stopListening = presence.listen();
    setValue({ projectId, handle, workbench, presence });
    return () => {
      stopListening();
      unsubscribeStorage();
      handle.close();
    };
  }, [projectId]);
  return value && <Loaded key={projectId} project={value} />;
}

function Loaded({ project }: { project: ProjectContextValue }) {
  const kind = useStore(project.handle.store, (state) => state.view?.project.kind ?? null);
  const loadError = useStore(project.handle.store, (state) => state.loadError);
  // A loaded project may have been deleted. Other errors matter only before the first load.
  if (loadError && (kind === null || loadError.code === 'NOT_FOUND')) {
    return (
      <main className="h-full" aria-label="The project could not be opened">
        <Empty
          heading
          icon={<CircleAlert />}
          title={loadError.code === 'NOT_FOUND' ? 'Project not found' : 'The project could not be opened'}
          text={loadError.code === 'NOT_FOUND' ? 'It may have been deleted, or the address is incomplete.' : loadError.message}
        >
          <div className="flex gap-2">
            {loadError.code !== 'NOT_FOUND' && <Button onClick={() => void project.handle.reload()}>Try again</Button>}
            <Button onClick={() => navigate('/')}>Back to all projects</Button>
          </div>
        </Empty>
      </main>
    );
  }
  if (kind === null) return <Opening />;
  const Page = kindOf(kind)?.Page ?? PlainPage;
  return (
    <ProjectContext value={project}>
      <Suspense fallback={<Opening />}>
        <KindLookContext value={kindOf}>
          <Page>
            <Workspace />
          </Page>
        </KindLookContext>
      </Suspense>
    </ProjectContext>
  );
}

function Opening() {
  return (
    <p role="status" className="flex h-full items-center justify-center gap-2 text-ink-2">
      <Spinner />
      Opening the project…
    </p>
  );
}

/**
 * Shows conversation and panes side by side. A narrow screen shows one of them, and always the dock. Without panes, the conversation
 * has the whole page.
 */
function Workspace() {
  const chosenPane = useWorkbench((workbench) => workbench.pane);
  const { workbench } = useProject();
  useTabState();
  const conversationId = useId();
  const { tabs, panesLabel } = useKindPage();
  const shown = useShownTab();
  const fillsPhone = useView((view) => tabs.find(({ id }) => id === shown)?.fillsPhone?.(view) ?? false);
  const isWide = tabs.find(({ id }) => id === shown)?.isWide ?? false;
  const column = useStore(conversationWidth, ({ width }) => conversationColumn(width));
  const hasPanes = tabs.length > 0;
  const pane = hasPanes ? chosenPane : 'conversation';
  return (
    <div className="flex h-dvh flex-col">
      <TopBar />
      <BackToConversation />
      <ConnectionBanner />
      <MissingKindNotice />
      {hasPanes && (
        <nav aria-label="View" className="flex justify-center border-line border-b py-1.5 md:hidden">
          <Choice
            label="View"
            value={pane}
            options={[
              { value: 'conversation', label: 'Talk' },
              { value: 'panes', label: panesLabel },
            ]}
            onChange={(next) => workbench.setState({ pane: next })}
          />
        </nav>
      )}
      <main
        className={cx(
          'grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto]',
          hasPanes &&
            !isWide &&
            'md:grid-cols-[var(--talk,minmax(340px,30%))_minmax(0,1fr)] xl:grid-cols-[var(--talk,420px)_minmax(0,1fr)]',
        )}
        style={column === undefined ? undefined : ({ '--talk': column } as CSSProperties)}
      >
        <section
          id={conversationId}
          aria-label="Conversation"
          className={cx(
            'relative col-start-1 row-start-1 min-h-0 min-w-0',
            isWide ? 'md:hidden' : 'md:flex',
            hasPanes && 'md:border-line md:border-r',
            pane === 'conversation' ? 'flex' : 'hidden',
          )}
        >
          <Conversation />
        </section>
        {hasPanes && (
          <section
            aria-label="Panes"
            className={cx(
              'relative col-start-1 row-start-1 min-h-0 min-w-0 md:row-span-2 md:flex',
              !isWide && 'md:col-start-2',
              pane === 'panes' ? 'flex' : 'hidden',
            )}
          >
            {!isWide && <PaneDivider columnId={conversationId} />}
            <Panes />
          </section>
        )}
        <div
          className={cx(
            'col-start-1 row-start-2 min-w-0',
            isWide ? 'md:hidden' : 'md:block',
            hasPanes && 'md:border-line md:border-r',
            pane === 'panes' && fillsPhone && 'hidden',
          )}
        >
          <Dock />
        </div>
      </main>
      <RenderDialog />
      <FinishNotice />
    </div>
  );
}

/** Says why the project's result cannot be seen. A conversation is its own result. */
function MissingKindNotice() {
  const kind = useView((view) => view.project.kind);
  const hasResult = !useView(isConversation);
  if (kindOf(kind) || !hasResult) return null;
  return (
    <p role="status" className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-1.5 text-[13px] text-warn">
      <CircleAlert className="size-4 shrink-0" />
      {`This version of Koda cannot show projects of the kind “${kind}”. You can still use the conversation, the code and the history.`}
    </p>
  );
}

const RenderForm = lazy(() => import('../renders/render-form.tsx'));

function RenderDialog() {
  const { workbench } = useProject();
  const open = useWorkbench((state) => state.renderDialog);
  const close = () => workbench.setState({ renderDialog: false });
  return (
    <Suspense>
      <Dialog
        title="Render the final video"
        text="Koda renders every frame exactly, however long that takes."
        open={open}
        onClose={close}
        wide
      >
        {open && <RenderForm onDone={close} />}
      </Dialog>
    </Suspense>
  );
}
