import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Columns2, Rows2, Undo2, X } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { formatAgo } from '../../../server/contract/format.ts';
import { useProject } from '../project/context.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Empty } from '../ui/empty.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import type { CodeSession } from './code-session.ts';
import { fileKind, readVersionAt } from './file-kind.ts';
import { FilePane } from './file-pane.tsx';
import { NotOpened } from './media-pane.tsx';
import type { OpenDocument } from './open-document.ts';
import type { Comparison } from './pane-frame.tsx';
import { type FilePaneProps, PaneFrame } from './pane-frame.tsx';
import { comparedCheckpoint, useChangedFiles, useCheckpoints } from './use-checkpoints.ts';
import { useDraft } from './use-draft.ts';

/** A file against what it was in the chosen checkpoint. */
export function ComparedFile({ session, path, onDelete }: Omit<FilePaneProps, 'comparison'>) {
  const { projectId } = useProject();
  const checkpointId = useStore(session.store, (look) => look.checkpoint?.id ?? null);
  const { query, items } = useCheckpoints();
  const checkpoint = comparedCheckpoint(items, checkpointId);
  const changes = useChangedFiles({ from: checkpoint?.id ?? null, to: items[0]?.id ?? null });
  const previousPath = changes.data?.files.find((file) => file.path === path)?.previousPath ?? path;
  const original = useQuery({
    queryKey: ['code-original', projectId, checkpoint?.id, previousPath],
    queryFn: ({ signal }) => readVersionAt(projectId, checkpoint?.id ?? '', previousPath, signal),
    enabled: checkpoint !== null && !changes.isPending && fileKind(path) === 'text',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const comparison = useMemo(() => {
    if (checkpoint === null || !original.data) return null;
    const label = `${checkpoint.title} · ${formatAgo(checkpoint.at, Date.now())}`;
    if (original.data.kind === 'text') return { label, original: original.data.text };
    return original.data.kind === 'missing' ? { label, original: '' } : null;
  }, [checkpoint, original.data]);

  const file = { session, path, onDelete };
  const nothing = query.isSuccess && checkpoint === null;
  if (nothing || fileKind(path) !== 'text') return <FilePane {...file} comparison={null} />;
  if (comparison) return <FilePane {...file} comparison={comparison} />;
  const failure = query.error ?? changes.error ?? original.error;
  return (
    <PaneFrame session={session} path={path}>
      {failure ? (
        <div className="p-4">
          <ErrorNotice error={failure} />
        </div>
      ) : original.data ? (
        <NotOpened path={path} text="Only text can be compared." />
      ) : (
        <Empty icon={<Spinner />} title="Loading…" text="" />
      )}
    </PaneFrame>
  );
}

const layouts = [
  { value: 'unified', label: 'Unified', icon: <Rows2 aria-hidden="true" className="size-3.5" /> },
  { value: 'split', label: 'Side by side', icon: <Columns2 aria-hidden="true" className="size-3.5" /> },
] as const;

interface CompareBarProps {
  session: CodeSession;
  document: OpenDocument;
  comparison: Comparison;
  locked: boolean;
  /** Ends a comparison with what somebody else wrote, which is taken as a whole elsewhere; null = it is with a checkpoint. */
  onClose: (() => void) | null;
}

/** What the file is compared with, how that is shown, and the way back to it. */
export function CompareBar({ session, document, comparison, locked, onClose }: CompareBarProps) {
  const layout = useStore(session.store, (look) => look.layout);
  const same = useDraft(document) === comparison.original;
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1 text-[13px]">
      <p className="min-w-0 flex-1 truncate text-ink-2">
        Compared with <span className="text-ink">{comparison.label}</span>
        {same && <span className="text-ink-3"> · No difference</span>}
      </p>
      {!same && !locked && onClose === null && (
        <Button size="sm" variant="quiet" onClick={() => document.putBack(comparison.original)}>
          <Undo2 aria-hidden="true" className="size-4" />
          Put the whole file back
        </Button>
      )}
      <Choice
        label="Layout of the comparison"
        value={layout}
        options={layouts}
        onChange={(next) => session.store.setState({ layout: next })}
      />
      {onClose && (
        <IconButton label="End the comparison" onClick={onClose} className="-mr-2.5">
          <X className="size-4" />
        </IconButton>
      )}
    </div>
  );
}
