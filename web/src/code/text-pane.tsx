import { useQuery } from '@tanstack/react-query';
import { ArrowDownToLine } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { formatBytes } from '#contract/format.ts';
import { isWritablePath } from '#contract/paths.ts';
import { isAsleep, retryFiles } from '../api/files.ts';
import { useProject, useView } from '../project/context.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Button, ErrorNotice, Waiting } from '../ui/elements.tsx';
import { CompareBar, DocumentNotices, SaveButton, SaveStatus } from './document-bars.tsx';
import { EditorHost, SplitHost } from './editor-host.tsx';
import { type ReadVersion, readVersion } from './file-kind.ts';
import type { OpenDocument } from './open-document.ts';
import { type Comparison, type FilePaneProps, NotOpened, PaneFrame } from './pane-frame.tsx';

/** Shows a text file in the editor. Follows it while the agent writes it, and compares it on request. */
export function TextPane({ workspace, path, comparison, onDelete }: FilePaneProps) {
  const document = workspace.open(path);
  const state = useStore(document.store);
  const layout = useStore(workspace.store, (look) => look.layout);
  const [comparingTheirs, setComparingTheirs] = useState(false);
  const streaming = useView((view) => view.files[path]?.streaming ?? false);
  const stored = useStored(document);
  const locked = streaming || !isWritablePath(path);
  useEffect(() => document.lock(locked), [document, locked]);

  const { theirs } = state;
  const conflict: Comparison | null =
    comparingTheirs && theirs ? { label: 'what is there now', original: theirs.version?.text ?? '' } : null;
  const compared = conflict ?? comparison;
  const unreadable = state.dirty || state.streamed ? null : notOpened(stored.data, compared !== null);
  const ready = state.opened || state.streamed;
  return (
    <PaneFrame
      workspace={workspace}
      path={path}
      status={unreadable === null && ready && <SaveStatus document={document} />}
      actions={
        unreadable === null &&
        ready && (
          <>
            {isWritablePath(path) && <SaveButton document={document} locked={locked} />}
            <CopyButton text={() => document.text} />
          </>
        )
      }
      onDelete={state.base === null && unreadable === null ? undefined : onDelete}
    >
      <DocumentNotices
        document={document}
        streaming={streaming}
        comparing={conflict !== null}
        onCompare={() => setComparingTheirs(true)}
      />
      {compared && ready && unreadable === null && (
        <CompareBar
          workspace={workspace}
          document={document}
          comparison={compared}
          locked={locked}
          onClose={conflict ? () => setComparingTheirs(false) : null}
        />
      )}
      {unreadable !== null ? (
        <NotOpened path={path} text={unreadable} />
      ) : ready ? (
        <section aria-label="Code" className="relative min-h-0 flex-1 font-mono">
          {compared && layout === 'split' ? (
            <SplitHost document={document} original={compared.original} locked={locked} />
          ) : (
            <EditorHost document={document} original={compared?.original ?? null} locked={locked} />
          )}
          {streaming && <JumpToEnd document={document} />}
        </section>
      ) : stored.isError ? (
        <ErrorNotice error={stored.error} onRetry={() => void stored.refetch()} className="m-4" />
      ) : (
        <Waiting className="p-4">
          {streaming
            ? 'This page opened after the beginning was written. The whole file appears when it is done.'
            : isAsleep(stored.failureReason)
              ? 'The sandbox with the files is asleep. Waking it…'
              : 'Loading…'}
        </Waiting>
      )}
    </PaneFrame>
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
    // A response during a change would be stale.
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

/** Returns why a file is not shown in the editor, or `null` if it is. */
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
      Follow the writing
    </Button>
  );
}
