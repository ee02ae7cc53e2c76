import { CircleAlert, WifiOff } from 'lucide-react';
import { type CSSProperties, lazy, Suspense, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { cycleKindId } from '#contract/cycle.ts';
import { filmOf } from '#contract/film-outline.ts';
import { api } from '../api/client.ts';
import { filmApi } from '../api/film-document.ts';
import { browserStorage, sessionTexts } from '../browser-storage.ts';
import { Conversation } from '../conversation/conversation.tsx';
import { Dock } from '../conversation/dock.tsx';
import { DocumentStore, EditorContext, useEditorState } from '../editor/document-store.ts';
import { createPlanEditor, type PlanEditor, PlanEditorContext } from '../plan/plan-editor.ts';
import { ProjectContext, type ProjectContextValue, useProject, useView, useWorkbench } from '../project/context.ts';
import { Presence } from '../project/presence.ts';
import { useTabState } from '../project/project-status.ts';
import { openProject } from '../project/store.ts';
import { createWorkbench, shownTab } from '../project/workbench.ts';
import { FinishNotice } from '../renders/notices.tsx';
import { recallParameters, rememberParameters } from '../renders/parameter-surface.ts';
import { navigate, parseTab } from '../router.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Button, cx, Empty, Spinner } from '../ui/elements.tsx';
import { Choice } from '../ui/fields.tsx';
import { toast } from '../ui/toasts.tsx';
import { conversationColumn, conversationWidth, PaneDivider } from './pane-divider.tsx';
import { Panes } from './panes.tsx';
import { TopBar } from './top-bar.tsx';

interface OpenProject {
  readonly project: ProjectContextValue;
  readonly planEditor: PlanEditor;
  readonly editor: DocumentStore;
}

export function ProjectPage({ projectId }: { projectId: string }) {
  const [value, setValue] = useState<OpenProject | null>(null);
  useEffect(() => {
    const handle = openProject(projectId);
    const planEditor = createPlanEditor(projectId, browserStorage);
    const editor = new DocumentStore({
      send: (edits) => filmApi.edit(projectId, edits),
      read: () => filmApi.document(projectId),
      storage: sessionTexts,
      storageName: `koda:film-edits:${projectId}`,
      notify: toast,
    });
    const stopFollowing = handle.store.subscribe(({ view, connection }, before) => {
      if (connection !== before.connection && connection !== 'reconnecting') void editor.flush();
      planEditor.follow(view?.plan ?? null);
      const plan = view?.plan ?? null;
      const film = plan === null ? null : filmOf(plan);
      editor.follow(plan && { id: plan.id, revision: plan.revision, film }, view?.project.running ?? false);
    });
    const workbench = createWorkbench(parseTab(window.location.search), recallParameters(projectId, browserStorage));
    const unsubscribeStorage = workbench.subscribe(({ parameters }, before) => {
      if (parameters !== before.parameters) rememberParameters(projectId, parameters, browserStorage);
    });
    const presence = new Presence(() => api.reportActivity(projectId));
    const stopListening = presence.listen();
    setValue({ project: { projectId, handle, workbench, presence }, planEditor, editor });
    return () => {
      stopListening();
      stopFollowing();
      unsubscribeStorage();
      editor.close();
      handle.close();
    };
  }, [projectId]);
  return value && <Loaded key={projectId} {...value} />;
}

function Loaded({ project, planEditor, editor }: OpenProject) {
  const ready = useStore(project.handle.store, (state) => state.view !== null);
  const loadError = useStore(project.handle.store, (state) => state.loadError);
  // A loaded project may have been deleted. Other errors matter only before the first load.
  if (loadError && (!ready || loadError.code === 'NOT_FOUND')) {
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
  if (!ready) {
    return (
      <p role="status" className="flex h-full items-center justify-center gap-2 text-ink-2">
        <Spinner />
        Opening the project…
      </p>
    );
  }
  return (
    <ProjectContext value={project}>
      <PlanEditorContext value={planEditor}>
        <EditorContext value={editor}>
          <Workspace />
        </EditorContext>
      </PlanEditorContext>
    </ProjectContext>
  );
}

const paneOptions = (kind: string) =>
  [
    { value: 'conversation', label: 'Talk' },
    { value: 'panes', label: kind === cycleKindId ? 'Work' : 'Watch' },
  ] as const;

/** Shows conversation and panes side by side. A narrow screen shows one of them, and always the dock. */
function Workspace() {
  const pane = useWorkbench((workbench) => workbench.pane);
  const { workbench } = useProject();
  useTabState();
  const conversationId = useId();
  const kind = useView((view) => view.project.kind);
  const chosen = useWorkbench((state) => state.chosenTab);
  const hasFilm = useEditorState((state) => state.film !== null);
  const tab = useView((view) => shownTab(chosen, view));
  // On a phone, film and fields need the space; the dock is in the conversation.
  const edits = pane === 'panes' && tab === 'preview' && hasFilm;
  const column = useStore(conversationWidth, ({ width }) => conversationColumn(width));
  return (
    <div className="flex h-dvh flex-col">
      <TopBar />
      <ConnectionBanner />
      <nav aria-label="View" className="flex justify-center border-line border-b py-1.5 md:hidden">
        <Choice label="View" value={pane} options={paneOptions(kind)} onChange={(next) => workbench.setState({ pane: next })} />
      </nav>
      <main
        className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] md:grid-cols-[var(--talk,minmax(340px,30%))_minmax(0,1fr)] xl:grid-cols-[var(--talk,420px)_minmax(0,1fr)]"
        style={column === undefined ? undefined : ({ '--talk': column } as CSSProperties)}
      >
        <section
          id={conversationId}
          aria-label="Conversation"
          className={cx(
            'col-start-1 row-start-1 min-h-0 min-w-0 md:flex md:border-line md:border-r',
            pane === 'conversation' ? 'flex' : 'hidden',
          )}
        >
          <Conversation />
        </section>
        <section
          aria-label="Panes"
          className={cx(
            'relative col-start-1 row-start-1 min-h-0 min-w-0 md:col-start-2 md:row-span-2 md:flex',
            pane === 'panes' ? 'flex' : 'hidden',
          )}
        >
          <PaneDivider columnId={conversationId} />
          <Panes />
        </section>
        <div className={cx('col-start-1 row-start-2 min-w-0 md:block md:border-line md:border-r', edits && 'hidden')}>
          <Dock />
        </div>
      </main>
      <RenderDialog />
      <FinishNotice />
    </div>
  );
}

function ConnectionBanner() {
  const { handle } = useProject();
  const lost = useStore(handle.store, (state) => state.connection === 'reconnecting');
  const outdated = useStore(handle.store, (state) => state.outdated);
  if (outdated) {
    return (
      <p
        role="status"
        className="flex animate-fade items-center justify-center gap-3 bg-warn-soft px-4 py-1 text-[13px] text-warn"
      >
        Koda was updated while this page was open.
        <Button size="sm" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </p>
    );
  }
  if (!lost) return null;
  return (
    <p
      role="status"
      className="flex animate-fade items-center justify-center gap-2 bg-warn-soft px-4 py-1.5 text-[13px] text-warn"
    >
      <WifiOff className="size-4" />
      Connection lost. Reconnecting; your work is safe.
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
