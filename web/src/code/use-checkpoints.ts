import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CheckpointEntry } from '../../../server/contract/history.ts';
import { historyApi } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';

const pageSize = 30;

/** The project's checkpoints, the newest first, page by page. */
export function useCheckpoints() {
  const { projectId } = useProject();
  const version = useView((view) => view.historyVersion + view.filesVersion);
  const query = useInfiniteQuery({
    queryKey: ['code-checkpoints', projectId, version],
    queryFn: ({ pageParam, signal }) => historyApi.list(projectId, { cursor: pageParam, limit: pageSize }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
  const items: CheckpointEntry[] = query.data?.pages.flatMap((page) => page.items) ?? [];
  return { query, items };
}

/** The checkpoint to compare with: the chosen one, else the one before the newest, so that its changes are seen. */
export function comparedCheckpoint(items: readonly CheckpointEntry[], chosen: string | null): CheckpointEntry | null {
  return items.find(({ id }) => id === chosen) ?? items[1] ?? items[0] ?? null;
}

/** Which files differ between a checkpoint and the newest one. */
export function useChangedFiles({ from, to }: { from: string | null; to: string | null }) {
  const { projectId } = useProject();
  return useQuery({
    queryKey: ['code-changes', projectId, from, to],
    queryFn: ({ signal }) => historyApi.diff(projectId, { checkpointId: to ?? '', against: from, path: null }, signal),
    enabled: from !== null && to !== null,
    // Two checkpoints stay what they are.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}
