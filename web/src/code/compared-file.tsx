import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { formatAgo } from '#contract/display.ts';
import type { CheckpointEntry } from '#contract/history.ts';
import { historyApi } from '../api/client.ts';
import { useCheckpoints } from '../history/use-checkpoints.ts';
import { useProject } from '../project/context.ts';
import { Empty, ErrorNotice, Spinner } from '../ui/elements.tsx';
import { fileKind, readVersionAt } from './file-kind.ts';
import { FilePane } from './file-pane.tsx';
import { type FilePaneProps, NotOpened, PaneFrame } from './pane-frame.tsx';

/** Returns the chosen checkpoint, or otherwise the one before the newest, which shows the latest changes. */
export function comparedCheckpoint(items: readonly CheckpointEntry[], chosen: string | null): CheckpointEntry | null {
  return items.find(({ id }) => id === chosen) ?? items[1] ?? items[0] ?? null;
}

export function useChangedFiles({ from, to }: { from: string | null; to: string | null }) {
  const { projectId } = useProject();
  return useQuery({
    queryKey: ['code-changes', projectId, from, to],
    queryFn: ({ signal }) => historyApi.diff(projectId, { checkpointId: to ?? '', against: from, path: null }, signal),
    enabled: from !== null && to !== null,
    // Checkpoints are immutable.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

/** Compares a file with its version in the chosen checkpoint. */
export function ComparedFile({ workspace, path, onDelete }: Omit<FilePaneProps, 'comparison'>) {
  const { projectId } = useProject();
  const checkpointId = useStore(workspace.store, (state) => state.checkpoint?.id ?? null);
  const { query, entries } = useCheckpoints();
  const checkpoint = comparedCheckpoint(entries, checkpointId);
  const changes = useChangedFiles({ from: checkpoint?.id ?? null, to: entries[0]?.id ?? null });
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

  const file = { workspace, path, onDelete };
  const nothing = query.isSuccess && checkpoint === null;
  if (nothing || fileKind(path) !== 'text') return <FilePane {...file} comparison={null} />;
  if (comparison) return <FilePane {...file} comparison={comparison} />;
  const failure = query.error ?? changes.error ?? original.error;
  const notText = !failure && original.data !== undefined;
  return (
    <PaneFrame workspace={workspace} path={path}>
      {failure && <ErrorNotice error={failure} className="m-4" />}
      {notText && <NotOpened path={path} text="Only text files can be compared." />}
      {!failure && !notText && <Empty icon={<Spinner />} title="Loading…" />}
    </PaneFrame>
  );
}
