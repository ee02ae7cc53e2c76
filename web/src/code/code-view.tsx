import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CodeXml, FilePlus2, X } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { api } from '../api/client.ts';
import { isStarting, retryFiles } from '../api/files.ts';
import { useProject, useView } from '../project/context.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { cx, Empty, ErrorNotice, IconButton, Spinner } from '../ui/elements.tsx';
import { Choice } from '../ui/fields.tsx';
import { ChangesPanel } from './changes-panel.tsx';
import { codeWorkspace } from './code-workspace.ts';
import { ComparedFile } from './compared-file.tsx';
import { DeleteFile, NewFileDialog } from './file-dialogs.tsx';
import { FilePane } from './file-pane.tsx';
import { liveNames, projectFiles, shownFile } from './file-tree.ts';
import { FilesPanel } from './files-panel.tsx';

const panels = [
  { value: 'files', label: 'Files' },
  { value: 'changes', label: 'Changes' },
] as const;

/**
 * Shows the project's files for reading, editing and comparing. Follows the file being written unless the user has chosen
 * one.
 */
export default function CodeView() {
  const { projectId } = useProject();
  const workspace = codeWorkspace(projectId);
  const state = useStore(workspace.store);
  const currentFile = useView((view) => view.currentFile);
  const filesVersion = useView((view) => view.filesVersion);
  const live = useView((view) => liveNames(view.files));
  const writing = useView((view) => (view.currentFile && view.files[view.currentFile]?.streaming ? view.currentFile : null));
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<string | null>(null);
  const listed = useQuery({
    queryKey: ['files', projectId, filesVersion],
    queryFn: ({ signal }) => api.listFiles(projectId, signal),
    placeholderData: keepPreviousData,
    ...retryFiles,
  });
  const paths = useMemo(() => {
    const files = (listed.data?.files ?? []).filter(({ type }) => type === 'file');
    return projectFiles(
      files.map(({ path }) => path),
      live,
    );
  }, [listed.data, live]);
  const shown = shownFile(paths, { picked: state.picked, unsaved: state.unsaved, current: currentFile });
  // A deleted file can still be compared with an earlier version.
  const compared = state.picked ?? shown;
  // Choosing the file being written resumes following.
  const pick = useCallback((path: string) => workspace.pick(path === writing ? null : path), [workspace, writing]);
  const close = useCallback(() => setDeleting(null), []);
  // The key also works outside the editor, because the browser's “Save page” is useless here.
  const active = state.panel === 'changes' ? compared : shown;
  useShortcuts({ 'Mod+s': () => active !== null && void workspace.open(active).save() });

  if (paths.size === 0) {
    if (listed.isPending) {
      const waiting = isStarting(listed.failureReason) ? 'Starting the sandbox with the files…' : 'Loading the files…';
      return <Empty icon={<Spinner />} title={waiting} />;
    }
    return (
      <Empty icon={<CodeXml />} title="No code yet" text="The code appears here when Koda writes it.">
        {listed.isError && <ErrorNotice error={listed.error} />}
      </Empty>
    );
  }
  return (
    <div className="@container/code relative flex h-full min-w-0">
      <section
        aria-label="Files"
        className={cx(
          'w-full shrink-0 flex-col bg-panel @xl/code:static @xl/code:flex @xl/code:w-58 @xl/code:border-line @xl/code:border-r',
          state.listShown ? 'absolute inset-0 z-20 flex' : 'hidden',
        )}
      >
        <div className="flex h-11 shrink-0 items-center justify-between gap-1 border-line border-b pr-1.5 pl-2">
          <Choice label="Listed files" value={state.panel} options={panels} onChange={(panel) => workspace.list(panel)} />
          <div className="flex">
            <IconButton icon={FilePlus2} label="New file" onClick={() => setCreating(true)} />
            <IconButton
              icon={X}
              label="Hide files"
              onClick={() => workspace.store.setState({ listShown: false })}
              className="@xl/code:hidden"
            />
          </div>
        </div>
        {state.panel === 'files' ? (
          <FilesPanel
            workspace={workspace}
            paths={paths}
            incomplete={listed.data?.complete === false}
            shown={shown}
            writing={writing}
            onPick={pick}
            onDelete={setDeleting}
          />
        ) : (
          <ChangesPanel workspace={workspace} shown={compared} />
        )}
      </section>
      <div className="min-h-0 min-w-0 flex-1">
        {state.panel === 'changes' && compared !== null && (
          <ComparedFile key={compared} workspace={workspace} path={compared} onDelete={setDeleting} />
        )}
        {state.panel === 'files' && shown !== null && (
          <FilePane key={shown} workspace={workspace} path={shown} comparison={null} onDelete={setDeleting} />
        )}
      </div>
      {creating && <NewFileDialog workspace={workspace} paths={paths} beside={shown} onClose={() => setCreating(false)} />}
      <DeleteFile workspace={workspace} path={deleting} onClose={close} />
    </div>
  );
}
