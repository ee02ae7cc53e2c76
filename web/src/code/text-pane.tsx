import { useQuery } from '@tanstack/react-query';
import { ArrowDownToLine } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { formatBytes } from '#contract/display.ts';
import { isWritablePath } from '#contract/paths.ts';
import { isStarting, retryFiles } from '../api/files.ts';
import { useProject, useView, useWritableRoots } from '../project/context.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Button, ErrorNotice, Waiting } from '../ui/elements.tsx';
import type { CodeWorkspace } from './code-workspace.ts';
import { CompareBar, DocumentNotices, SaveButton, SaveStatus } from './document-bars.tsx';
import { EditorHost, SplitHost } from './editor-host.tsx';
import { type ReadVersion, readVersion } from './file-kind.ts';
import type { OpenDocument } from './open-document.ts';
import { type Comparison, type FilePaneProps, NotOpened, PaneFrame } from './pane-frame.tsx';

/** Shows a text file in the editor. Follows it while the agent is writing it, and compares it on request. */
export function TextPane({ workspace, path, comparison, onDelete }: FilePaneProps) {
  const document = workspace.open(path);
  const state = useStore(document.store);
  const [comparingConflict, setComparingConflict] = useState(false);
  const streaming = useView((view) => view.files[path]?.streaming ?? false);
  const roots = useWritableRoots();
  const stored = useStored(document);
  const locked = streaming || !isWritablePath(path, roots);
  useEffect(() => document.lock(locked), [document, locked]);

  const serverComparison: Comparison | null =
    comparingConflict && state.conflict ? { label: 'the server version', original: state.conflict.version?.text ?? '' } : null;
  const compared = serverComparison ?? comparison;
  const unreadable = state.dirty || state.streamed ? null : notOpened(stored.data, compared !== null);
  const opened = (state.opened || state.streamed) && unreadable === null;
  return (
    <PaneFrame
      workspace={workspace}
      path={path}
      status={opened && <SaveStatus document={document} />}
      actions={opened && <Actions document={document} locked={locked} />}
      onDelete={state.base === null && unreadable === null ? undefined : onDelete}
    >
      <DocumentNotices
        document={document}
        streaming={streaming}
        comparing={serverComparison !== null}
        onCompare={() => setComparingConflict(true)}
      />
      {compared && opened && (
        <CompareBar
          workspace={workspace}
          document={document}
          comparison={compared}
          locked={locked}
          onClose={serverComparison ? () => setComparingConflict(false) : null}
        />
      )}
      {opened && (
        <section aria-label="Code" className="relative min-h-0 flex-1 font-mono">
          <Editors workspace={workspace} document={document} original={compared?.original ?? null} locked={locked} />
          {streaming && <JumpToEnd document={document} />}
        </section>
      )}
      {unreadable !== null && <NotOpened path={path} text={unreadable} />}
      {unreadable === null && !opened && <Unopened stored={stored} streaming={streaming} />}
    </PaneFrame>
  );
}

function Actions({ document, locked }: { document: OpenDocument; locked: boolean }) {
  const roots = useWritableRoots();
  return (
    <>
      {isWritablePath(document.path, roots) && <SaveButton document={document} locked={locked} />}
      <CopyButton text={() => document.text} />
    </>
  );
}

interface EditorsProps {
  workspace: CodeWorkspace;
  document: OpenDocument;
  original: string | null;
  locked: boolean;
}

function Editors({ workspace, original, ...editor }: EditorsProps) {
  const layout = useStore(workspace.store, (state) => state.layout);
  if (original !== null && layout === 'split') return <SplitHost {...editor} original={original} />;
  return <EditorHost {...editor} original={original} />;
}

function Unopened({ stored, streaming }: { stored: ReturnType<typeof useStored>; streaming: boolean }) {
  if (stored.isError) return <ErrorNotice error={stored.error} onRetry={() => void stored.refetch()} className="m-4" />;
  const loading = isStarting(stored.failureReason) ? 'Starting the sandbox with the files…' : 'Loading…';
  return (
    <Waiting className="p-4">
      {streaming ? 'This page missed the start of the file. The whole file appears once it is written.' : loading}
    </Waiting>
  );
}

/** Updates a document with the server's version and the agent's stream. */
function useStored(document: OpenDocument) {
  const { projectId } = useProject();
  const { path } = document;
  const live = useView((view) => view.files[path]);
  const filesVersion = useView((view) => view.filesVersion);
  const saving = useStore(document.store, (state) => state.saving !== 'no');
  const saves = useStore(document.store, (state) => state.saves);
  const streaming = live?.streaming ?? false;
  const stored = useQuery({
    queryKey: ['file', projectId, path, filesVersion, streaming ? 'streaming' : (live?.version ?? 0), saves],
    queryFn: ({ signal }) => readVersion(projectId, path, signal),
    // While the file is being changed, a response would be out of date.
    enabled: !streaming && !saving,
    staleTime: 0,
    gcTime: 0,
    ...retryFiles,
  });
  useEffect(() => {
    if (streaming && live?.text != null) document.streamed(live.text);
  }, [document, streaming, live]);
  useEffect(() => {
    if (streaming || saving || !stored.data) return;
    if (stored.data.kind === 'text') document.received(stored.data);
    if (stored.data.kind === 'missing') document.received(null);
  }, [document, streaming, saving, stored.data]);
  return stored;
}

/** Returns why a file is not shown in the editor, or `null` if it is shown. */
function notOpened(version: ReadVersion | undefined, compared: boolean): string | null {
  switch (version?.kind) {
    case 'missing':
      // A deleted file can be compared with an earlier version.
      return compared ? null : 'This file no longer exists.';
    case 'binary':
      return 'This file is not text, so it cannot be opened here.';
    case 'large':
      return version.sizeBytes === null
        ? 'This file is too large to open here.'
        : `This file is too large to open here (${formatBytes(version.sizeBytes)}).`;
    default:
      return null;
  }
}

function JumpToEnd({ document }: { document: OpenDocument }) {
  const following = useStore(document.end.store, (state) => state.following);
  if (following) return null;
  return (
    <Button
      icon={ArrowDownToLine}
      size="sm"
      onClick={() => document.end.resume(document.view)}
      className="absolute right-4 bottom-4 z-10 animate-fade font-sans shadow-card"
    >
      Jump to the end
    </Button>
  );
}
